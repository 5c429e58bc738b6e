"""What servers do by themselves, and what they do when they start."""

import time

import pytest
from django.core.management import call_command
from django.db import DatabaseError

from games import actions, bots, snapshot
from games.management.commands import sweep
from games.models import Game
from tests import rooms
from tests.rooms import begin

pytestmark = pytest.mark.django_db(transaction=True)  # a sweeper closes connections as it pleases

alice, bob, hands = rooms.alice, rooms.bob, rooms.hands


class Enough(Exception):
    """The sweeper has swept as often as the test wants."""


@pytest.fixture
def rounds(monkeypatch):
    """Let the sweeper go its round so many times, with something happening after each."""

    def sweep_on(*happenings):
        left = iter(happenings)

        def rest(seconds):
            happening = next(left, None)
            if happening is None:
                raise Enough
            happening()

        monkeypatch.setattr(time, "sleep", rest)
        with pytest.raises(Enough):
            call_command("sweep")

    return sweep_on


def test_a_server_that_starts_makes_up_for_the_time_without_any_before_it_judges(alice, bob, hands):
    code = begin(alice, bob, control="1+1")
    hands.pass_by(seconds=31)
    actions.beat(hands.now)
    hands.pass_by(seconds=600)
    call_command("sweep", "--once")
    assert snapshot.read(code).clock.since == hands.now - 1_000
    assert snapshot.read(code).status == "playing"


def test_flags_fall_at_the_next_round_and_the_pulse_goes_on_while_clocks_run(alice, bob, hands, rounds):
    code = begin(alice, bob, control="1+1")
    pulses = []

    def later():
        pulses.append(list(actions.clocks.Pulse.objects.values_list("at", flat=True)))
        hands.pass_by(seconds=91)

    rounds(later, later)
    assert snapshot.read(code).outcome.ending == "timed_out"
    assert pulses == [[1_800_000_000_000], [1_800_000_000_000]]  # no clock ran at the second round


@pytest.mark.parametrize("fault", [DatabaseError("locked"), ZeroDivisionError("ours")])
def test_after_a_fault_it_goes_its_round_again(db, monkeypatch, rounds, caplog, fault):
    answers = iter([fault, False])

    def fall_flags(now):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(actions, "fall_flags", fall_flags)
    rounds(lambda: None)
    assert "not swept" in caplog.text
    assert next(answers, None) is None


def test_computers_that_are_due_are_looked_for(db, monkeypatch, rounds):
    looks = []
    monkeypatch.setattr(sweep, "_THINK_EVERY_S", 0)
    monkeypatch.setattr(bots, "sweep", lambda: looks.append(len(looks)))
    rounds(lambda: None)
    assert looks == [0, 1]


def test_what_is_idle_is_closed_by_itself(alice, bob, rounds):
    begin(alice, bob)
    Game.objects.update(moved_at=sweep.timezone.now() - sweep._UNMOVED - sweep._UNBEGUN)
    rounds()
    assert Game.objects.get().ending == "abandoned"


@pytest.mark.parametrize("seconds", [600, -600])
def test_a_server_whose_clock_is_set_judges_nobody_by_that(alice, bob, hands, rounds, seconds):
    code = begin(alice, bob, control="1+1")

    def some_play():
        hands.pass_by(seconds=31)

    rounds(some_play, lambda: hands.be_set(seconds=seconds), lambda: None)
    assert snapshot.read(code).status == "playing"
    assert snapshot.read(code).clock.since == hands.now - 1_000
