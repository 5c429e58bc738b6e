"""How often somebody may speak. Counted in the cache, so that no other tab, process or reload begins anew."""

import logging
import uuid

from django.core.cache import cache

MOST = 5
SECONDS = 15
"""So many reactions in so many seconds, by one person in one room."""

LINES = 8
LINES_SECONDS = 20
"""So many lines written in so many seconds; switching on counts as one."""

_log = logging.getLogger(__name__)


def may_react(code: str, player: uuid.UUID) -> bool:
    """Count one more reaction of `player` in a room. Blocks on the cache; while that fails nobody is held back."""
    return _count(f"reactions.{code}.{player}", SECONDS) <= MOST


def may_write(code: str, player: str) -> bool:
    """Count one more line of `player` in a room, as `may_react` counts reactions."""
    return _count(f"lines.{code}.{player}", LINES_SECONDS) <= LINES


def _count(key: str, seconds: int) -> int:
    """How many there were within `seconds` of the first, this one too; 0 when that cannot be told."""
    try:
        cache.add(key, 0, seconds)
        return cache.incr(key)
    except ValueError:  # it ran out in between
        return 0
    except Exception as error:  # whatever the cache is, a friendly word is not worth a fault
        _log.warning("%s not counted: %r", key, error)
        return 0
