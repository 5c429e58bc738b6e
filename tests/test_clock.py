"""Clocks: what each side has left, worked out by hand from moments."""

import pytest

from games import clock
from games.clock import Clock, by_key
from games.rules.position import Side

S, N = Side.SOUTH, Side.NORTH
BLITZ = by_key("3+2")  # 180,000 ms and 2,000 more a turn
TURNS = by_key("30s")


def running(side=S, *, south=180_000, north=180_000, since=0, control=BLITZ):
    return Clock(control, south, north, side, since)


@pytest.mark.parametrize("key", ["1+1", "30+20", "5+0", "15s", "999s"])
def test_a_control_is_known_by_its_key(key):
    assert by_key(key).key == key


@pytest.mark.parametrize(
    "key", ["", "0+1", "5", "5+", "+3", "100+1", "5+100", "5+03", "0s", "s", "5+3s", " 5+3", "1٣+2", "1+٥", "1٥s"]
)
def test_anything_else_is_no_control(key):
    with pytest.raises(clock.UnknownControl):
        by_key(key)


def test_a_game_begins_with_the_same_for_both_and_a_grace_in_which_nothing_runs():
    begun = clock.start(BLITZ, 1_000_000)
    assert (begun.south, begun.north, begun.running) == (180_000, 180_000, S)
    assert begun.since == 1_030_000
    assert begun.deadline == 1_030_000 + 180_000 + 500
    assert begun.press(1_020_000).south == 182_000  # within the grace: nothing but the increment


def test_a_turn_costs_its_time_but_for_the_credit_and_brings_the_increment():
    pressed = running().press(10_000)
    assert (pressed.south, pressed.north) == (180_000 - 9_500 + 2_000, 180_000)
    assert (pressed.running, pressed.since) == (N, 10_000)


def test_a_turn_shorter_than_the_credit_costs_nothing():
    assert running().press(500).south == 182_000


def test_the_first_turn_of_the_second_side_has_its_grace_too():
    assert running().press(10_000, is_first=True).since == 40_000


def test_time_for_every_turn_is_whole_again_whatever_the_turn_took():
    pressed = running(control=TURNS, south=30_000, north=30_000).press(29_000)
    assert (pressed.south, pressed.north, pressed.running) == (30_000, 30_000, N)


def test_a_flag_falls_when_time_and_credit_are_over_and_not_before():
    time = running(south=60_000, since=1_000)
    assert time.deadline == 61_500
    assert not time.has_fallen(61_499)
    assert time.has_fallen(61_500)


def test_what_is_shown_falls_from_the_begin_of_the_turn_to_nothing_and_only_for_who_is_to_move():
    time = running(since=30_000)
    assert [time.shown(S, now) for now in (0, 30_000, 42_500, 250_000)] == [180_000, 180_000, 167_500, 0]
    assert time.shown(N, 42_500) == 180_000


def test_what_left_in_time_is_in_time():
    """B48: 0.8 s left, 0.3 s on the way, and 0.6 s more in a tab that was throttled: within the credit."""
    time = running(south=800)
    assert not time.has_fallen(800 + 400)
    assert time.press(1_200).south == 800 - 700 + 2_000


def test_a_clock_that_is_stopped_keeps_what_is_left_and_never_less_than_nothing():
    assert running().stop(10_500) == Clock(BLITZ, 170_000, 180_000, None, 0)
    assert running(south=1_000).stop(99_000).south == 0
    stopped = running().stop(10_500)
    assert stopped.deadline is None
    assert not stopped.has_fallen(10**15)
    assert stopped.stop(20_000) == stopped == stopped.press(20_000)


@pytest.mark.parametrize(
    ("since", "begin", "end", "later"),
    [
        pytest.param(1_000, 5_000, 25_000, 21_000, id="the turn had begun: all of it is given back"),
        pytest.param(
            10_000, 5_000, 25_000, 25_000, id="the clock was to begin to run in between: it begins afterwards"
        ),
        pytest.param(30_000, 5_000, 25_000, 30_000, id="it was to begin later: nothing was lost"),
    ],
)
def test_time_in_which_nobody_could_move_is_charged_to_nobody(since, begin, end, later):
    assert running(since=since).without(begin, end).since == later


def test_players_who_change_seats_take_their_time_along():
    assert running(S, south=100, north=200).exchanged() == running(N, south=200, north=100)
    assert running().stop(0).exchanged().running is None
