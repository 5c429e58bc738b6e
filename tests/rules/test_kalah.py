"""What the rule sheets leave to be asked about Kalah: long laps, stores, the majority."""

import pytest

from games.rules.position import Side
from games.rules.ruleset import by_key
from games.rules.sowing import IllegalSowing, Kind, Outcome, Transfer
from tests.rules.drawing import board, sow

CLASSIC = by_key("classic-6x4")


def test_a_last_stone_in_an_own_pit_with_stones_captures_nothing():
    assert sow("1 2 0 0 0 0 (0) / 0 0 0 0 3 0 (0)  S", "a") == "0 3 0 0 0 0 (0) / 0 0 0 0 3 0 (0)  N"


def test_a_last_stone_in_an_empty_pit_of_the_opponent_captures_nothing():
    assert sow("4 0 0 0 0 2 (0) / 0 0 0 0 0 1 (0)  S", "f") == "4 0 0 0 0 0 (1) / 1 0 0 0 0 1 (0)  N"


@pytest.mark.parametrize("key", ["classic-6x4", "no-empty-capture-6x4"])
def test_two_laps_put_two_stones_everywhere_but_in_the_opponents_store(key):
    after = sow("0 0 26 0 0 0 (0) / 1 0 0 0 0 0 (0)  S", "c", key)
    assert after == "2 2 2 2 2 2 (2) / 3 2 2 2 2 2 (0)  N"


def test_a_lap_of_both_stores_is_14_stones_and_may_capture_too():
    after = sow("0 0 14 0 0 0 (0) / 0 0 1 0 0 0 (0)  S", "c", "both-stores-6x4")
    assert after == "1 1 0 1 1 1 (3) / 1 1 2 0 1 1 (1)  N"


def test_a_capture_may_take_what_the_same_sowing_put_opposite():
    after = sow("0 3 0 0 0 8 (0) / 1 0 0 0 0 0 (0)  S", "f", "no-empty-capture-6x4")
    assert after == "0 3 0 0 0 0 (3) / 2 1 1 1 1 0 (0)  N"


def test_a_ply_tells_its_story_in_transfers():
    sowing = CLASSIC.sow(board("2 0 0 0 0 0 (20) / 0 1 0 3 0 0 (22)  S"), 0)
    assert sowing.transfers == (
        Transfer(Kind.SOW, 0, 1, 1),
        Transfer(Kind.SOW, 0, 2, 1),
        Transfer(Kind.CAPTURE, 2, 6, 1),
        Transfer(Kind.CAPTURE, 10, 6, 3),
    )
    assert (sowing.side, sowing.pit, sowing.last, sowing.captured, sowing.extra_turn) == (Side.SOUTH, 0, 2, 4, False)


def test_a_ply_that_ends_the_game_tells_of_the_sweep_last():
    sowing = CLASSIC.sow(board("0 0 0 0 0 1 (20) / 0 1 0 3 0 0 (23)  S"), 5)
    assert sowing.transfers == (
        Transfer(Kind.SOW, 5, 6, 1),
        Transfer(Kind.SWEEP, 8, 13, 1),
        Transfer(Kind.SWEEP, 10, 13, 3),
    )
    assert (sowing.last, sowing.captured) == (6, 0)


def test_a_last_stone_in_the_own_store_gives_no_extra_turn_when_the_game_is_over():
    sowing = CLASSIC.sow(board("0 0 0 0 0 1 (24) / 0 0 2 0 0 0 (21)  S"), 5)
    assert sowing.last == 6
    assert not sowing.extra_turn
    assert sowing.after.turn is Side.NORTH


@pytest.mark.parametrize(
    ("over", "score"),
    [
        ("0 0 0 0 0 0 (20) / 3 0 0 0 0 2 (23)  S", (20, 28)),
        ("0 1 0 0 4 0 (20) / 0 0 0 0 0 0 (23)  S", (25, 23)),
    ],
    ids=["North's", "South's"],
)
def test_a_board_set_up_with_an_empty_row_is_over_and_the_other_row_counts_for_its_owner(over, score):
    assert CLASSIC.outcome(board(over)).score == score


def test_the_smallest_game_is_one_ply_and_a_draw():
    ruleset = by_key("classic-1x1")
    sowing = ruleset.sow(ruleset.start(), 0)
    assert sowing.after.stones == (0, 1, 0, 1)
    assert ruleset.outcome(sowing.after) == Outcome(None, (1, 1))


@pytest.mark.parametrize(
    "pit",
    [
        pytest.param(1, id="an empty pit"),
        pytest.param(6, id="the own store"),
        pytest.param(7, id="an opponent's pit"),
        pytest.param(13, id="the opponent's store"),
        pytest.param(14, id="no hole"),
        pytest.param(-12, id="a negative number"),
    ],
)
def test_only_an_own_pit_with_stones_can_be_sown(pit):
    position = board("1 0 1 0 0 0 (0) / 1 1 1 1 1 1 (0)  S")
    assert CLASSIC.legal_pits(position) == (0, 2)
    with pytest.raises(IllegalSowing):
        CLASSIC.sow(position, pit)


def test_majority_is_more_than_half_not_half():
    before = "0 0 0 0 2 1 (23) / 1 0 0 0 0 0 (21)  S"
    assert sow(before, "f", "classic-6x4+majority") == "0 0 0 0 2 0 (24) / 1 0 0 0 0 0 (21)  S"


def test_majority_counts_the_stones_that_are_on_the_board():
    assert sow("0 1 1 (2) / 1 0 0 (1)  S", "c", "classic-6x4+majority") == "0 1 0 (3) / 1 0 0 (1)  S"
    assert sow("0 1 1 (3) / 1 0 0 (0)  S", "c", "classic-6x4+majority") == "0 1 0 (4) / 1 0 0 (0)  over"


def test_majority_may_be_the_opponents_when_stones_are_sown_into_its_store():
    before = board("1 0 0 0 0 8 (10) / 4 0 0 0 1 0 (24)  S")
    ruleset = by_key("both-stores-6x4+majority")
    after = ruleset.sow(before, 5).after
    assert after.stones == (1, 0, 0, 0, 0, 0, 11, 5, 1, 1, 1, 2, 1, 25)
    assert ruleset.outcome(after) == Outcome(Side.NORTH, (11, 25))


def test_majority_goes_before_the_sweep_when_one_ply_brings_both():
    before = "0 0 0 0 0 1 (24) / 3 0 0 0 0 0 (20)  S"
    assert sow(before, "f", "classic-6x4+majority") == "0 0 0 0 0 0 (25) / 3 0 0 0 0 0 (20)  over"


def test_without_a_majority_the_sweep_ends_the_game_as_ever():
    before = "0 0 0 0 0 1 (23) / 0 0 1 0 0 0 (23)  S"
    assert sow(before, "f", "classic-6x4+majority") == "0 0 0 0 0 0 (24) / 0 0 0 0 0 0 (24)  over"
