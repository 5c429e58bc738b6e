"""Who opens a websocket is who the pages gave the cookie to."""

import asyncio
import time

import pytest
from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore

from mancala_site.sessions import ReadSessions

COOKIE = settings.SESSION_COOKIE_NAME
DAY_S = 86_400


def signed(**data) -> str:
    """As pages leave it in a browser."""
    session = SessionStore()
    session.update(data)
    session.save()
    return session.session_key


def session_of(*headers: tuple[bytes, bytes]) -> dict:
    seen = []

    async def inner(scope, receive, send):
        seen.append(dict(scope["session"]))

    asyncio.run(ReadSessions(inner)({"type": "websocket", "headers": headers}, None, None))
    return seen[0]


def test_a_websocket_is_in_the_session_of_its_cookie_again_and_again():
    cookie = f"theme=dark; {COOKIE}={signed(player='me', name='Ann')}; last=1".encode()
    for _ in range(2):
        assert session_of((b"host", b"x"), (b"cookie", cookie)) == {"player": "me", "name": "Ann"}


@pytest.mark.parametrize("headers", [[], [(b"cookie", b"theme=dark")], [(b"cookie", f"{COOKIE}=".encode())]])
def test_without_a_cookie_of_ours_nothing_is_known(headers):
    assert session_of(*headers) == {}


def test_what_we_have_not_signed_is_not_believed_though_it_is_much_like_what_we_have():
    cookie = signed(player="me")
    assert session_of((b"cookie", f"{COOKIE}={cookie}".encode())) == {"player": "me"}
    for other in (cookie[:-1], cookie[1:], cookie.replace(":", ".")):
        assert session_of((b"cookie", f"{COOKIE}={other}".encode())) == {}


def test_a_cookie_that_is_too_old_is_believed_no_more_though_it_was(monkeypatch):
    cookie = f"{COOKIE}={signed(player='me')}".encode()
    assert session_of((b"cookie", cookie)) == {"player": "me"}
    later = time.time() + settings.SESSION_COOKIE_AGE + DAY_S
    monkeypatch.setattr(time, "time", lambda: later)
    assert session_of((b"cookie", cookie)) == {}
