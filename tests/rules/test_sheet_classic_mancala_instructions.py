"""The numbered rules of the sheet "Classic Mancala Instructions", one by one, under `classic`."""

import pytest

from games.rules.position import Side
from games.rules.ruleset import by_key
from games.rules.sowing import IllegalSowing, Kind, Outcome
from tests.rules.drawing import board, drawn, sow

CLASSIC = by_key("classic-6x4")


def test_classic_mancala_instructions_set_up_four_stones_in_each_pit_and_a_store_at_each_right():
    start = CLASSIC.start()
    assert drawn(start) == "4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S"
    for side in Side:
        assert start.store(side) == start.pits(side)[-1] + 1


def test_classic_mancala_instructions_rule_1_the_stones_of_any_one_own_pit_are_picked_up():
    start = CLASSIC.start()
    assert CLASSIC.legal_pits(start) == (0, 1, 2, 3, 4, 5)
    for pit in CLASSIC.legal_pits(start):
        assert CLASSIC.sow(start, pit).after.stones[pit] == 0
    with pytest.raises(IllegalSowing):
        CLASSIC.sow(start, 7)


def test_classic_mancala_instructions_rule_2_one_stone_is_sown_in_each_pit_counter_clockwise():
    assert sow("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", "b") == "4 0 5 5 5 5 (0) / 4 4 4 4 4 4 (0)  N"


def test_classic_mancala_instructions_rule_3_one_stone_goes_into_the_own_store_and_the_opponents_is_skipped():
    assert sow("1 0 0 0 0 8 (0) / 1 0 0 0 0 0 (0)  S", "f") == "2 0 0 0 0 0 (1) / 2 1 1 1 1 1 (0)  N"


def test_classic_mancala_instructions_rule_4_a_last_stone_in_the_own_store_gives_another_turn():
    assert sow("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", "c") == "4 4 0 5 5 5 (1) / 4 4 4 4 4 4 (0)  S"


def test_classic_mancala_instructions_rule_5_a_last_stone_in_an_own_empty_pit_captures_it_and_the_opposite_ones():
    # The figure: one stone from B1 to the empty B2 takes itself and what lies in A5.
    assert sow("1 0 0 0 0 3 (0) / 2 0 0 0 4 0 (0)  S", "a") == "0 0 0 0 0 3 (5) / 2 0 0 0 0 0 (0)  N"


def test_classic_mancala_instructions_rule_5_any_stones_opposite_may_be_none():
    assert sow("1 0 0 0 0 3 (0) / 2 0 0 0 0 0 (0)  S", "a") == "0 0 0 0 0 3 (1) / 2 0 0 0 0 0 (0)  N"


@pytest.mark.parametrize(
    ("before", "pit", "captured"),
    [
        ("1 0 0 0 0 3 (0) / 2 0 0 0 4 0 (0)  S", 0, 5),
        ("2 0 0 0 4 0 (0) / 1 0 0 0 0 3 (0)  N", 7, 5),
    ],
    ids=["South", "North"],
)
def test_classic_mancala_instructions_rule_6_all_captured_stones_go_to_the_own_store(before, pit, captured):
    sowing = CLASSIC.sow(board(before), pit)
    store = sowing.after.store(sowing.side)
    assert {move.target for move in sowing.transfers if move.kind is Kind.CAPTURE} == {store}
    assert sowing.after.stones[store] == sowing.captured == captured


@pytest.mark.parametrize(
    ("before", "letter", "after"),
    [
        ("0 0 0 0 0 1 (20) / 3 0 0 0 0 2 (22)  S", "f", "0 0 0 0 0 0 (21) / 0 0 0 0 0 0 (27)  over"),
        ("1 0 0 3 0 0 (20) / 0 0 0 0 5 0 (19)  S", "a", "0 0 0 0 0 0 (29) / 0 0 0 0 0 0 (19)  over"),
    ],
    ids=["the own side", "the other side, by a capture"],
)
def test_classic_mancala_instructions_rule_7_the_game_ends_when_one_side_is_empty(before, letter, after):
    assert sow(before, letter) == after


def test_classic_mancala_instructions_rule_8_whoever_still_has_stones_captures_them():
    sowing = CLASSIC.sow(board("0 0 0 0 0 1 (20) / 3 0 0 0 0 2 (22)  S"), 5)
    swept = [(move.source, move.target, move.stones) for move in sowing.transfers if move.kind is Kind.SWEEP]
    assert swept == [(7, 13, 3), (12, 13, 2)]


@pytest.mark.parametrize(
    ("over", "outcome"),
    [
        ("0 0 0 0 0 0 (25) / 0 0 0 0 0 0 (23)  S", Outcome(Side.SOUTH, (25, 23))),
        ("0 0 0 0 0 0 (23) / 0 0 0 0 0 0 (25)  S", Outcome(Side.NORTH, (23, 25))),
        ("0 0 0 0 0 0 (24) / 0 0 0 0 0 0 (24)  S", Outcome(None, (24, 24))),
    ],
    ids=["South has more", "North has more", "a draw"],
)
def test_classic_mancala_instructions_rule_9_most_stones_in_the_store_wins(over, outcome):
    assert CLASSIC.outcome(board(over)) == outcome
