"""Playing anyone: whoever waits in public for the same game, or else waiting oneself."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from games import actions, lists, presence
from games.models import Game
from games.presence import Counts
from games.protocol import Seated
from games.rules.position import Side
from games.rules.ruleset import UnknownRuleset
from tests.rooms import begin, open_room

KEY = "classic-6x4"


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def ask(player, ruleset=KEY, side=None):
    return actions.play_anyone(player, ruleset=ruleset, side=side)


def opened_long_ago(code):
    Game.objects.filter(room=code).update(created_at=timezone.now() - timedelta(minutes=1))


def test_whoever_waits_is_played_at_once_and_hears_of_it(alice, bob, said):
    code = open_room(alice, public=True)
    said.clear()
    game = ask(bob)
    assert (game.room_id, game.south, game.north, game.status) == (code, alice, bob, "playing")
    (message,) = said.messages
    assert isinstance(message, Seated)
    assert (said.rooms, message.player.name, message.turn) == ([code], "Bob", "S")


def test_if_nobody_waits_one_waits_in_public_oneself(alice, said):
    game = ask(alice, "avalanche-4x5", Side.NORTH)
    assert (game.room.visibility, game.ruleset, game.south, game.north) == ("public", "avalanche-4x5", None, alice)


def test_asking_again_is_still_waiting_in_the_same_room(alice, bob, said):
    room = ask(alice).room_id
    assert ask(alice).room_id == room
    assert ask(alice, "avalanche-6x4").room_id != room
    assert ask(bob).room_id == room


def test_a_private_room_is_nobodys_business(alice, bob, said):
    assert ask(bob).room_id != open_room(alice)


@pytest.mark.parametrize("other", ["classic-6x5", "classic-5x4", "avalanche-6x4", "classic-6x4+majority"])
def test_another_game_is_not_what_was_asked_for(alice, bob, said, other):
    assert ask(bob, other).room_id != open_room(alice, public=True)


@pytest.mark.parametrize(("wish", "fits"), [(Side.NORTH, True), (Side.SOUTH, False), (None, True)])
def test_the_side_has_to_fit(alice, bob, said, wish, fits):
    code = open_room(alice, side="S", public=True)
    game = ask(bob, side=wish)
    assert (game.room_id == code) == fits
    if wish:
        assert game.seat_of(bob.pk) == wish.value


def test_the_own_room_on_another_side_is_not_what_was_asked_for(alice, said):
    assert ask(alice, side=Side.NORTH).room_id != ask(alice, side=Side.SOUTH).room_id


def test_nobody_sits_down_opposite_an_empty_chair(alice, bob, said):
    """A room counts while its player is there, or on the way from having opened it."""
    code = open_room(alice, public=True)
    opened_long_ago(code)
    assert ask(bob).room_id != code
    presence.remember({code: Counts(south=1)})
    assert ask(bob).room_id == code


def test_who_has_waited_longest_is_first(alice, bob, charlie, said):
    rooms = [open_room(alice, public=True), open_room(charlie, public=True)]
    assert ask(bob).room_id == rooms[0]
    assert ask(bob).room_id == rooms[1]


def test_others_come_before_the_own_waiting_room(alice, bob, said):
    own, other = open_room(alice, public=True), open_room(bob, public=True)
    assert ask(alice).room_id == other
    assert Game.objects.get(room=own).status == "open"


def test_who_sits_down_meanwhile_has_the_seat_and_the_next_who_waits_is_played(alice, bob, charlie, said, monkeypatch):
    first, second = open_room(alice, public=True), open_room(alice, public=True)
    stale = list(Game.objects.public().seated().waiting())[::-1]
    actions.take_seat(first, charlie)
    monkeypatch.setattr(lists, "waiting_for", lambda key, control: stale)
    assert ask(bob).room_id == second
    assert Game.objects.get(room=first).north == charlie


def test_games_that_have_begun_are_not_joined(alice, bob, charlie, said):
    assert ask(charlie).room_id != begin(alice, bob, public=True)


def test_an_unknown_ruleset_opens_nothing(alice, said):
    with pytest.raises(UnknownRuleset):
        ask(alice, "chess-8x2")
    assert not Game.objects.exists()
