"""What the lobby lists: open rooms, live games and the own ones, each only as many as a page shows."""

import uuid

import pytest
from django.core.cache import cache

from games import actions, lists, presence, snapshot
from games.models import Player
from games.presence import Counts
from games.protocol import LiveGame, Mine, OpenRoom, OwnGame
from tests import rooms
from tests.rooms import LONGEST_NAME, ROOMY, begin, open_room, sow

pytestmark = pytest.mark.django_db

alice, bob = rooms.alice, rooms.bob  # fixtures


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def in_turn(*happenings):
    """What comes of each, done one after the other: what happens in the same ms has no order."""
    done = []
    for happen in happenings:
        before = snapshot.moment()
        while snapshot.moment() == before:
            pass
        done.append(happen())
    return done


def here(code, south=0, north=0, spectators=0):
    presence.remember({code: Counts(south, north, spectators)})


# The lobby ----------------------------------------------------------------------------------------


def test_an_empty_lobby_is_empty():
    lobby = lists.lobby()
    assert (lobby.open, lobby.playing, lobby.open_total, lobby.playing_total) == ((), (), 0, 0)


@pytest.mark.parametrize(("side", "free"), [("S", "N"), ("N", "S")])
def test_a_public_room_is_listed_while_its_player_is_there(alice, side, free):
    code = open_room(alice, "both-stores-6x4", side=side, public=True)
    assert lists.lobby().open == ()
    here(code, south=side == "S", north=side == "N", spectators=3)
    (room,) = lists.lobby().open
    assert room == OpenRoom(code=code, ruleset="both-stores-6x4", host="Alice", player=str(alice.pk), seat=free)
    assert lists.lobby().open_total == 1
    here(code, spectators=3)
    assert lists.lobby().open == ()


def test_a_room_that_nobody_waits_in_is_not_listed(alice):
    code = open_room(alice, public=True)
    here(code, south=1)
    actions.leave_seat(code, alice)
    assert lists.lobby().open == ()


def test_a_game_in_progress_is_listed_with_names_score_and_spectators(alice, bob):
    code = begin(alice, bob, public=True)
    sow(code, "cd")
    here(code, south=1, north=1, spectators=7)
    lobby = lists.lobby()
    assert lobby.open == ()
    assert lobby.playing == (
        LiveGame(code=code, ruleset="classic-6x4", south="Alice", north="Bob", score=(2, 0), spectators=7),
    )


def test_a_game_is_listed_while_one_of_its_players_is_there(alice, bob):
    code = begin(alice, bob, public=True)
    assert lists.lobby().playing == ()
    here(code, spectators=2)
    assert (lists.lobby().playing, lists.lobby().playing_total) == ((), 0)
    for south, north in ((1, 0), (0, 1)):
        here(code, south, north)
        assert [game.code for game in lists.lobby().playing] == [code]
        assert lists.lobby().playing_total == 1


def test_a_game_that_is_over_is_not_listed(alice, bob):
    code = begin(alice, bob, public=True)
    here(code, south=1, north=1)
    actions.resign(code, alice.pk, game=1)
    assert lists.lobby().playing == ()


def test_a_private_room_is_never_listed(alice, bob):
    here(open_room(alice), south=1)
    here(begin(alice, bob), south=1, north=1)
    lobby = lists.lobby()
    assert (lobby.open, lobby.playing, lobby.open_total, lobby.playing_total) == ((), (), 0, 0)


def test_the_newest_rooms_and_the_latest_sowings_come_first(alice, bob):
    waiting = [open_room(alice, public=True) for _ in range(3)]
    for code in waiting:
        here(code, south=1)
    playing = in_turn(*[lambda: begin(alice, bob, public=True)] * 3)
    for code in playing:
        here(code, north=1)
    in_turn(lambda: sow(playing[1], "c"))
    lobby = lists.lobby()
    assert [room.code for room in lobby.open] == waiting[::-1]
    assert [game.code for game in lobby.playing] == [playing[1], playing[2], playing[0]]


def test_a_long_lobby_is_cut_and_says_so(alice, bob):
    for _ in range(lists.LISTED + 2):
        here(open_room(alice, public=True), south=1)
        here(begin(alice, bob, public=True), south=1)
    lobby = lists.lobby()
    assert len(lobby.open) == len(lobby.playing) == lists.LISTED
    assert lobby.open_total == lobby.playing_total == lists.LISTED + 2


@pytest.mark.parametrize("games", [1, 10])
def test_reading_the_lobby_costs_a_few_queries_however_full(alice, bob, django_assert_max_num_queries, games):
    for _ in range(games):
        here(open_room(alice, public=True), south=1)
        here(begin(alice, bob, public=True), south=1)
    with django_assert_max_num_queries(2):
        lists.lobby()


def test_nobody_is_offered_the_room_where_they_wait_themselves(alice, bob):
    own, other = open_room(alice, public=True), open_room(bob, public=True)
    for code in (own, other):
        here(code, south=1)
    lobby = lists.lobby_without(alice.pk)
    assert ([room.code for room in lobby.open], lobby.open_total) == ([other], 1)


# The own games ------------------------------------------------------------------------------------


def test_somebody_without_games_or_without_an_identity_has_none(alice, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert lists.mine(None) == Mine(games=(), total=0)
        assert lists.going_on(None) == ()
    assert lists.mine(uuid.uuid4()).total == 0  # a guest who has no row yet
    assert lists.going_on(uuid.uuid4()) == ()


def test_the_own_games_say_against_whom_the_score_and_whose_turn_it_is(alice, bob):
    code = begin(bob, alice, "both-stores-6x4")
    sow(code, "c")
    game = OwnGame(code=code, ruleset="both-stores-6x4", you="N", opponent="Bob", score=(1, 0), turn="S")
    assert lists.mine(alice.pk) == Mine(games=(game,), total=1)
    assert lists.going_on(alice.pk) == (game,)


def test_a_game_that_waits_for_a_friend_is_an_own_game_but_leads_nobody_back(alice, bob):
    code = open_room(alice, side="N")
    game = OwnGame(code=code, ruleset="classic-6x4", you="N", opponent=None, score=(0, 0), turn=None)
    assert lists.mine(alice.pk) == Mine(games=(game,), total=1)
    assert lists.going_on(alice.pk) == ()
    assert lists.mine(bob.pk).total == 0


def test_games_that_are_over_or_left_are_no_longer_the_own(alice, bob):
    actions.resign(begin(alice, bob), bob.pk, game=1)
    actions.leave_seat(open_room(alice), alice)
    assert lists.mine(alice.pk).total == lists.mine(bob.pk).total == 0


def test_games_where_it_is_my_turn_come_first_then_the_latest(alice, bob):
    mine, theirs, waiting, later = in_turn(
        lambda: begin(alice, bob), lambda: begin(bob, alice), lambda: open_room(alice), lambda: begin(bob, alice)
    )
    assert [game.code for game in lists.mine(alice.pk).games] == [mine, later, waiting, theirs]
    in_turn(lambda: sow(later, "a"))  # no extra turn: now it is Alice's
    assert [game.code for game in lists.mine(alice.pk).games] == [later, mine, waiting, theirs]
    assert [game.code for game in lists.going_on(alice.pk)] == [later, theirs]


def test_many_own_games_are_cut_and_counted(alice, django_assert_max_num_queries):
    for _ in range(lists.LISTED + 2):
        open_room(alice)
    with django_assert_max_num_queries(2):
        mine = lists.mine(alice.pk)
    assert (len(mine.games), mine.total) == (lists.LISTED, lists.LISTED + 2)


# How large ----------------------------------------------------------------------------------------


def test_a_full_lobby_of_long_names_fits_into_a_message():
    players = [Player.objects.create(name=LONGEST_NAME) for _ in range(2)]
    key = "no-empty-capture-6x4+majority"
    for _ in range(lists.LISTED):
        here(open_room(players[0], key, public=True), south=1)
        here(begin(*players, key, public=True), north=1, spectators=100_000)
    lobby = lists.lobby()
    assert len(lobby.open) == len(lobby.playing) == lists.LISTED
    size = len(lobby.text().encode())
    assert size < ROOMY
