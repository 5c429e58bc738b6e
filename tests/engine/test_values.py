"""What positions are worth, against the golden values and against the rules played out."""

from functools import cache
from itertools import islice

import pytest

from games.engine.board import TooLarge
from games.engine.engine import Budget
from games.engine.search import lead
from games.rules.position import Position, Side
from games.rules.ruleset import NAMES, Ruleset, by_key
from tests.engine.samples import known, random_positions


def worth(ruleset: Ruleset, position: Position, side: Side) -> int:
    """By the definition, with the rules: what the side ends ahead by when both play their best."""

    @cache
    def value(position: Position) -> int:
        if outcome := ruleset.outcome(position):
            south, north = outcome.score
            return south - north
        values = [value(ruleset.sow(position, pit).after) for pit in ruleset.legal_pits(position)]
        return max(values) if position.turn is Side.SOUTH else min(values)

    return value(position) if side is Side.SOUTH else -value(position)


@pytest.mark.parametrize("name", NAMES)
def test_golden_positions_are_worth_what_was_computed_elsewhere(engine, name):
    few = [sample for sample in known(name) if sample.in_play <= (18 if sample.position.width <= 6 else 9)]
    assert len(few) > 100
    for ruleset, position, value, pits, _ in few:
        findings = engine.solve(ruleset, position)
        assert findings.is_exact
        assert {pit.pit: pit.low for pit in findings.pits} == pits, (ruleset.key, str(position))
        assert findings.low == value


@pytest.mark.parametrize("which", ["plain", "engine"])
def test_ends_of_games_of_every_ruleset_and_size_are_worth_what_playing_them_out_brings(which, request):
    engine = request.getfixturevalue(which)
    for ruleset, position in islice(random_positions(1, in_play=5), 500):
        findings = engine.solve(ruleset, position)
        expected = {
            pit: worth(ruleset, ruleset.sow(position, pit).after, position.turn) for pit in ruleset.legal_pits(position)
        }
        assert findings.is_exact
        assert {pit.pit: pit.low for pit in findings.pits} == expected, (ruleset.key, str(position))


@pytest.mark.parametrize("name", NAMES)
def test_the_best_pit_is_found_without_the_values_of_the_others(engine, name):
    for ruleset, position, value, pits, in_play in known(name):
        if in_play <= 12 and position.width <= 6:
            best = engine.best(ruleset, position)
            assert best.low <= value <= best.high
            assert pits[best.pit] == value


def test_what_is_not_looked_into_further_does_not_look_as_good_as_the_best(plain):
    for ruleset, position in islice(random_positions(3, in_play=14), 200):
        *_, found = plain.study(ruleset, position, Budget(depth=4), every=False)
        for pit in found.pits:
            assert pit.pit == found.best.pit or pit.guess < found.best.guess or pit.low == found.best.guess


def test_a_majority_ends_the_game_before_the_stones_that_lie_ready_are_won(engine):
    findings = engine.solve(by_key("classic-6x4+majority"), Position.parse("1,1,0,0,0,1,24/0,0,0,0,0,1,20 S"))
    # The 25th stone of 48 ends it, 25 to 20: by pit 1, which takes its own stone, and by pit 5. After pit 0 North must
    # sow its last stone, and South sweeps 3: 27 to 21.
    assert [(pit.pit, pit.low, pit.high) for pit in findings.pits] == [(0, 6, 6), (1, 5, 5), (5, 5, 5)]


def test_a_game_that_is_over_has_a_value_and_no_pits(engine):
    findings = engine.solve(by_key("classic-6x4"), Position.parse("0,0,0,0,0,0,30/0,0,0,0,0,0,18 N"))
    assert (findings.pits, findings.low, findings.high) == ((), -12, -12)
    assert findings.is_exact
    with pytest.raises(ValueError, match="empty"):
        _ = findings.best


def test_stones_that_the_numbers_have_no_room_for_are_refused(engine):
    with pytest.raises(TooLarge):
        engine.solve(by_key("classic-6x4"), Position.parse("163,0/1,0 S"))
    with pytest.raises(TooLarge):
        engine.solve(by_key("classic-9x9"), Position.parse("128,0,0,0,0,0,0,0,0,0/1,1,1,1,1,1,1,1,1,0 S"))


def test_bounds_hold_however_early_the_search_ends(engine):
    for ruleset, position, value, pits, in_play in known("classic"):
        if in_play > 20:
            continue
        for nodes in (1, 30, 300):
            findings = engine.solve(ruleset, position, Budget(nodes=nodes))
            assert findings.low <= value <= findings.high
            assert all(pit.low <= pits[pit.pit] <= pit.high for pit in findings.pits)
            assert all(pit.low <= pit.guess <= pit.high for pit in findings.pits)


def test_nothing_is_won_that_is_in_a_store_already_and_lead_says_what_is():
    position = Position.parse("0,1,20/0,1,5 N")
    assert lead(position, Side.NORTH) == -15
