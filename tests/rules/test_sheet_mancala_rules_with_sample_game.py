"""The numbered rules of the sheet "Mancala Rules" with the sample game, one by one, under `both-stores`.

The sample game itself: test_printed_game.py.
"""

import pytest

from games.rules.position import Side
from games.rules.ruleset import by_key
from games.rules.sowing import IllegalSowing, Kind, Outcome
from tests.rules.drawing import board, drawn, sow

KEY = "both-stores-6x4"
RULESET = by_key(KEY)


def test_mancala_rules_with_sample_game_rule_1_two_players_sit_face_to_face():
    south, north = Side
    assert (south.opponent, north.opponent) == (north, south)


def test_mancala_rules_with_sample_game_rule_2_the_board_has_two_rows_of_six_pits_and_two_stores():
    start = RULESET.start()
    holes = [*start.pits(Side.SOUTH), start.store(Side.SOUTH), *start.pits(Side.NORTH), start.store(Side.NORTH)]
    assert holes == list(range(14))
    assert len(start.pits(Side.SOUTH)) == len(start.pits(Side.NORTH)) == 6


def test_mancala_rules_with_sample_game_rule_3_the_store_is_to_the_right_of_a_players_row():
    start = RULESET.start()
    for side in Side:
        assert start.store(side) == start.pits(side)[-1] + 1


def test_mancala_rules_with_sample_game_rule_4_four_stones_in_each_pit_are_48():
    start = RULESET.start()
    assert drawn(start) == "4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S"
    assert sum(start.stones) == 48


def test_mancala_rules_with_sample_game_rule_5_the_first_player_begins_with_any_own_pit():
    start = RULESET.start()
    assert start.turn is Side.SOUTH
    assert RULESET.legal_pits(start) == tuple(start.pits(Side.SOUTH))
    with pytest.raises(IllegalSowing):
        RULESET.sow(start, 7)


def test_mancala_rules_with_sample_game_rule_6_stones_are_sown_into_either_store():
    assert sow("1 0 0 0 0 9 (0) / 1 0 0 0 0 0 (0)  S", "f", KEY) == "2 0 0 0 0 0 (1) / 2 1 1 1 1 1 (1)  N"


def test_mancala_rules_with_sample_game_rule_7_a_last_stone_in_the_own_store_gives_another_turn():
    assert sow("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", "c", KEY) == "4 4 0 5 5 5 (1) / 4 4 4 4 4 4 (0)  S"


def test_mancala_rules_with_sample_game_rule_7_a_last_stone_in_the_opponents_store_does_not():
    assert sow("1 0 0 0 0 8 (0) / 1 0 0 0 0 0 (0)  S", "f", KEY) == "1 0 0 0 0 0 (1) / 2 1 1 1 1 1 (1)  N"


def test_mancala_rules_with_sample_game_rule_8_a_last_stone_in_an_own_empty_pit_captures_with_the_opposite_ones():
    assert sow("1 0 0 0 0 3 (0) / 2 0 0 0 4 0 (0)  S", "a", KEY) == "0 0 0 0 0 3 (5) / 2 0 0 0 0 0 (0)  N"


def test_mancala_rules_with_sample_game_rule_8_nothing_is_captured_when_the_opposite_pit_is_empty():
    assert sow("1 0 0 0 0 3 (0) / 2 0 0 0 0 0 (0)  S", "a", KEY) == "0 1 0 0 0 3 (0) / 2 0 0 0 0 0 (0)  N"


def test_mancala_rules_with_sample_game_rule_9_the_game_is_over_when_one_side_is_empty():
    assert sow("0 0 0 0 0 10 (15) / 1 0 0 0 0 0 (22)  N", "h", KEY) == "0 0 0 0 0 10 (15) / 0 1 0 0 0 0 (22)  S"
    assert sow("0 0 0 0 0 10 (15) / 0 0 0 0 0 1 (22)  N", "m", KEY) == "0 0 0 0 0 0 (25) / 0 0 0 0 0 0 (23)  over"


def test_mancala_rules_with_sample_game_rule_9_a_store_of_25_ends_the_game_only_with_the_early_endgame_test():
    before = "0 0 0 0 2 1 (24) / 1 0 0 0 0 0 (20)  S"
    assert sow(before, "f", KEY) == "0 0 0 0 2 0 (25) / 1 0 0 0 0 0 (20)  S"
    assert sow(before, "f", KEY + "+majority") == "0 0 0 0 2 0 (25) / 1 0 0 0 0 0 (20)  over"


def test_mancala_rules_with_sample_game_rule_10_the_stones_left_go_to_their_owners_store():
    sowing = RULESET.sow(board("0 0 0 2 0 8 (15) / 0 0 0 0 0 1 (22)  N"), 12)
    swept = [(move.source, move.target, move.stones) for move in sowing.transfers if move.kind is Kind.SWEEP]
    assert swept == [(3, 6, 2), (5, 6, 8)]


def test_mancala_rules_with_sample_game_rule_11_the_player_with_the_most_stones_wins():
    assert RULESET.outcome(board("0 0 0 0 0 0 (25) / 0 0 0 0 0 0 (23)  S")) == Outcome(Side.SOUTH, (25, 23))
    assert RULESET.outcome(board("0 0 0 0 0 0 (20) / 0 0 0 0 0 0 (28)  S")) == Outcome(Side.NORTH, (20, 28))
