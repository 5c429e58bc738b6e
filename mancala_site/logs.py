"""What a line of the log looks like, and how many of a kind are written. Who and where are said by ids, not names."""

import json
import logging
import threading
import time
from datetime import UTC, datetime

IDS = ("room", "player")
"""What a record may carry besides its words."""


class JsonLine(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `message`; `room` and `player` where known; `traceback`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name in IDS if (value := getattr(record, name, ""))},
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class FewOfAKind(logging.Filter):
    """Of the lines from one place in the code, by one kind of exception, `MOST` in `SECONDS`: a storm fills no disk.

    The next that passes says how many were left out. Nor does one line, whatever was asked for, go on for ever.
    """

    LONGEST = 1000
    MOST = 20
    SECONDS = 60.0

    def __init__(self) -> None:
        super().__init__()
        self._guard = threading.Lock()
        self._kinds: dict[tuple[object, ...], tuple[float, int]] = {}  # since when counted, how many

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        kind = record.pathname, record.lineno, record.exc_info and record.exc_info[0]
        now = time.monotonic()
        with self._guard:
            since, count = self._kinds.get(kind, (now, 0))
            left_out = 0
            if now - since >= self.SECONDS:
                left_out, since, count = max(0, count - self.MOST), now, 0
            self._kinds[kind] = since, count + 1
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like this were left out)", ()
        if len(words := record.getMessage()) > self.LONGEST:
            record.msg, record.args = f"{words[: self.LONGEST]} …", ()
        return count < self.MOST
