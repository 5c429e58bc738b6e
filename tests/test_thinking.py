"""The threads that think: the short first, the long never on all of them, and whoever asked is told."""

import threading
from dataclasses import replace
from functools import partial

import pytest

from games import thinking
from games.engine.compiled import PLAIN
from games.thinking import Thinkers
from tests.patience import PATIENCE_S


class Thought:
    """Something to think about until it is told to end."""

    def __init__(self, name, done):
        self.name, self.done = name, done
        self.begun, self.end = threading.Event(), threading.Event()

    def __call__(self):
        self.begun.set()
        assert self.end.wait(PATIENCE_S)
        self.done.append(self.name)
        return self.name


@pytest.fixture
def thought():
    return partial(Thought, done=[])


def test_whoever_asked_is_told_what_came_of_it():
    thinkers = Thinkers(1)
    assert thinkers.soon(lambda: 7).result(30) == 7
    with pytest.raises(ZeroDivisionError):
        thinkers.soon(lambda: 1 / 0).result(30)
    assert thinkers.in_peace(lambda: 8).result(30) == 8


def test_the_last_core_is_kept_for_what_is_short(thought):
    thinkers = Thinkers(2)
    first, second, short = thought("first"), thought("second"), thought("short")
    asked = [thinkers.in_peace(first), thinkers.in_peace(second)]
    assert first.begun.wait(PATIENCE_S)
    reply = thinkers.soon(short)
    assert short.begun.wait(PATIENCE_S)
    assert not second.begun.is_set()
    short.end.set()
    assert reply.result(30) == "short"
    first.end.set()
    assert second.begun.wait(PATIENCE_S)
    second.end.set()
    assert [future.result(30) for future in asked] == ["first", "second"]


def test_what_is_short_comes_before_what_is_long(thought):
    thinkers = Thinkers(1)
    now, long, short = thought("now"), thought("long"), thought("short")
    for each in (long, short):
        each.end.set()
    asked = [thinkers.soon(now), thinkers.in_peace(long), thinkers.soon(short)]
    assert now.begun.wait(PATIENCE_S)
    now.end.set()
    for future in asked:
        future.result(30)
    assert now.done == ["now", "short", "long"]


def test_on_one_core_the_long_gives_way():
    thinkers = Thinkers(1)
    asked, told = threading.Event(), []

    def long():
        assert asked.wait(PATIENCE_S)
        thinkers.give_way()
        told.append("long")

    thinking = thinkers.in_peace(long)
    reply = thinkers.soon(lambda: told.append("short"))
    asked.set()
    thinking.result(30)
    reply.result(30)
    assert told == ["short", "long"]


def test_who_would_wait_too_long_can_tell(thought):
    thinkers = Thinkers(1)
    first = thought("first")
    asked = [thinkers.soon(first)]
    assert first.begun.wait(PATIENCE_S)
    while not thinkers.is_busy:
        asked.append(thinkers.soon(int))
        assert len(asked) < 100
    first.end.set()
    for future in asked:
        future.result(30)
    assert not thinkers.is_busy


def test_the_more_wait_the_less_each_thinks(thought):
    thinkers = Thinkers(1)
    assert thinkers.share(2.0) == 2.0
    first = thought("first")
    asked = [thinkers.soon(first)]
    assert first.begun.wait(PATIENCE_S)
    asked += [thinkers.soon(int) for _ in range(3)]
    assert thinkers.share(2.0) == 0.5
    first.end.set()
    for future in asked:
        future.result(30)


def test_who_thinks_goes_behind_those_that_serve_once_they_need_not_wait(plain_engine, monkeypatch):
    steps = []
    monkeypatch.setattr(thinking, "step_back", lambda: steps.append(1))
    assert thinking.courteous() is plain_engine
    assert steps == []
    plain_engine.use(replace(PLAIN, name="another"))
    assert thinking.courteous() is plain_engine
    assert steps == [1]
