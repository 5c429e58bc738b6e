"""How a search goes on and ends: by depth, by nodes, by time, by somebody else."""

import threading

import pytest

from games.engine.engine import Budget
from games.engine.kernel import FOREVER
from games.engine.search import Stop
from games.rules.position import Position
from games.rules.ruleset import by_key

CLASSIC = by_key("classic-6x4")
LONG = Position.parse("5,0,5,5,5,5,1/4,4,4,5,5,4,0 N")
"""Takes a plain search minutes."""


def test_findings_come_after_each_depth(plain):
    depths = [findings.depth for findings in plain.study(CLASSIC, LONG, Budget(depth=5))]
    assert depths == [2, 4, 5]


def test_what_is_looked_at_a_few_sowings_deep_is_not_proved(plain):
    findings = plain.solve(CLASSIC, LONG, Budget(depth=3))
    assert not findings.is_exact
    assert findings.low < findings.high


def test_a_short_game_is_over_before_the_depth_is_reached(plain):
    position = Position.parse("0,0,0,0,0,1,20/0,0,0,0,0,1,26 S")
    (findings,) = plain.study(CLASSIC, position, Budget(depth=8))
    assert findings.is_exact
    assert [(pit.pit, pit.low) for pit in findings.pits] == [(5, 21 - 27)]


def test_values_are_told_pit_by_pit_once_the_end_is_looked_for(plain):
    position = Position.parse("3,0,2,1,2,0,16/2,1,2,0,3,0,16 S")
    last = [findings for findings in plain.study(CLASSIC, position) if findings.depth == FOREVER]
    exact = [sum(pit.is_exact for pit in findings.pits) for findings in last]
    assert exact == sorted(exact)
    assert exact[-1] == 4


def test_nodes_are_the_bound(plain):
    assert plain.solve(CLASSIC, LONG, Budget(nodes=500)).nodes <= 501


@pytest.mark.timeout(60)
def test_time_is_the_bound(plain):
    findings = plain.solve(CLASSIC, LONG, Budget(seconds=0.05))
    assert not findings.is_exact


@pytest.mark.timeout(60)
def test_another_thread_ends_a_search_and_those_to_come(plain):
    stop, begun = Stop(), threading.Event()
    found = []

    def search() -> None:
        for findings in plain.study(CLASSIC, LONG, stop=stop):
            found.append(findings)
            begun.set()

    thread = threading.Thread(target=search)
    thread.start()
    begun.wait()
    stop.set()
    thread.join()
    assert not found[-1].is_exact
    assert not plain.solve(CLASSIC, LONG, stop=stop).is_exact


def test_a_search_that_nobody_asks_further_leaves_no_clock_behind(plain):
    before = threading.active_count()
    study = plain.study(CLASSIC, LONG, Budget(seconds=1000))
    next(study)
    study.close()
    left = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    for timer in left:
        timer.join()
    assert threading.active_count() <= before
