"""Who is asking. The only user of session keys. Never writes a row.

A browser is given an identity (a UUID) and a suggested name at its first page; both live inside the session's data,
never in its key, which rotates. A row is written by `actions` only when the guest sits down or chooses a name, so a
double click that sits down twice is still one person, and spectators and link previews leave no rows behind.
"""

import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils import timezone

from games import names
from games.models import Player

_IDENTITY = "player"
_SUGGESTED = "name"
_DAY = "day"

RENEWAL_DAYS = 30
"""A session is signed anew after so many days, so that whoever comes back within its age never loses a seat."""


@dataclass(frozen=True, slots=True)
class Guest:
    """The person behind a browser: who they are and what they are called."""

    id: uuid.UUID
    name: str


class _Asking(Protocol):
    """What of a request matters here."""

    session: Any


def guest(request: _Asking) -> Guest:
    """Who sends an HTTP request; a new browser is given an identity and a name. Costs one query once known."""
    session = request.session
    today = timezone.now().date().toordinal()
    if today - session.get(_DAY, 0) >= RENEWAL_DAYS:
        session[_DAY] = today
    known = _identity(session)
    if known is None:
        known = uuid.uuid4()
        session[_IDENTITY] = str(known)
        session[_SUGGESTED] = names.suggest(random.SystemRandom())
        return Guest(known, session[_SUGGESTED])
    return Guest(known, _name(known, session))


def become(request: _Asking, guest: Guest) -> None:
    """From now on this browser is `guest`, as another one is already."""
    request.session[_IDENTITY] = str(guest.id)
    request.session[_SUGGESTED] = guest.name


def known(request: _Asking) -> uuid.UUID | None:
    """Who sends an HTTP request; None for a new browser, which is given nothing yet. No query."""
    return _identity(request.session)


def identity(scope: Mapping[str, Any]) -> uuid.UUID | None:
    """Who opened a websocket; None for a browser that never saw a page of ours. Never writes the session."""
    return _identity(scope["session"])


def name(scope: Mapping[str, Any]) -> str | None:
    """What who opened a websocket is called; None for a browser without an identity. One query, for that one none."""
    known = identity(scope)
    return _name(known, scope["session"]) if known else None


def _name(known: uuid.UUID, session: Any) -> str:
    """The name in the guest's row, else the one suggested."""
    return Player.objects.name_of(known) or session.get(_SUGGESTED) or names.suggest(random.Random(known.int))  # noqa: S311  not a secret


def _identity(session: Any) -> uuid.UUID | None:
    try:
        return uuid.UUID(session.get(_IDENTITY))
    except (TypeError, ValueError, AttributeError):
        return None
