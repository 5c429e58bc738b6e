"""Relay sowing: where a ply goes on and where it ends."""

import pytest

from games.rules.ruleset import by_key
from games.rules.sowing import Kind, Transfer
from tests.rules.drawing import board, sow

KEY = "avalanche-6x4"


def test_a_last_stone_in_an_empty_pit_ends_the_turn_and_captures_nothing():
    assert sow("2 0 0 0 0 1 (0) / 0 0 0 5 0 0 (0)  S", "a", KEY) == "0 1 1 0 0 1 (0) / 0 0 0 5 0 0 (0)  N"


def test_a_last_stone_that_meets_others_picks_them_up_and_sows_on():
    assert sow("1 3 0 0 0 0 (0) / 0 0 0 0 0 1 (0)  S", "a", KEY) == "0 0 1 1 1 1 (0) / 0 0 0 0 0 1 (0)  N"


def test_the_opponents_pits_are_picked_up_too():
    assert sow("1 0 0 0 0 2 (0) / 2 0 1 0 0 0 (0)  S", "f", KEY) == "1 0 0 0 0 0 (1) / 0 1 2 1 0 0 (0)  N"


def test_a_relay_skips_the_opponents_store():
    assert sow("0 0 0 0 0 2 (0) / 6 0 0 0 0 0 (0)  S", "f", KEY) == "1 1 0 0 0 0 (1) / 0 1 1 1 1 1 (0)  N"


def test_a_relay_that_ends_in_the_own_store_gives_an_extra_turn():
    assert sow("0 0 1 2 0 0 (0) / 0 0 0 0 0 1 (0)  S", "c", KEY) == "0 0 0 0 1 1 (1) / 0 0 0 0 0 1 (0)  S"


def test_a_full_lap_ends_in_the_pit_it_emptied():
    assert sow("0 0 13 0 0 1 (0) / 0 0 0 0 0 1 (0)  S", "c", KEY) == "1 1 1 1 1 2 (1) / 1 1 1 1 1 2 (0)  N"


def test_two_laps_relay_from_the_pit_they_began_in():
    # 26 stones lay two in each hole but n. Then two go from c to e, three from e to h, four from h to l, three from l
    # to b, and three from b to e, which is empty.
    after = sow("0 0 26 0 0 0 (0) / 1 0 0 0 0 9 (0)  S", "c", KEY)
    assert after == "3 0 1 4 1 3 (3) / 0 3 3 3 0 12 (0)  N"


def test_the_stones_left_are_swept_though_nothing_is_captured():
    after = sow("0 0 0 0 0 1 (20) / 3 0 0 0 0 2 (22)  S", "f", KEY)
    assert after == "0 0 0 0 0 0 (21) / 0 0 0 0 0 0 (27)  over"


@pytest.mark.parametrize(
    ("letters", "after"),
    [
        ("c", "4 4 0 5 5 5 (1) / 4 4 4 4 4 4 (0)  S"),
        ("ca", "1 6 0 7 1 6 (2) / 5 5 5 0 5 5 (0)  N"),
        ("caj", "0 7 1 7 1 6 (2) / 5 5 0 1 6 6 (1)  S"),
    ],
)
def test_a_game_opens_as_worked_out_by_hand(letters, after):
    # a: four to e, whose six go to k, whose five go to c, whose two go to the empty e.
    # j: five to a, whose two go to the empty c.
    assert sow("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", letters, KEY) == after


def test_each_stone_comes_from_the_pit_its_lap_was_picked_up_from():
    sowing = by_key(KEY).sow(board("1 0 0 0 0 2 (0) / 2 0 1 0 0 0 (0)  S"), 5)
    assert sowing.transfers == (
        Transfer(Kind.SOW, 5, 6, 1),
        Transfer(Kind.SOW, 5, 7, 1),
        Transfer(Kind.SOW, 7, 8, 1),
        Transfer(Kind.SOW, 7, 9, 1),
        Transfer(Kind.SOW, 7, 10, 1),
    )
    assert (sowing.last, sowing.captured, sowing.extra_turn) == (10, 0, False)
