"""The session of a websocket, from its cookie: read and never written. What it says is the product's to know.

Whoever lost a websocket comes back with the same cookie, and checking its signature takes Django as long as everything
else that is done before a room is read.
"""

import functools
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import parse_cookie

_REMEMBERED = 4_096
"""Cookies that are known to be signed by us."""

_DAY_S = 86_400


class ReadSessions:
    """ASGI middleware: puts the session into the scope."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a websocket."""
        await self._inner({**scope, "session": _session(scope)}, receive, send)


def _session(scope: Any) -> Mapping[str, Any]:
    header = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    cookie = parse_cookie(header.decode("latin1")).get(settings.SESSION_COOKIE_NAME)
    return _read(cookie, int(time.time() // _DAY_S)) if cookie else {}


@functools.lru_cache(_REMEMBERED)
def _read(cookie: str, day: int) -> Mapping[str, Any]:
    """What a cookie holds on a day; nothing if we have not signed it, or too long ago."""
    return MappingProxyType(SessionStore(cookie).load())
