"""Browsers' websockets in this process, through the whole ASGI application. Knows not what they should say."""

import asyncio
import json
from collections import deque
from contextlib import suppress

from channels.testing import WebsocketCommunicator
from django.conf import settings

from games import storage
from mancala_site.asgi import application
from tests.patience import PATIENCE_S
from tests.rooms import Browser

OWN_ORIGIN = settings.WEBSOCKET_ORIGINS[0]


class Socket:
    """One websocket. `presence` messages come when they come: they are set aside until asked for."""

    def __init__(
        self, path: str, browser: Browser | None = None, origin: str | None = OWN_ORIGIN, outlet: object = None
    ) -> None:
        headers = [(b"origin", origin.encode())] if origin is not None else []
        if browser:
            headers.append((b"cookie", "=".join(browser.cookie).encode()))
        self._wire = WebsocketCommunicator(application, path, headers)
        if outlet:
            self._wire.scope["extensions"] = {"mancala.outlet": outlet}
        self._presence: deque[dict] = deque()
        self.first: dict = {}

    async def open(self) -> "Socket":
        """Connect; it has to be accepted."""
        accepted, code = await self._wire.connect(PATIENCE_S)
        assert accepted, code
        return self

    async def is_refused(self) -> bool:
        """Connect in vain."""
        accepted, _ = await self._wire.connect(PATIENCE_S)
        return not accepted

    async def say(self, **message) -> None:
        """Send a message."""
        await self.send(json.dumps(message))

    async def send(self, frame: str | bytes) -> None:
        """Send any frame."""
        kind = "bytes" if isinstance(frame, bytes) else "text"
        await self._wire.send_input({"type": "websocket.receive", kind: frame})

    async def hear(self, kind: str) -> dict:
        """The next message, which is of this kind."""
        message = await self.hear_anything()
        assert message["type"] == kind, message
        return message

    async def hear_anything(self) -> dict:
        """The next message; what is heard of presence before it is kept for later."""
        while (message := await self._next())["type"] == "presence":
            self._presence.append(message)
        return message

    async def hear_presence(self, south: int, north: int, spectators: int) -> list[str]:
        """Wait until so many are told to be here, and no event comes before that; the names of those who watch."""
        wanted = {"type": "presence", "south": south, "north": north, "spectators": spectators}
        while (heard := self._presence.popleft() if self._presence else await self._next()) | wanted != heard:
            assert heard["type"] == "presence", heard
        return heard["names"]

    async def hears_until(self, kind: str, **fields: object) -> dict:
        """The next message of this kind with these fields; whatever comes before is passed over."""
        wanted = {"type": kind, **fields}
        while True:
            message = self._presence.popleft() if self._presence else await self._next()
            if all(message.get(name) == value for name, value in wanted.items()):
                return message

    async def has_heard_all(self) -> dict:
        """Nothing was said to it in its room before the answer to this question, which is returned."""
        await self.say(type="sync")
        return await self.hear("welcome")

    async def hear_close(self) -> int:
        """The code the server closes with; nothing but presence is heard before."""
        while (message := await self._wire.receive_output(PATIENCE_S))["type"] == "websocket.send":
            assert json.loads(message["text"])["type"] == "presence", message
        assert message["type"] == "websocket.close", message
        return message["code"]

    async def insist(self, frame: str | bytes) -> tuple[list[str], int]:
        """Send a frame again and again until the server closes: the refusals heard before, and the code."""
        refusals = []
        while True:
            await self.send(frame)
            answer = await self._wire.receive_output(PATIENCE_S)
            if answer["type"] == "websocket.close":
                return refusals, answer["code"]
            if (message := json.loads(answer["text"]))["type"] == "refused":
                refusals.append(message["code"])

    async def close(self) -> None:
        """Go away, as a closed tab does."""
        with suppress(asyncio.CancelledError):  # it was torn down before, or waited in vain
            await self._wire.disconnect(timeout=PATIENCE_S)

    def tear_down(self) -> None:
        """Go away without a word, as when a server ends or a fault ends the consumer."""
        self._wire.stop()

    async def _next(self) -> dict:
        message = await self._wire.receive_output(PATIENCE_S)
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])


class Sockets:
    """All sockets of a test."""

    def __init__(self) -> None:
        self.all: list[Socket] = []

    async def open(self, path: str, browser: Browser | None = None, **options) -> Socket:
        """An open socket."""
        socket = Socket(path, browser, **options)
        self.all.append(socket)
        return await socket.open()

    async def enter(self, code: str, browser: Browser | None = None) -> Socket:
        """A socket in a room, which has heard its welcome."""
        socket = await self.open(f"/ws/v1/rooms/{code}/", browser)
        socket.first = await socket.hear("welcome")
        return socket

    async def look(self, browser: Browser | None = None) -> Socket:
        """A socket in the lobby, which has heard what is there, and of whom it is, the own games."""
        socket = await self.open("/ws/v1/lobby/", browser)
        socket.first = await socket.hear("lobby")
        if browser:
            await socket.hear("mine")
        return socket


do = storage.run
"""Run an action where the server runs them."""
