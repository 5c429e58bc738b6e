"""This thread's connection, and statements that are written out. Never what they say.

Both are as Django has them, at a fraction of the time: its cursor and its search for the connection cost a move several
times what the database does.
"""

import asyncio
import functools
import logging
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, ParamSpec, Protocol

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

IS_SQLITE: bool = settings.DATABASES[DEFAULT_DB_ALIAS]["ENGINE"].endswith("sqlite3")

Args = ParamSpec("Args")

_kept = threading.local()
_log = logging.getLogger(__name__)


class Writer(Protocol):
    """What takes statements, each value with its `%s`: this module for the connection of a thread, or a `Ledger`."""

    def first(self, statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
        """The first row that a statement finds."""

    def change(self, statement: str, values: Sequence[Any]) -> int:
        """How many rows a statement changed."""


def connection() -> Any:
    """The connection that `django.db.connection` stands for on this thread."""
    try:
        return _kept.connection
    except AttributeError:
        _kept.connection = connections[DEFAULT_DB_ALIAS]
        return _kept.connection


def let_go() -> None:
    """Hold no connection while something takes long; the next statement has one again. Not within a transaction."""
    if not connection().in_atomic_block:
        connection().close()


def after_commit(work: Callable[Args, object], *args: Args.args, **kwargs: Args.kwargs) -> None:
    """Run `work` once the transaction is committed, or now if there is none. Its exceptions are logged."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        connection().on_commit(functools.partial(work, *args, **kwargs), robust=True)
        return
    try:  # no transaction is ever open between two turns of a loop
        work(*args, **kwargs)
    except Exception:  # noqa: BLE001  what is committed stays so, and the next is told
        _log.exception("what follows a commit failed")


def first(statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    """The first row that a statement finds; every value has its `%s` there. Raises django.db.Error."""
    row: tuple[Any, ...] | None = _executed(statement, values, lambda cursor: cursor.fetchone())
    return row


def change(statement: str, values: Sequence[Any]) -> int:
    """How many rows a statement changed. Raises django.db.Error."""
    count: int = _executed(statement, values, lambda cursor: cursor.rowcount)
    return count


def _executed(statement: str, values: Sequence[Any], take: Callable[[Any], Any]) -> Any:
    database = connection()
    database.ensure_connection()
    with database.wrap_database_errors:
        return take(database.connection.execute(adapted(statement), values))


@functools.lru_cache(1)  # many are written in the same ms
def instant(now: int) -> datetime:
    """A moment in ms since 1970 as columns of dates have it."""
    return datetime.fromtimestamp(now / 1000, UTC)


@functools.lru_cache(1)
def stored(moment: datetime) -> str | datetime:
    """What the driver wants of a moment in UTC."""
    return moment.replace(tzinfo=None).isoformat(" ") if IS_SQLITE else moment


@functools.cache  # there are few
def adapted(statement: str) -> str:
    """A statement as the driver of the database wants it."""
    return statement.replace("%s", "?") if IS_SQLITE else statement
