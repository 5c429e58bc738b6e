"""The database executor: one synchronous function per action, on a few threads of its own with kept connections.

Channels runs every ORM call of a process on one shared thread and opens a connection for each; a slow query would
stall every socket. Views keep to Django's own threads.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections, connections

Args = ParamSpec("Args")
Answer = TypeVar("Answer")

_ENGINE: str = settings.DATABASES["default"]["ENGINE"]
_SQLITE = _ENGINE.endswith("sqlite3")


def _keep_connection() -> None:
    """This thread's SQLite connection stays open; PostgreSQL's come from a pool."""
    if _SQLITE:
        connection = connections["default"]
        connection.settings_dict = {**connection.settings_dict, "CONN_MAX_AGE": None}


# SQLite has one writer at a time anyway.
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
