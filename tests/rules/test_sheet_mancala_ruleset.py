"""The numbered rules of the sheet "Mancala Ruleset", one by one, under `classic`: player 0 is South."""

import pytest

from games.rules.position import Side
from games.rules.ruleset import by_key
from games.rules.sowing import IllegalSowing, Kind, Outcome
from games.rules.transcript import replay
from tests.rules.drawing import board, drawn, sow

CLASSIC = by_key("classic-6x4")
PERFECT_GAME = "cfihdkfbfdiehfalecjekdhblmejaicbh"  # both sides play their best: 29:19


def test_mancala_ruleset_setup_four_stones_lie_in_each_pit():
    assert drawn(CLASSIC.start()) == "4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S"


def test_mancala_ruleset_rule_1_the_stones_in_a_store_are_its_players_score():
    assert CLASSIC.outcome(board("0 0 0 0 0 0 (31) / 0 0 0 0 0 0 (17)  N")).score == (31, 17)


def test_mancala_ruleset_rule_2_player_0_begins_and_chooses_only_from_the_own_row():
    start = CLASSIC.start()
    assert start.turn is Side.SOUTH
    assert CLASSIC.legal_pits(start) == (0, 1, 2, 3, 4, 5)
    for pit in (6, 7, 12, 13):
        with pytest.raises(IllegalSowing):
            CLASSIC.sow(start, pit)


def test_mancala_ruleset_rule_3_stones_are_placed_one_by_one_beginning_with_the_next_pit():
    assert sow("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", "a") == "0 5 5 5 5 4 (0) / 4 4 4 4 4 4 (0)  N"


def test_mancala_ruleset_rule_4_a_stone_goes_into_the_own_store_and_the_rest_to_the_opponents_side():
    assert sow("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", "f") == "4 4 4 4 4 0 (1) / 5 5 5 4 4 4 (0)  N"


def test_mancala_ruleset_rule_5_the_other_players_store_is_skipped():
    assert sow("1 0 0 0 0 0 (0) / 1 0 0 0 0 8 (0)  N", "m") == "2 1 1 1 1 1 (0) / 2 0 0 0 0 0 (1)  S"


def test_mancala_ruleset_rule_6_a_last_stone_in_the_own_store_lets_the_player_go_again():
    assert sow("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  N", "j") == "4 4 4 4 4 4 (0) / 4 4 0 5 5 5 (1)  N"


def test_mancala_ruleset_rule_7_a_last_stone_in_an_own_empty_pit_is_taken_with_any_stones_across():
    assert sow("0 6 0 0 0 2 (0) / 0 0 0 1 0 3 (0)  N", "k") == "0 0 0 0 0 2 (0) / 0 0 0 0 0 3 (7)  S"
    assert sow("0 6 0 0 0 2 (0) / 0 0 1 0 0 3 (0)  N", "j") == "0 6 0 0 0 2 (0) / 0 0 0 0 0 3 (1)  S"


def test_mancala_ruleset_rule_8_stones_never_leave_a_store():
    for sowing in replay(CLASSIC, PERFECT_GAME):
        for side in Side:
            store = sowing.before.store(side)
            assert sowing.after.stones[store] >= sowing.before.stones[store]


def test_mancala_ruleset_rule_9_the_game_ends_when_one_row_is_empty():
    assert sow("0 0 0 0 1 1 (23) / 1 0 0 0 0 0 (22)  S", "f") == "0 0 0 0 1 0 (24) / 1 0 0 0 0 0 (22)  S"
    assert sow("0 0 0 0 0 1 (24) / 1 0 0 0 0 0 (22)  S", "f") == "0 0 0 0 0 0 (25) / 0 0 0 0 0 0 (23)  over"


def test_mancala_ruleset_rule_10_the_player_who_still_has_stones_puts_them_in_the_own_store():
    sowing = CLASSIC.sow(board("2 0 0 1 0 0 (20) / 0 0 0 0 0 1 (24)  N"), 12)
    swept = [(move.source, move.target, move.stones) for move in sowing.transfers if move.kind is Kind.SWEEP]
    assert swept == [(0, 6, 2), (3, 6, 1)]


def test_mancala_ruleset_rule_11_most_stones_in_the_store_wins():
    *_, last = replay(CLASSIC, PERFECT_GAME)
    assert CLASSIC.outcome(last.after) == Outcome(Side.SOUTH, (29, 19))
