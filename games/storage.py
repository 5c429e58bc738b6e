"""The database executor: one synchronous function per action, on a few threads of its own with kept connections.

Channels runs every ORM call of a process on one shared thread and opens a connection for each; a slow query would
stall every socket. Views keep to Django's own threads.

On SQLite, which has one writer at a time anyway, what waits to be written is written in one transaction; and what is
worked out to the last value is written on the loop of the sockets itself, if SQLite takes it at once.
"""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import Any, ParamSpec, Protocol, TypeVar
from weakref import WeakKeyDictionary, finalize

from django.db import (
    Error as DatabaseError,
    OperationalError,
    close_old_connections,
    connections,
    transaction,
)

from games.database import IS_SQLITE, Writer, adapted

Args = ParamSpec("Args")
Answer = TypeVar("Answer")

_AT_ONCE = 100  # actions in one transaction
_TRIES = 5  # of a loop to write, while somebody else does
_AGAIN_SECONDS = 0.001
_CHECKPOINT = 500  # commits of a loop, after which what they left in the log is taken over into the database

_log = logging.getLogger(__name__)


def _keep_connection() -> None:
    """This thread's SQLite connection stays open; PostgreSQL's come from a pool."""
    if IS_SQLITE:
        connection = connections["default"]
        connection.settings_dict = {**connection.settings_dict, "CONN_MAX_AGE": None}


_threads = ThreadPoolExecutor(1 if IS_SQLITE else 4, thread_name_prefix="database", initializer=_keep_connection)


def resolve(future: asyncio.Future[Answer], answer: Answer | Exception) -> None:
    """Tell who waits, unless nobody does any more."""
    if future.done():  # it has been cancelled
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)


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
    if not IS_SQLITE:
        return await run(action, *args, **kwargs)
    loop = asyncio.get_running_loop()
    job = _Job(partial(action, *args, **kwargs), loop.create_future())
    _waiting.put(job)
    answer: Answer = await job.future
    if loop not in _ledgers:  # what follows is written without a thread, where that can be
        with suppress(DatabaseError):
            _ledgers.setdefault(loop, await run(Ledger))
    return answer


class Entry(Protocol):
    """Something that is worked out to the last value, and only has to be written."""

    def record(self, by: Writer) -> bool:
        """Write it within a transaction; False, and nothing is written, if somebody else was quicker."""

    def tell(self) -> None:
        """Called once it is committed."""

    def write(self) -> bool:
        """Both on a database thread."""


Done = Callable[[bool | Exception], None]
"""Is told whether an entry was written, once it is committed and told, or why that cannot be said."""


async def record(entry: Entry) -> bool:
    """Whether `entry` was written; it is committed by the time this returns, maybe together with others."""
    if not IS_SQLITE:
        return await run(entry.write)
    loop = asyncio.get_running_loop()
    if there := _ledgers.get(loop):
        future: asyncio.Future[bool] = loop.create_future()
        there.record(entry, partial(resolve, future))
        return await future
    return await write(entry.write)


def ledger() -> "Ledger | None":
    """What writes on the running loop, without a thread, once a thread has written; on PostgreSQL there is none."""
    return _ledgers.get(asyncio.get_running_loop())


class Ledger:
    """Writes without a thread, which would cost a move more time than the database does. Belongs to one event loop.

    Nobody waits here: what SQLite does not take at once, because somebody else is writing, is tried a few times more.
    What it does not take then, or for any other reason, goes to the database's thread.
    """

    def __init__(self) -> None:
        self._owner = connections.create_connection("default")  # made on a database thread, as Django demands
        self._owner.ensure_connection()
        self._database = self._owner.connection
        finalize(self, self._database.close)  # when its loop is gone: Python 3.13 complains of what is left open
        self._database.execute("PRAGMA busy_timeout=0")
        self._database.execute("PRAGMA wal_autocheckpoint=0")  # it waits for the disk, which the thread may do
        self._waiting: list[tuple[Entry, Done]] = []
        self._tries = 0
        self._commits = 0

    def record(self, entry: Entry, done: Done) -> None:
        """Write at the end of this turn of the loop, together with all that comes until then."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self._waiting.append((entry, done))

    async def settled(self) -> None:
        """Return when what waits to be written is."""
        if not self._waiting:
            return
        entry, done = self._waiting[-1]
        settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def go_on(answer: bool | Exception) -> None:
            done(answer)
            if not settled.done():
                settled.set_result(None)

        self._waiting[-1] = entry, go_on
        await settled

    def first(self, statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
        """The first row that a statement finds; for entries."""
        row: tuple[Any, ...] | None = self._database.execute(adapted(statement), values).fetchone()
        return row

    def change(self, statement: str, values: Sequence[Any]) -> int:
        """How many rows a statement changed; for entries."""
        count: int = self._database.execute(adapted(statement), values).rowcount
        return count

    def _write(self) -> None:
        self._tries += 1
        if not self._begins() and self._tries < _TRIES:
            asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._write)
            return
        self._tries = 0
        waiting, self._waiting = self._waiting, []
        answers = self._recorded([entry for entry, _ in waiting])
        if answers is None:
            self._hand_over(waiting)
            return
        for (entry, done), answer in zip(waiting, answers, strict=True):
            try:
                if answer:
                    entry.tell()
            except Exception as error:  # noqa: BLE001  whoever waits is told
                done(error)
            else:
                done(answer)
        self._commits += 1
        if self._commits % _CHECKPOINT == 0:
            _threads.submit(_check_point)

    def _begins(self) -> bool:
        with suppress(sqlite3.Error):
            self._database.execute("BEGIN IMMEDIATE")
        begun: bool = self._database.in_transaction
        return begun

    def _recorded(self, entries: Sequence[Entry]) -> list[bool] | None:
        """Of each whether it was written; None: nothing is."""
        if not self._database.in_transaction:
            return None
        try:
            answers = [entry.record(self) for entry in entries]
            self._database.execute("COMMIT")
        except Exception:  # noqa: BLE001  what is no matter of the moment the thread meets again, and says
            return None
        return answers

    def _hand_over(self, waiting: list[tuple[Entry, Done]]) -> None:
        if self._database.in_transaction:
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
        for entry, done in waiting:
            job = _Job(entry.write, asyncio.get_running_loop().create_future())
            job.future.add_done_callback(partial(_pass_on, done))
            _waiting.put(job)


def _pass_on(done: Done, future: asyncio.Future[bool]) -> None:
    error: Any = future.exception()
    done(error or future.result())


_ledgers: WeakKeyDictionary[asyncio.AbstractEventLoop, Ledger] = WeakKeyDictionary()


def _check_point() -> None:
    with suppress(DatabaseError), connections["default"].cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")


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
        resolve(self.future, self.error or self.answer)


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
    for loop, theirs in groupby(jobs, lambda job: job.future.get_loop()):
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
