"""SQLite's file, which a process never takes for another. Knows nothing of what is in it."""

import sqlite3
from pathlib import Path
from typing import Any

_files: dict[str, tuple[int, int] | None] = {}
"""What was found at each path when this process opened it first."""


class SameFileConnection(sqlite3.Connection):
    """A connection to the file that this process began with.

    If that was moved away, SQLite would put an empty one in its place, which takes over the log beside it: all that was
    committed and is not yet in the file itself would be lost.
    """

    def __init__(self, database: str, *args: Any, **options: Any) -> None:
        if database in _files and _files[database] != _file(database):
            raise sqlite3.OperationalError(f"{database} is not there any more, or another file")
        super().__init__(database, *args, **options)
        _files.setdefault(database, _file(database))


def _file(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
