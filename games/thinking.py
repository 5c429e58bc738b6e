"""Having the engine think beside all else that a process does: one search a core. Not what is asked, nor for whom."""

import functools
import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from django.conf import settings
from django.db import Error as DatabaseError, close_old_connections

from games.engine.courtesy import step_back
from games.engine.engine import Engine
from games.engine.findings import Findings, PitValue
from games.engine.search import Budget
from games.rules.position import Position
from games.rules.ruleset import Ruleset

_SWITCH_S = 0.0005  # for so long a thread that thinks may run Python while one that serves waits; 5 ms by default
_AT_MOST_WAIT = 16
"""Short thoughts for each core: whoever comes then would wait for longer than anybody likes to."""

_log = logging.getLogger(__name__)

_T = TypeVar("_T")
_Thought = Callable[[], None]


@functools.cache
def engine() -> Engine:
    """The engine of this process, which is made quick in the background when it is first asked for."""
    thinker = Engine(settings.DATA_DIR / "engine", most_endings=settings.ENGINE_ENDINGS)
    thinker.start()
    return thinker


def courteous() -> Engine:
    """The engine, for a thread that goes behind those that serve from now on, unless they would wait for it."""
    thinker = engine()
    if thinker.is_compiled:
        step_back()
    return thinker


def solve(ruleset: Ruleset, position: Position, budget: Budget) -> Findings:
    """What the engine finds while nobody waits, and in a share of the time where others do; raises TooLarge."""
    return courteous().solve(ruleset, position, _shared(budget))


def best(ruleset: Ruleset, position: Position, budget: Budget) -> PitValue:
    """The best pit, in the same time; raises TooLarge, and ValueError if the game is over."""
    return courteous().best(ruleset, position, _shared(budget))


def _shared(budget: Budget) -> Budget:
    return budget if budget.seconds is None else replace(budget, seconds=thinkers().share(budget.seconds))


@contextmanager
def apart(what: str, room: str) -> Iterator[None]:
    """For a thread beside those that serve: its own connections, and whatever fails is logged, as `what`, and borne."""
    close_old_connections()
    try:
        yield
    except DatabaseError as error:  # somebody comes back to it
        _log.warning("%s: %r", what, error, extra={"room": room})
    except Exception:
        _log.exception(what, extra={"room": room})
    finally:
        close_old_connections()


class Thinkers:
    """Threads that think, one for each core. They end with the process, whatever they are thinking about."""

    def __init__(self, cores: int) -> None:
        sys.setswitchinterval(_SWITCH_S)
        self._cores = cores
        self._short: deque[_Thought] = deque()
        self._long: deque[_Thought] = deque()
        self._long_running = 0
        self._changed = threading.Condition()
        for number in range(cores):
            threading.Thread(target=self._run, name=f"thinker-{number}", daemon=True).start()

    @property
    def is_busy(self) -> bool:
        """Whether so much waits that nobody else should be asked to."""
        return len(self._short) >= _AT_MOST_WAIT * self._cores

    def share(self, seconds: float) -> float:
        """How many of so many seconds somebody may think who is at it: the more others wait, the fewer."""
        return seconds / (1 + len(self._short) / self._cores)

    def soon(self, thought: Callable[[], _T]) -> Future[_T]:
        """Think something for which somebody waits, a few seconds at most."""
        return self._put(self._short, thought)

    def in_peace(self, thought: Callable[[], _T]) -> Future[_T]:
        """Think something that takes long, when everything short is done; never on all cores, if there are several."""
        return self._put(self._long, thought)

    def give_way(self) -> None:
        """Let a long thought, which calls this now and then, be interrupted by the short ones that wait."""
        while self._short:
            try:
                thought = self._short.popleft()
            except IndexError:  # another thread was quicker
                return
            thought()

    def _put(self, queue: deque[_Thought], thought: Callable[[], _T]) -> Future[_T]:
        future: Future[_T] = Future()

        def run() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(thought())
                except BaseException as error:  # whoever asked is told
                    future.set_exception(error)

        with self._changed:
            queue.append(run)
            self._changed.notify()
        return future

    def _run(self) -> None:
        while True:
            thought, is_long = self._next()
            thought()
            if is_long:
                with self._changed:
                    self._long_running -= 1
                    self._changed.notify()

    def _next(self) -> tuple[_Thought, bool]:
        with self._changed:
            while True:
                if self._short:
                    return self._short.popleft(), False
                if self._long and self._long_running < max(1, self._cores - 1):
                    self._long_running += 1
                    return self._long.popleft(), True
                self._changed.wait()


@functools.cache
def thinkers() -> Thinkers:
    """Those of this process."""
    return Thinkers(os.cpu_count() or 1)
