"""Websocket paths. Never a redirect: with or without the last slash."""

from typing import Any

from django.urls import URLPattern, re_path

from games.consumers import LobbyConsumer, RoomConsumer, WatchConsumer
from games.models import CODE_ALPHABET, CODE_LENGTH
from games.protocol import VERSION, Close
from games.reviewing import ReviewConsumer
from games.sockets import NowhereConsumer


def _socket(route: str, application: Any) -> URLPattern:
    """Django's own stubs know only views."""
    path: URLPattern = re_path(route, application)
    return path


_CODE = rf"(?P<code>[{CODE_ALPHABET}]{{{CODE_LENGTH}}})"
_ROOM = rf"^ws/v{VERSION}/rooms/{_CODE}"

websocket_urlpatterns = [
    _socket(rf"{_ROOM}/?$", RoomConsumer.as_asgi()),
    _socket(rf"{_ROOM}/watch/?$", WatchConsumer.as_asgi()),
    _socket(rf"^ws/v{VERSION}/reviews/{_CODE}/(?P<number>[0-9]{{1,4}})/?$", ReviewConsumer.as_asgi()),
    _socket(rf"^ws/v{VERSION}/lobby/?$", LobbyConsumer.as_asgi()),
    _socket(rf"^ws/(?!v{VERSION}/)", NowhereConsumer.as_asgi(code=Close.PROTOCOL_TOO_OLD)),
    _socket(r"", NowhereConsumer.as_asgi(code=Close.NO_SUCH_ROOM)),
]
