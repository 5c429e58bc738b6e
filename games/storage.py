"""The database executor: one synchronous function per action, on a few threads of its own with kept connections.

Channels runs every ORM call of a process on one shared thread and opens a connection for each; a slow query would
stall every socket. Views keep to Django's own threads.

On SQLite, which has one writer at a time anyway, what waits to be written is written in one transaction.
"""

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import (
    Error as DatabaseError,
    OperationalError,
    close_old_connections,
    connections,
    transaction,
)

Args = ParamSpec("Args")
Answer = TypeVar("Answer")

_ENGINE: str = settings.DATABASES["default"]["ENGINE"]
_SQLITE = _ENGINE.endswith("sqlite3")
_AT_ONCE = 100  # actions in one transaction

_log = logging.getLogger(__name__)


def _keep_connection() -> None:
    """This thread's SQLite connection stays open; PostgreSQL's come from a pool."""
    if _SQLITE:
        connection = connections["default"]
        connection.settings_dict = {**connection.settings_dict, "CONN_MAX_AGE": None}


_threads = ThreadPoolExecutor(1 if _SQLITE else 4, thread_name_prefix="database", initializer=_keep_connection)


async def run(action: Callable[Args, Answer], *args: Args.args, **kwargs: Args.kwargs) -> Answer:
    """What `action` answers, run on a database thread. Its exceptions come out here."""

    def work() -> Answer:
        close_old_connections()  # a broken one
        try:
            return action(*args, **kwargs)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_threads, work)


async def write(action: Callable[Args, Answer], *args: Args.args, **kwargs: Args.kwargs) -> Answer:
    """The same for an action that writes: it is committed by the time this returns, maybe together with others."""
    if not _SQLITE:
        return await run(action, *args, **kwargs)
    job = _Job(partial(action, *args, **kwargs), asyncio.get_running_loop().create_future())
    _waiting.put(job)
    answer: Answer = await job.future
    return answer


class _Job:
    """An action that waits to be run, and whoever waits for it."""

    __slots__ = ("action", "answer", "error", "future")

    def __init__(self, action: Callable[[], Any], future: asyncio.Future[Any]) -> None:
        self.action = action
        self.future = future
        self.answer: Any = None
        self.error: Exception | None = None

    def run(self) -> None:
        """Keep the answer, or an exception that is the action's own; raises only what the database has to say."""
        self.error = None
        try:
            self.answer = self.action()
        except DatabaseError:
            raise
        except Exception as error:  # noqa: BLE001  whoever waits is told
            self.error = error

    def tell(self) -> None:
        """Wake who waits, on their loop."""
        if self.future.done():  # it has been cancelled
            return
        if self.error:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer)


class _Waiting:
    """What waits to be written, in order, and whether the thread will look at it without being told again."""

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._is_seen = False

    def put(self, job: _Job) -> None:
        """From any thread."""
        self._jobs.append(job)
        self._have_it_seen()

    def take(self) -> list[_Job]:
        """What comes next; on the database's thread only."""
        self._is_seen = False  # first: whatever comes from now on may be missed below
        jobs = [self._jobs.popleft() for _ in range(min(len(self._jobs), _AT_ONCE))]
        if self._jobs:
            self._have_it_seen()
        return jobs

    def _have_it_seen(self) -> None:
        if not self._is_seen:
            self._is_seen = True
            _threads.submit(_write_waiting)


_waiting = _Waiting()


def _write_waiting() -> None:
    """Run what waits in one transaction."""
    jobs = _waiting.take()
    if not jobs:
        return
    close_old_connections()
    try:
        _write(jobs)
    finally:
        close_old_connections()
    for loop, theirs in itertools.groupby(jobs, lambda job: job.future.get_loop()):
        try:
            loop.call_soon_threadsafe(_tell, list(theirs))
        except RuntimeError:  # the loop has ended, and nobody waits any more
            _log.debug("nobody heard what became of an action")


def _write(jobs: Sequence[_Job]) -> None:
    """All together; if the database does not take one of them, each for itself."""
    begun = False
    try:
        with transaction.atomic():
            begun = True
            for job in jobs:
                job.run()
    except DatabaseError as error:
        if not begun:  # it is locked, or away
            _fail(jobs, error)
        else:
            _write_one_by_one(jobs)


def _write_one_by_one(jobs: Sequence[_Job]) -> None:
    for nth, job in enumerate(jobs):
        try:
            job.run()
        except OperationalError as error:  # the others would only wait for the same
            _fail(jobs[nth:], error)
            return
        except DatabaseError as error:
            job.error = error


def _fail(jobs: Sequence[_Job], error: DatabaseError) -> None:
    for job in jobs:
        job.error = error


def _tell(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        job.tell()
