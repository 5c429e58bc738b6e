"""Rows -> shapes: snapshots, welcomes, records; and how large each may become."""

import uuid

import pytest
from django.db import connection

from games import actions, board_view, names, snapshot
from games.models import Game, Player
from games.protocol import LastSowing, OutcomeShape, Refusal, Refused
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position, Side
from tests import rooms
from tests.known_games import PRINTED
from tests.rooms import LONGEST_NAME, ROOMY, begin, open_room, sow

pytestmark = pytest.mark.django_db

alice, bob, charlie = rooms.alice, rooms.bob, rooms.charlie  # fixtures

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
