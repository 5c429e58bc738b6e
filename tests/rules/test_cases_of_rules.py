"""What went wrong in other mancala programs: each case that concerns the rules alone, named by its number."""

import pytest

from games.rules.position import Position, Side
from games.rules.ruleset import NAMES, by_key
from games.rules.sowing import IllegalSowing, Kind, Outcome
from games.rules.transcript import replay
from tests.rules.drawing import board, sow

KALAH = [f"{name}-6x4" for name in NAMES if name != "avalanche"]
SKIPPING = [f"{name}-6x4" for name in NAMES if name != "both-stores"]
ALL = [f"{name}-6x4" for name in NAMES]
KEYS = [*ALL, *(f"{key}+majority" for key in ALL)]


@pytest.mark.parametrize("key", ALL)
def test_b1_the_side_with_stones_left_gets_them_and_the_pits_are_cleared(key):
    after = sow("0 0 0 0 0 1 (24) / 0 0 2 0 0 0 (21)  S", "f", key)
    assert after == "0 0 0 0 0 0 (25) / 0 0 0 0 0 0 (23)  over"


@pytest.mark.parametrize("key", ["classic-6x4", "no-empty-capture-6x4"])
def test_b2_sowing_past_the_opponents_store_skips_it(key):
    after = sow("0 4 4 4 0 8 (2) / 4 4 4 4 4 4 (2)  S", "f", key)
    assert after == "0 4 4 4 0 0 (9) / 5 5 5 5 5 0 (2)  N"


@pytest.mark.parametrize(
    ("key", "after"),
    [
        ("no-empty-capture-6x4", "0 1 0 3 0 0 (20) / 0 0 5 0 0 0 (19)  N"),
        ("both-stores-6x4", "0 1 0 3 0 0 (20) / 0 0 5 0 0 0 (19)  N"),
        ("avalanche-6x4", "0 1 0 3 0 0 (20) / 0 0 5 0 0 0 (19)  N"),
        ("classic-6x4", "0 0 0 3 0 0 (21) / 0 0 5 0 0 0 (19)  N"),
    ],
)
def test_b3_a_last_stone_opposite_an_empty_pit_is_captured_under_classic_only(key, after):
    assert sow("1 0 0 3 0 0 (20) / 0 0 5 0 0 0 (19)  S", "a", key) == after


@pytest.mark.parametrize("key", SKIPPING)
def test_b4_no_stone_ever_falls_into_the_opponents_store_however_many_are_sown(key):
    ruleset = by_key(key)
    for side in Side:
        for number in range(6):
            for stones in range(7, 27):
                position = lone_pit(side, number, stones)
                sowing = ruleset.sow(position, position.pits(side)[number])
                sown = [move.target for move in sowing.transfers if move.kind is Kind.SOW]
                assert len(sown) >= stones
                assert sowing.before.store(side.opponent) not in sown


@pytest.mark.parametrize("key", ALL)
def test_b4_both_seats_sow_alike_however_many_stones(key):
    ruleset = by_key(key)
    for number in range(6):
        for stones in range(7, 27):
            south = ruleset.sow(lone_pit(Side.SOUTH, number, stones), number)
            north = ruleset.sow(lone_pit(Side.NORTH, number, stones), number + 7)
            assert north.after.stones == south.after.stones[7:] + south.after.stones[:7]
            assert (north.extra_turn, north.captured) == (south.extra_turn, south.captured)
            assert north.after.turn is south.after.turn.opponent


def lone_pit(side: Side, number: int, stones: int) -> Position:
    """A board with one full pit, and one stone in the last pit of each side so that the game goes on."""
    row = [0, 0, 0, 0, 0, 1, 0]
    rows = {side: row.copy(), side.opponent: row}
    rows[side][number] = stones
    return Position((*rows[Side.SOUTH], *rows[Side.NORTH]), side)


@pytest.mark.parametrize("key", ["classic-6x4", "no-empty-capture-6x4"])
def test_b5_a_full_lap_ends_in_the_pit_it_emptied_and_captures(key):
    after = sow("0 0 13 0 0 0 (14) / 1 1 1 1 1 1 (15)  S", "c", key)
    assert after == "1 1 0 1 1 1 (18) / 2 2 2 0 2 2 (15)  N"


@pytest.mark.parametrize("key", ALL)
def test_b7_ten_plies_from_any_board_played_again_give_the_same_positions(key):
    ruleset = by_key(key)
    first = board("3 0 6 2 1 9 (2) / 4 4 0 5 7 1 (4)  N")

    def ten_plies() -> list[Position]:
        positions = [first]
        while len(positions) <= 10:
            positions.append(ruleset.sow(positions[-1], ruleset.legal_pits(positions[-1])[0]).after)
        return positions

    once, again = ten_plies(), ten_plies()
    assert list(map(hash, once)) == list(map(hash, again))
    assert once == again
    assert {sum(position.stones) for position in once} == {48}


@pytest.mark.parametrize("key", KALAH)
def test_b9_b10_equal_stores_are_a_draw_without_a_hidden_tie_break(key):
    before = board("0 0 0 0 1 0 (20) / 3 0 0 0 0 2 (22)  S")
    sowing = by_key(key).sow(before, 4)
    assert sowing.captured == 4
    assert sowing.after.stones == (0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 24)
    assert by_key(key).outcome(sowing.after) == Outcome(None, (24, 24))


@pytest.mark.parametrize("key", KALAH)
def test_b11_the_game_ends_as_soon_as_either_side_is_empty(key):
    after = sow("1 0 0 3 0 0 (20) / 0 0 0 0 5 0 (19)  S", "a", key)
    assert after == "0 0 0 0 0 0 (29) / 0 0 0 0 0 0 (19)  over"


def test_b11_without_captures_the_same_game_goes_on():
    after = sow("1 0 0 3 0 0 (20) / 0 0 0 0 5 0 (19)  S", "a", "avalanche-6x4")
    assert after == "0 1 0 3 0 0 (20) / 0 0 0 0 5 0 (19)  N"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "end",
    ["0 0 0 0 0 0 (25) / 0 0 0 0 0 0 (23)  S", "0 0 0 0 0 0 (26) / 3 0 0 1 0 0 (18)  N"],
    ids=["swept", "not swept"],
)
def test_b13_nothing_can_be_sown_after_the_end(key, end):
    ruleset, position = by_key(key), board(end)
    assert ruleset.outcome(position) is not None
    assert ruleset.legal_pits(position) == ()
    for pit in range(14):
        with pytest.raises(IllegalSowing):
            ruleset.sow(position, pit)


@pytest.mark.parametrize("key", ALL)
def test_b14_an_extra_turn_belongs_to_who_earned_it_however_the_game_is_resumed(key):
    ruleset = by_key(key)
    (first,) = replay(ruleset, "c")
    assert first.extra_turn
    assert first.after.turn is Side.SOUTH
    resumed = Position.parse(str(first.after))
    again = ruleset.sow(resumed, 0)
    assert list(replay(ruleset, "ca")) == [first, again]


@pytest.mark.parametrize("key", ALL)
def test_b16_more_than_half_in_a_store_does_not_end_the_game(key):
    after = sow("0 0 0 0 2 1 (24) / 1 0 0 0 0 0 (20)  S", "f", key)
    assert after == "0 0 0 0 2 0 (25) / 1 0 0 0 0 0 (20)  S"


@pytest.mark.parametrize("key", ALL)
def test_b16_with_majority_it_does_and_nothing_is_swept(key):
    ruleset = by_key(f"{key}+majority")
    sowing = ruleset.sow(board("0 0 0 0 2 1 (24) / 1 0 0 0 0 0 (20)  S"), 5)
    assert sowing.after.stones == (0, 0, 0, 0, 2, 0, 25, 1, 0, 0, 0, 0, 0, 20)
    assert not sowing.extra_turn
    assert ruleset.outcome(sowing.after) == Outcome(Side.SOUTH, (25, 20))
