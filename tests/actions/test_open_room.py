"""Opening rooms: who sits where, and codes that are unguessable, unique and never mistaken."""

import secrets

import pytest
from django.db import IntegrityError

from games import actions, snapshot
from games.models import CODE_ALPHABET, Game, Room
from games.rules.position import Side
from games.rules.ruleset import UnknownRuleset
from tests.rooms import open_room


def test_a_room_opens_with_its_host_seated_and_its_first_game_waiting(alice, said):
    game = actions.open_room(alice, ruleset="both-stores-6x4", side=Side.NORTH, public=True)
    assert (game.number, game.ply, game.version, game.status) == (1, 0, 0, "open")
    assert (game.south, game.north) == (None, alice)
    assert (game.ruleset, game.position) == ("both-stores-6x4", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 S")
    assert (game.room.host, game.room.visibility, game.room.ruleset) == (alice, "public", "both-stores-6x4")
    assert snapshot.current_game(game.room_id) == game


def test_a_room_is_private_unless_asked_otherwise(alice, said):
    assert actions.open_room(alice, ruleset="classic-6x4").room.visibility == "private"


def test_by_lot_the_host_gets_either_side(alice, said):
    sides = {actions.open_room(alice, ruleset="classic-6x4").seat_of(alice.pk) for _ in range(50)}
    assert sides == {"S", "N"}  # one in 2^49 that this fails for nothing


def test_the_lobby_is_told_of_a_new_room(alice, said):
    open_room(alice)
    assert said.lobby == 1
    assert said.messages == []


@pytest.mark.parametrize("ruleset", ["", "chess-6x4", "classic-0x4", "classic-6x4+minority", "classic-10x4"])
def test_a_room_needs_a_known_ruleset(alice, said, ruleset):
    with pytest.raises(UnknownRuleset):
        actions.open_room(alice, ruleset=ruleset)
    assert not Room.objects.exists()
    assert not said


def test_codes_have_eight_letters_and_digits_that_nobody_mistakes_for_one_another(alice, said):
    codes = {open_room(alice) for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 8 and set(code) <= set(CODE_ALPHABET) for code in codes)
    assert not set(CODE_ALPHABET) & set("01ilo")
    assert CODE_ALPHABET == CODE_ALPHABET.lower()


@pytest.fixture
def drawn(monkeypatch):
    """Let codes be drawn as told: one symbol a code, eight times."""

    def draw(symbols):
        drawing = iter(symbol for symbol in symbols for _ in range(8))
        monkeypatch.setattr(secrets, "choice", lambda _: next(drawing))

    return draw


def test_a_code_that_is_taken_is_drawn_again(alice, said, drawn):
    drawn("aab")
    assert [open_room(alice), open_room(alice)] == ["aaaaaaaa", "bbbbbbbb"]


def test_the_last_try_counts_too(alice, said, drawn):
    drawn("a" + "aaaab")
    open_room(alice)
    assert open_room(alice) == "bbbbbbbb"


def test_after_the_last_try_the_database_still_keeps_codes_unique(alice, said, drawn):
    """B71: codes collide."""
    drawn("a" + "aaaaa" + "b")
    open_room(alice)
    with pytest.raises(IntegrityError):
        open_room(alice)
    assert (Room.objects.count(), Game.objects.count()) == (1, 1)
    assert open_room(alice) == "bbbbbbbb"  # the fifth was the last
