"""A game gone over: from its end, exact where that can be, and what its plies cost."""

import doctest
import math

import pytest

from games.engine import review as reviewing
from games.engine.engine import Engine
from games.engine.findings import Findings, PitValue
from games.engine.kernel import FOREVER
from games.engine.review import accuracy, best_line, loss, review
from games.engine.search import Stop
from games.rules import transcript
from games.rules.position import Side
from games.rules.ruleset import NAMES, by_key
from games.rules.transcript import replay
from tests.engine.samples import random_game, start


def known(low: int, high: int, *pits: tuple[int, int, int]) -> Findings:
    """Of a position and its pits, each with its bounds."""
    return Findings(tuple(PitValue(pit, least, most, least) for pit, least, most in pits), low, high, FOREVER, 0)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_lost_leads_from_the_value_of_the_start_to_the_score(engine, name):
    ruleset = by_key(f"{name}-3x3")
    for seed in range(10):
        plies = random_game(ruleset, seed)
        sowings = tuple(replay(ruleset, plies))
        told = list(review(engine, ruleset, plies))
        assert [ply for ply, _ in told] == list(reversed(range(len(plies))))
        worth = told[-1][1].low
        for ply, findings in told:
            least, most = loss(findings, sowings[ply].pit)
            assert 0 <= least == most
            worth += 2 * most if sowings[ply].side is Side.NORTH else -2 * most
        south, north = ruleset.outcome(sowings[-1].after).score
        assert worth == south - north


@pytest.mark.parametrize("name", NAMES)
def test_where_a_majority_ends_the_game_half_a_stone_is_one(engine, name):
    """What still lies in the pits is nobody's then, so a loss may be odd."""
    ruleset = by_key(f"{name}-3x3+majority")
    plies = random_game(ruleset, 2)
    sowings = tuple(replay(ruleset, plies))
    for ply, findings in review(engine, ruleset, plies):
        worth = next(value.low for value in findings.pits if value.pit == sowings[ply].pit)
        assert loss(findings, sowings[ply].pit) == (math.ceil((findings.low - worth) / 2),) * 2


@pytest.mark.timeout(60)
def test_where_time_is_short_the_end_is_exact_and_the_start_has_bounds_that_hold(tmp_path):
    ruleset, _, value, pits, _ = start("classic")
    plies = random_game(ruleset, 1)
    told = list(review(Engine(tmp_path, has_book=False, most_endings=0), ruleset, plies, seconds=0.2))
    assert [ply for ply, _ in told] == list(reversed(range(len(plies))))
    (_, last), (_, first) = told[0], told[-1]
    assert last.is_exact
    assert not first.is_exact
    assert first.low <= value <= first.high
    assert all(pit.low <= pits[pit.pit] <= pit.high for pit in first.pits)


def test_a_ply_has_a_quarter_of_the_time_that_is_left_and_the_first_that_are_in_no_book_share_it(monkeypatch):
    ruleset = by_key("classic-6x4")
    plies = random_game(ruleset, 1)[:7]
    begins = [sowing.before for sowing in replay(ruleset, plies)]
    seconds = []

    class Timed(Engine):
        def knows(self, ruleset, position):
            return position in begins[:2]

        def solve(self, ruleset, position, budget, *, stop):
            seconds.append(budget.seconds)
            return known(0, 0)

    monkeypatch.setattr(reviewing.time, "monotonic", lambda: 0.0)  # no time passes
    list(review(Timed.__new__(Timed), ruleset, plies, seconds=12))
    assert seconds == [3, 3, 4, 6, 12, 12, 12]


def test_who_ends_it_is_told_no_more(plain):
    ruleset, stop = by_key("classic-2x2"), Stop()
    told = []
    for ply, _ in review(plain, ruleset, random_game(ruleset, 1), stop=stop):
        told.append(ply)
        stop.set()
    assert len(told) == 1


def test_what_is_known_is_not_looked_into_again(plain):
    ruleset = by_key("classic-2x2")
    plies = random_game(ruleset, 1)
    told = [ply for ply, _ in review(plain, ruleset, plies, known={0, len(plies) - 1})]
    assert told == list(reversed(range(1, len(plies) - 1)))


@pytest.mark.parametrize("name", NAMES)
def test_a_best_line_leads_to_the_value_of_where_it_begins(engine, name):
    ruleset = by_key(f"{name}-3x3")
    position = ruleset.start()
    value = engine.solve(ruleset, position).low
    line = best_line(engine, ruleset, position, seconds=20)
    south, north = ruleset.outcome(transcript.position(ruleset, line)).score
    assert south - north == value


def test_a_best_line_goes_no_further_than_is_proved(plain):
    ruleset = by_key("classic-6x6")
    assert best_line(plain, ruleset, ruleset.start(), seconds=0) == ""


def test_swapping_sides_is_a_ply_from_a_position_that_stays(plain):
    """South sows a, the players swap, and who sits North now sows e from 0,3,3,0/2,2,2,0 N."""
    told = dict(review(plain, by_key("classic-3x2+pie"), "ahe"))
    assert sorted(told) == [0, 1, 2]
    assert told[1].pits == told[2].pits
    assert next(pit.low for pit in told[0].pits if pit.pit == 0) == -told[1].low


@pytest.mark.parametrize(
    ("findings", "pit", "expected"),
    [
        (known(6, 6, (0, 6, 6), (2, -4, -4)), 0, (0, 0)),
        (known(6, 6, (0, 6, 6), (2, -4, -4)), 2, (5, 5)),
        (known(2, 8, (0, 2, 8), (2, -4, 0)), 2, (1, 6)),
        (known(2, 8, (0, 2, 8), (2, -4, 4)), 0, (0, 3)),
    ],
)
def test_a_loss_is_half_of_what_the_best_pit_is_worth_beyond_the_one_that_was_sown(findings, pit, expected):
    assert loss(findings, pit) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [((6, 6), (0, 0)), ((-6, -6), (6, 6)), ((-6, -2), (2, 6)), ((-2, 4), (0, 3))]
)
def test_who_sows_where_swapping_was_better_loses_what_that_would_have_brought(value, expected):
    """The only pit is worth as much as the position, which swapped is worth as much to the other."""
    low, high = value
    assert loss(known(low, high, (7, low, high)), 7, may_swap=True) == expected


@pytest.mark.parametrize(("value", "expected"), [(-6, 0), (0, 0), (6, 6)])
def test_swapping_loses_what_the_side_that_is_left_is_worth(value, expected):
    """The store of North is 13; its side is worth `value`, the other one as much less."""
    assert loss(known(value, value, (7, value, value)), 13) == (expected, expected)


def test_nobody_is_measured_by_plies_without_a_choice():
    assert accuracy([]) is None
    assert accuracy([0, 0, 6]) == pytest.approx((100 + 100 + 12.5) / 3)


def test_the_examples_are_true():
    assert doctest.testmod(reviewing).failed == 0
