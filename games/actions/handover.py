"""Who goes on on another device: a link that is good once, and not for long. Kept in the cache, never in a row.

The link's secret is known to whoever has the link. The cache holds only a hash of it, with the guest to become.
"""

import hashlib
import re
import secrets
import uuid

from django.core.cache import cache

from games.players import Guest

GOOD_MINUTES = 10
"""How long a link waits to be used."""

_SECRET_BYTES = 18
_SECRET = re.compile(r"[A-Za-z0-9_-]{24}")


class NoHandover(Exception):
    """There is no such link. `is_past`: there may have been; it was used, or its time is up."""

    def __init__(self, *, is_past: bool) -> None:
        super().__init__(is_past)
        self.is_past = is_past


def hand_over(guest: Guest) -> str:
    """The secret of a new link with which another browser becomes `guest`."""
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    cache.set(_key(secret), (str(guest.id), guest.name), GOOD_MINUTES * 60)
    return secret


def handed_over(secret: str) -> Guest:
    """Whom a link leads to. Asking does not use it up.

    Raises:
        NoHandover: used, too old, or never made.
    """
    if not _SECRET.fullmatch(secret):
        raise NoHandover(is_past=False)
    kept = cache.get(_key(secret))
    if kept is None:
        raise NoHandover(is_past=True)
    identity, name = kept
    return Guest(uuid.UUID(identity), name)


def take_over(secret: str) -> Guest:
    """Use a link up: of two who ask in the same moment one is given the guest.

    Raises:
        NoHandover: as `handed_over`.
    """
    guest = handed_over(secret)
    if not cache.delete(_key(secret)):
        raise NoHandover(is_past=True)
    return guest


def _key(secret: str) -> str:
    return f"handover.{hashlib.sha256(secret.encode()).hexdigest()}"
