"""How a line of the log is written for programs. Says who and where by their ids, never by name or address."""

import json
import logging
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
