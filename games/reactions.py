"""How often somebody may react. Counted in the cache, so that no other tab, process or reload begins anew."""

import logging
import uuid

from django.core.cache import cache

MOST = 5
SECONDS = 15
"""So many reactions in so many seconds, by one person in one room."""

_log = logging.getLogger(__name__)


def may_react(code: str, player: uuid.UUID) -> bool:
    """Count one more reaction of `player` in a room. Blocks on the cache; while that fails nobody is held back."""
    key = f"reactions.{code}.{player}"
    try:
        cache.add(key, 0, SECONDS)
        return cache.incr(key) <= MOST
    except ValueError:  # it ran out in between
        return True
    except Exception as error:  # whatever the cache is, a friendly word is not worth a fault
        _log.warning("reactions in room %s not counted: %r", code, error)
        return True
