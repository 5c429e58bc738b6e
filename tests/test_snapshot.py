"""Rows -> shapes: snapshots, welcomes, the lobby, records; and how large each may become."""

import uuid
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from games import actions, board_view, computers, names, presence, snapshot
from games.models import Game, Player
from games.presence import Counts
from games.protocol import LastSowing, LiveGame, Mine, OpenRoom, OutcomeShape, OwnGame, Refusal, Refused
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position, Side
from tests import rooms
from tests.known_games import PRINTED
from tests.rooms import begin, open_room, sow

pytestmark = pytest.mark.django_db

alice, bob, charlie = rooms.alice, rooms.bob, rooms.charlie  # fixtures

ROOMY = 8 * 1024
"""No message may come near the 16 KiB of the server's own limit."""


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


# Of a game ----------------------------------------------------------------------------------------


def test_a_room_that_waits_offers_nothing_yet(alice):
    state = snapshot.read(open_room(alice))
    assert (state.status, state.turn, state.legal, state.last, state.outcome) == ("open", None, (), None, None)
    assert state.seats.S.name == "Alice"
    assert state.seats.N is None


def test_a_game_in_progress_says_what_every_legal_pit_would_bring(alice, bob):
    code = begin(alice, bob)
    sow(code, "cah")
    state = snapshot.read(code)
    assert state.stones == (0, 5, 1, 6, 6, 5, 1, 0, 5, 5, 5, 5, 4, 0)
    assert state.turn == "S"
    # b: c d e f, store. c: d. d: e f, store, h i j. e: f, store, h i j k. f: store, h i j k.
    assert state.legal == (
        (1, 6, True, 0, (2, 3, 4, 5, 6), ()),
        (2, 3, False, 0, (3,), ()),
        (3, 9, False, 0, (4, 5, 6, 7, 8, 9), ()),
        (4, 10, False, 0, (5, 6, 7, 8, 9, 10), ()),
        (5, 10, False, 0, (6, 7, 8, 9, 10), ()),
    )
    assert state.last == LastSowing(ply=2, pit=7, side="N", last=11, extra_turn=False, captured=0)


def test_a_legal_pit_that_captures_says_how_much_and_from_where(alice, bob):
    code = begin(alice, bob, "classic-2x1")
    sow(code, "b")
    assert snapshot.read(code).legal == ((0, 1, False, 2, (1,), (1, 3)),)


def test_a_relay_says_its_last_hole_and_the_way_of_its_first_hand_only(alice, bob):
    code = begin(alice, bob, "avalanche-2x1")
    # a meets the stone in b, goes on with two: the store, d. Those of d go on: e, and past the other store a, empty.
    assert snapshot.read(code).legal[0] == (0, 0, False, 0, (1,), ())


def test_a_game_that_is_over_says_how_it_ended(alice, bob):
    code = begin(alice, bob, "both-stores-6x4")
    sow(code, PRINTED)
    state = snapshot.read(code)
    assert (state.status, state.turn, state.legal) == ("over", None, ())
    assert state.outcome == OutcomeShape(winner="S", score=(25, 23), ending="played_out")
    assert state.last == LastSowing(ply=30, pit=12, side="N", last=13, extra_turn=False, captured=0)


def test_a_late_comer_is_told_what_every_ply_captured(alice, bob):
    code = begin(alice, bob, "both-stores-6x4")
    sow(code, PRINTED[:16])
    # As the sheet prints it: "stores 2" twice, and eleven that go round from e and capture eleven.
    assert snapshot.read(code).captures == ((7, 2), (12, 2), (15, 11))
    sow(code, PRINTED[16:])
    assert snapshot.read(code).captures == ((7, 2), (12, 2), (15, 11), (17, 2), (25, 3))


def test_a_room_that_does_not_exist_has_no_state():
    for read in (snapshot.read, snapshot.version, lambda code: snapshot.welcome(code, None)):
        with pytest.raises(Refused) as caught:
            read("zzzzzzzz")
        assert caught.value.refusal is Refusal.NO_SUCH_ROOM


def test_each_viewer_is_welcomed_as_who_they_are_and_to_the_same_state(alice, bob, charlie):
    code = begin(alice, bob)
    welcomes = [snapshot.welcome(code, player) for player in (alice.pk, bob.pk, charlie.pk, uuid.uuid4(), None)]
    assert [welcome.you for welcome in welcomes] == ["S", "N", None, None, None]
    assert [welcome.player for welcome in welcomes[:3]] == [str(alice.pk), str(bob.pk), str(charlie.pk)]
    assert welcomes[4].player is None
    assert {welcome.snapshot for welcome in welcomes} == {snapshot.read(code)}


def test_the_current_game_of_a_room_is_the_latest(alice, bob):
    code = begin(alice, bob)
    actions.resign(code, alice.pk, game=1)
    first = snapshot.current_game(code)
    start = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 S"
    Game.objects.create(room=first.room, number=2, south=bob, ruleset=first.ruleset, position=start)
    assert snapshot.read(code).game == 2
    assert snapshot.version(code) == (2, 0)


@pytest.mark.parametrize("read", [snapshot.read, snapshot.version, lambda code: snapshot.welcome(code, None)])
def test_reading_a_room_costs_one_query(alice, bob, read):
    code = begin(alice, bob)
    statements: list[str] = []
    connection.connection.set_trace_callback(statements.append)
    read(code)
    connection.connection.set_trace_callback(None)
    assert len(statements) == 1


def test_what_one_hand_carries_is_one_transfer_on_the_wire():
    # a falls in b, on one stone: both go on to the store and d, on one stone: both go on to e and, past North's
    # store, to a, which is empty.
    (relay,) = transcript.replay(rulesets.by_key("avalanche-2x1"), "a")
    assert relay.after.stones == (1, 0, 1, 0, 2, 0)
    assert snapshot.carried(relay) == (("sow", 0, (1,)), ("sow", 1, (2, 3)), ("sow", 3, (4, 0)))


def test_two_laps_from_one_pit_are_two_transfers_on_the_wire():
    # Six stones go twice round and end where they began, on one stone: both are picked up from the same pit again.
    relay = rulesets.by_key("avalanche-1x6").sow(Position((6, 0, 1, 0), Side.SOUTH), 0)
    assert snapshot.carried(relay) == (
        ("sow", 0, (1, 2, 0, 1, 2, 0)),  # 2,2,3,0
        ("sow", 0, (1, 2)),  # 0,3,4,0
        ("sow", 2, (0, 1, 2, 0)),  # 2,4,1,0
        ("sow", 0, (1, 2)),  # 0,5,2,0
        ("sow", 2, (0, 1)),  # 1,6,0,0: North's pit is empty
        ("sweep", 0, (1,)),
    )


# As a page draws it -------------------------------------------------------------------------------

SOUTH_ROW, NORTH_ROW = [0, 1, 2, 3, 4, 5], [7, 8, 9, 10, 11, 12]


def holes(row):
    return [pit.hole for pit in row.pits]


@pytest.mark.parametrize(
    ("you", "near", "far"), [("S", SOUTH_ROW, NORTH_ROW), ("N", NORTH_ROW, SOUTH_ROW), (None, SOUTH_ROW, NORTH_ROW)]
)
def test_everybody_who_plays_has_the_own_row_at_the_bottom(alice, bob, you, near, far):
    view = board_view.board(snapshot.read(begin(alice, bob)), you)
    assert holes(view.near) == near
    assert holes(view.far) == far[::-1]
    assert (view.near.store.hole, view.far.store.hole) == ((13, 6) if you == "N" else (6, 13))
    assert (view.near.you, view.far.you) == (you is not None, False)
    assert view.width == 6


def test_a_hole_has_the_same_letter_and_stones_for_everybody(alice, bob):
    code = begin(alice, bob)
    sow(code, "c")
    state = snapshot.read(code)
    for you in ("S", "N", None):
        view = board_view.board(state, you)
        for row in (view.near, view.far):
            for hole in (*row.pits, row.store):
                assert hole.letter == "abcdefghijklmn"[hole.hole]
                assert hole.count == state.stones[hole.hole]


def test_pits_are_offered_to_the_player_whose_turn_it_is_and_to_nobody_else(alice, bob):
    code = begin(alice, bob)
    sow(code, "c")

    def offered(you):
        view = board_view.board(snapshot.read(code), you)
        return [pit.hole for row in (view.near, view.far) for pit in row.pits if pit.legal]

    assert offered("S") == [0, 1, 3, 4, 5]
    assert offered("N") == offered(None) == []
    actions.resign(code, bob.pk, game=1)
    assert offered("S") == offered("N") == offered(None) == []


def test_a_row_has_the_name_of_its_player_or_none(alice):
    view = board_view.board(snapshot.read(open_room(alice)), "S")
    assert (view.near.name, view.near.side, view.far.name, view.far.side) == ("Alice", "S", "", "N")


# The lobby ----------------------------------------------------------------------------------------


def test_an_empty_lobby_is_empty():
    lobby = snapshot.lobby()
    assert (lobby.open, lobby.playing, lobby.open_total, lobby.playing_total) == ((), (), 0, 0)


@pytest.mark.parametrize(("side", "free"), [("S", "N"), ("N", "S")])
def test_a_public_room_is_listed_while_its_player_is_there(alice, side, free):
    code = open_room(alice, "both-stores-6x4", side=side, public=True)
    assert snapshot.lobby().open == ()
    here(code, south=side == "S", north=side == "N", spectators=3)
    (room,) = snapshot.lobby().open
    assert room == OpenRoom(code=code, ruleset="both-stores-6x4", host="Alice", player=str(alice.pk), seat=free)
    assert snapshot.lobby().open_total == 1
    here(code, spectators=3)
    assert snapshot.lobby().open == ()


def test_a_room_that_nobody_waits_in_is_not_listed(alice):
    code = open_room(alice, public=True)
    here(code, south=1)
    actions.leave_seat(code, alice)
    assert snapshot.lobby().open == ()


def test_a_game_in_progress_is_listed_with_names_score_and_spectators(alice, bob):
    code = begin(alice, bob, public=True)
    sow(code, "cd")
    here(code, south=1, north=1, spectators=7)
    lobby = snapshot.lobby()
    assert lobby.open == ()
    assert lobby.playing == (
        LiveGame(code=code, ruleset="classic-6x4", south="Alice", north="Bob", score=(2, 0), spectators=7),
    )


def test_a_game_is_listed_while_one_of_its_players_is_there(alice, bob):
    code = begin(alice, bob, public=True)
    assert snapshot.lobby().playing == ()
    here(code, spectators=2)
    assert (snapshot.lobby().playing, snapshot.lobby().playing_total) == ((), 0)
    for south, north in ((1, 0), (0, 1)):
        here(code, south, north)
        assert [game.code for game in snapshot.lobby().playing] == [code]
        assert snapshot.lobby().playing_total == 1


def test_a_game_that_is_over_is_not_listed(alice, bob):
    code = begin(alice, bob, public=True)
    here(code, south=1, north=1)
    actions.resign(code, alice.pk, game=1)
    assert snapshot.lobby().playing == ()


def test_a_private_room_is_never_listed(alice, bob):
    here(open_room(alice), south=1)
    here(begin(alice, bob), south=1, north=1)
    lobby = snapshot.lobby()
    assert (lobby.open, lobby.playing, lobby.open_total, lobby.playing_total) == ((), (), 0, 0)


def test_the_newest_rooms_and_the_latest_sowings_come_first(alice, bob):
    waiting = [open_room(alice, public=True) for _ in range(3)]
    for code in waiting:
        here(code, south=1)
    playing = in_turn(*[lambda: begin(alice, bob, public=True)] * 3)
    for code in playing:
        here(code, north=1)
    in_turn(lambda: sow(playing[1], "c"))
    lobby = snapshot.lobby()
    assert [room.code for room in lobby.open] == waiting[::-1]
    assert [game.code for game in lobby.playing] == [playing[1], playing[2], playing[0]]


def test_a_long_lobby_is_cut_and_says_so(alice, bob):
    for _ in range(snapshot.LISTED + 2):
        here(open_room(alice, public=True), south=1)
        here(begin(alice, bob, public=True), south=1)
    lobby = snapshot.lobby()
    assert len(lobby.open) == len(lobby.playing) == snapshot.LISTED
    assert lobby.open_total == lobby.playing_total == snapshot.LISTED + 2


@pytest.mark.parametrize("games", [1, 10])
def test_reading_the_lobby_costs_a_few_queries_however_full(alice, bob, django_assert_max_num_queries, games):
    for _ in range(games):
        here(open_room(alice, public=True), south=1)
        here(begin(alice, bob, public=True), south=1)
    with django_assert_max_num_queries(2):
        snapshot.lobby()


def test_nobody_is_offered_the_room_where_they_wait_themselves(alice, bob):
    own, other = open_room(alice, public=True), open_room(bob, public=True)
    for code in (own, other):
        here(code, south=1)
    lobby = snapshot.lobby_without(alice.pk)
    assert ([room.code for room in lobby.open], lobby.open_total) == ([other], 1)


# The own games ------------------------------------------------------------------------------------


def test_somebody_without_games_or_without_an_identity_has_none(alice, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert snapshot.mine(None) == Mine(games=(), total=0)
        assert snapshot.going_on(None) == ()
    assert snapshot.mine(uuid.uuid4()).total == 0  # a guest who has no row yet
    assert snapshot.going_on(uuid.uuid4()) == ()


def test_the_own_games_say_against_whom_the_score_and_whose_turn_it_is(alice, bob):
    code = begin(bob, alice, "both-stores-6x4")
    sow(code, "c")
    game = OwnGame(code=code, ruleset="both-stores-6x4", you="N", opponent="Bob", score=(1, 0), turn="S")
    assert snapshot.mine(alice.pk) == Mine(games=(game,), total=1)
    assert snapshot.going_on(alice.pk) == (game,)


def test_a_game_that_waits_for_a_friend_is_an_own_game_but_leads_nobody_back(alice, bob):
    code = open_room(alice, side="N")
    game = OwnGame(code=code, ruleset="classic-6x4", you="N", opponent=None, score=(0, 0), turn=None)
    assert snapshot.mine(alice.pk) == Mine(games=(game,), total=1)
    assert snapshot.going_on(alice.pk) == ()
    assert snapshot.mine(bob.pk).total == 0


def test_games_that_are_over_or_left_are_no_longer_the_own(alice, bob):
    actions.resign(begin(alice, bob), bob.pk, game=1)
    actions.leave_seat(open_room(alice), alice)
    assert snapshot.mine(alice.pk).total == snapshot.mine(bob.pk).total == 0


def test_games_where_it_is_my_turn_come_first_then_the_latest(alice, bob):
    mine, theirs, waiting, later = in_turn(
        lambda: begin(alice, bob), lambda: begin(bob, alice), lambda: open_room(alice), lambda: begin(bob, alice)
    )
    assert [game.code for game in snapshot.mine(alice.pk).games] == [mine, later, waiting, theirs]
    in_turn(lambda: sow(later, "a"))  # no extra turn: now it is Alice's
    assert [game.code for game in snapshot.mine(alice.pk).games] == [later, mine, waiting, theirs]
    assert [game.code for game in snapshot.going_on(alice.pk)] == [later, theirs]


def test_who_plays_a_person_is_helped_by_nobody_until_the_game_is_over(alice, bob, charlie):
    code = begin(alice, bob)
    assert snapshot.rival_game(alice.pk).room_id == snapshot.rival_game(bob.pk).room_id == code
    assert snapshot.rival_game(charlie.pk) is snapshot.rival_game(None) is None
    actions.resign(code, bob.pk, game=1)
    assert snapshot.rival_game(alice.pk) is None


def test_a_computer_and_the_own_other_hand_are_no_rivals_nor_is_who_has_left_for_a_day(alice, bob):
    actions.open_room(alice, ruleset="classic-6x4", side=Side.SOUTH, against=computers.of_level(1))
    actions.open_room(alice, ruleset="classic-6x4", side=Side.SOUTH, shared=True)
    assert snapshot.rival_game(alice.pk) is None
    Game.objects.of_room(begin(alice, bob)).update(moved_at=timezone.now() - timedelta(days=1))
    assert snapshot.rival_game(alice.pk) is None


def test_many_own_games_are_cut_and_counted(alice, django_assert_max_num_queries):
    for _ in range(snapshot.LISTED + 2):
        open_room(alice)
    with django_assert_max_num_queries(2):
        mine = snapshot.mine(alice.pk)
    assert (len(mine.games), mine.total) == (snapshot.LISTED, snapshot.LISTED + 2)


# Records ------------------------------------------------------------------------------------------


def test_a_record_tells_every_ply(alice, bob):
    code = begin(alice, bob, "both-stores-6x4")
    sow(code, PRINTED)
    record = snapshot.record(snapshot.current_game(code))
    assert (record["ruleset"], record["transcript"], record["status"]) == ("both-stores-6x4", PRINTED, "over")
    assert (record["south"], record["north"], record["outcome"].score) == ("Alice", "Bob", (25, 23))
    assert record["start"] == (4, 4, 4, 4, 4, 4, 0) * 2
    assert [ply["ply"] for ply in record["plies"]] == list(range(31))
    assert record["plies"][0] == {
        "ply": 0,
        "pit": 2,
        "side": "S",
        "transfers": (("sow", 2, (3, 4, 5, 6)),),
        "stones": (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0),
        "last": 6,
        "extra_turn": True,
        "captured": 0,
    }
    assert record["plies"][-1]["stones"] == (0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 0, 0, 0, 23)


# How large ----------------------------------------------------------------------------------------

LONGEST_NAME = ("\U00010400\U0001e000\U0001e001") * 20  # 4 bytes each: a letter and the two marks it may wear

# Found by a search over many games: the sowings that move the most stones.
LONG_RELAYS = {
    "avalanche-6x6": ((13, 3, 2, 1, 5, 2, 16, 0, 2, 1, 2, 1, 16, 8), 12),
    "avalanche-9x9": ((0, 23, 8, 3, 23, 7, 0, 24, 0, 4, 11, 5, 0, 2, 0, 7, 24, 0, 8, 13), 11),
}


@pytest.mark.parametrize("key", LONG_RELAYS)
def test_the_longest_sowing_fits_into_a_message(key):
    rules = rulesets.by_key(key)
    stones, pit = LONG_RELAYS[key]
    sowing = rules.sow(Position(stones, Side.NORTH), pit)
    assert len(sowing.transfers) > 300
    message = snapshot.sown(Game(number=1, ply=500, version=500, ruleset=key, status="playing"), sowing, rules)
    assert len(message.text()) < ROOMY


def test_the_snapshot_of_a_long_game_between_long_names_fits_into_a_message():
    south, north = (Player(name=name) for name in (LONGEST_NAME, LONGEST_NAME))
    assert names.clean(LONGEST_NAME) == LONGEST_NAME
    game = Game(room_id="abcdefgh", south=south, north=north, ruleset="avalanche-9x9", status="playing")
    rules, position = rulesets.by_key(game.ruleset), rulesets.by_key(game.ruleset).start()
    while legal := rules.legal_pits(position):
        game.transcript += transcript.letter(legal[0])
        game.position = str(position)
        position = rules.sow(position, legal[0]).after
    game.transcript = game.transcript[:-1]
    game.ply = len(game.transcript)
    assert game.ply > 100
    welcome = snapshot.welcome_to(game, south.pk)
    assert len(welcome.text().encode()) < ROOMY


def test_a_full_lobby_of_long_names_fits_into_a_message():
    players = [Player.objects.create(name=LONGEST_NAME) for _ in range(2)]
    key = "no-empty-capture-6x4+majority"
    for _ in range(snapshot.LISTED):
        here(open_room(players[0], key, public=True), south=1)
        here(begin(*players, key, public=True), north=1, spectators=100_000)
    lobby = snapshot.lobby()
    assert len(lobby.open) == len(lobby.playing) == snapshot.LISTED
    size = len(lobby.text().encode())
    assert size < ROOMY
