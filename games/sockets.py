"""What every websocket of ours has: limits, refusals, a place in the hub. What is said on it is up to the consumers."""

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import Error as DatabaseError

from games import caps, metrics, players, protocol
from games.hub import Hub
from games.limits import Bucket
from games.listener import Listener, Outlet, Refresh, Text
from games.protocol import Close, Incoming, Refusal, Refused, RefusedMessage
from games.topics import LOBBY, Attended, is_room

_PATIENCE = 100  # messages too many, or nonsense, that one socket may send at once before it is closed

_log = logging.getLogger(__name__)


class SocketConsumer(AsyncWebsocketConsumer):
    """A socket of a topic: limits, refusals, and a place in the hub. What it says is up to the subclasses."""

    kind = ""
    """Among the figures."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = Bucket(settings.SOCKET_RATE, settings.SOCKET_BURST)
        self._patience = Bucket(rate=1, burst=_PATIENCE)
        self._listener: Listener | None = None
        self._outlet: Outlet | None = None
        self._open = True
        self._is_busy = False
        self._heard = False  # a message that came past ASGI and is being dealt with
        self._dealt: asyncio.Future[None] | None = None  # when it is, if anybody waits for that
        self._advised: asyncio.Future[None] | None = None  # what is thought about beside
        self._address: str | None = None  # of a socket that is counted
        self.topic = LOBBY

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket. Whatever ends it, an exception or a stopping server too, it leaves the hub.

        Channels would listen to a layer beside, for which every message costs two tasks, and hop through the
        database thread for each.
        """
        self.scope = scope
        self.base_send = send
        try:
            with suppress(StopConsumer):
                while True:
                    self._is_busy = False
                    message = await receive()
                    self._is_busy = True
                    if self._heard:
                        self._dealt = asyncio.get_running_loop().create_future()
                        await self._dealt
                    if message["type"] == "websocket.receive":
                        await self.receive(message.get("text"), message.get("bytes"))
                    else:
                        await getattr(self, get_handler_name(message))(message)
        finally:
            if self._outlet:
                self._outlet.hear = None
            if self._advised:
                self._advised.cancel()
            if self._listener:
                Hub.current().leave(self.topic, self._listener)
                metrics.went(self.kind, self._room)
            if self._address is not None:
                caps.gone(self._address)

    async def connect(self) -> None:
        """Accept, so that whatever follows can be read by the page; then join and send the whole state."""
        await self.accept()
        offered: dict[str, Any] = self.scope.get("extensions") or {}
        self._outlet = offered.get("mancala.outlet")
        address = caps.address_of(self.scope)
        if not caps.may_come(address):
            await self.shut(Close.FLOODING)
            return
        self._address = address
        try:
            await self.enter()
        except Refused as refused:
            if caps.is_guessing(address):
                await self.shut(Close.FLOODING)
            elif refused.refusal is Refusal.NO_SUCH_ROOM:
                caps.missed(address)
                await self.shut(Close.NO_SUCH_ROOM)
            elif refused.refusal is Refusal.NOT_OVER:
                await self.shut(Close.NOT_OVER)
            else:
                await self.shut(Close.RESTARTING)
        except DatabaseError as error:
            _log.error("a socket of %s: the database did not answer: %r", self.topic, error, extra=self._ids())
            await self.shut(Close.RESTARTING)
        except Exception:
            _log.exception("a socket of %s could not be served", self.topic, extra=self._ids())
            await self.shut(Close.RESTARTING)

    def _dealt_with(self, _: object = None) -> None:
        """What came past ASGI is."""
        self._heard = False
        if self._dealt and not self._dealt.done():
            self._dealt.set_result(None)
        self._dealt = None

    async def websocket_disconnect(self, message: Any) -> None:
        """The socket is gone. Channels would go to a thread of Django's, where we have no connection to close."""
        raise StopConsumer

    async def enter(self) -> None:
        """Join the hub, then read, then tell. Raises `Refused`."""
        raise NotImplementedError

    async def handle(self, message: Incoming) -> None:
        """Act on a message. Raises `Refused`."""
        raise NotImplementedError

    def who(self) -> uuid.UUID | None:
        """Who opened this socket."""
        return players.identity(self.scope)

    async def join(self, refresh: Refresh, own: Refresh | None = None, attended: Attended | None = None) -> Listener:
        """Listen to this socket's topic: `refresh` reads its state for all here, `own` what is for this player.

        `attended` is told when the number of those who are there changes.
        """
        self._listener = Listener(self.tell, self.shut, self.who(), own, self._outlet)
        metrics.came(self.kind, self._room, again=self.scope["query_string"] == b"again")
        await Hub.current().join(self.topic, self._listener, refresh, attended)
        return self._listener

    async def tell(self, text: str) -> None:
        """Send a text. Who asks on and on and reads nothing is sent away, to come back when there is a line again."""
        if self._outlet is None:
            await self.send(text)
        elif not self._outlet.write(Text(text).frame):
            await self.shut(Close.RESTARTING)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Act on a frame; whatever is wrong with it is told to its sender and to nobody else."""
        if not self._open:
            return
        if not self._bucket.take(time.monotonic()):
            await self.bear(Refusal.TOO_FAST)
        elif text_data is None:
            await self.bear(Refusal.MALFORMED)
        elif len(text_data.encode(errors="replace")) > protocol.MAX_FRAME_BYTES:
            await self.shut(Close.TOO_LARGE)
        else:
            await self._receive_text(text_data)

    async def _receive_text(self, text: str) -> None:
        try:
            message = protocol.parse(text)
        except Refused as refused:
            await self.bear(refused.refusal)
            return
        await self.act(message)

    async def act(self, message: Incoming) -> None:
        """Act on a message; why it cannot be done is told to its sender."""
        await self._attempt(str(message.__struct_config__.tag), self.handle(message))

    async def _attempt(self, asked: str, handling: Awaitable[None]) -> None:
        try:
            try:
                await handling
            except Refused as refused:
                await self.explain(asked, refused.refusal)
        except DatabaseError as error:
            _log.error("%s in %s: the database did not answer: %r", asked, self.topic, error, extra=self._ids())
            await self.refuse(asked, Refusal.UNAVAILABLE)
        except Exception:
            _log.exception("%s in %s failed", asked, self.topic, extra=self._ids())
            await self.refuse(asked, Refusal.UNAVAILABLE)

    async def explain(self, asked: str, refusal: Refusal) -> None:
        """Say why a well-formed message was refused."""
        await self.refuse(asked, refusal)

    async def refuse(self, asked: str, refusal: Refusal) -> None:
        """Say no to the sender."""
        metrics.REFUSALS.labels(refusal.value).inc()
        await self.tell(RefusedMessage(re=asked, code=refusal.value).text())

    async def bear(self, refusal: Refusal) -> None:
        """Refuse too much, or nonsense. Who keeps sending it is closed."""
        if self._patience.take(time.monotonic()):
            await self.refuse("", refusal)
        else:
            await self.shut(Close.FLOODING)

    async def shut(self, code: Close) -> None:
        """Close the socket with a code that the page understands."""
        if self._open:
            self._open = False
            metrics.CLOSED.labels(code.value).inc()
            if code in {Close.FLOODING, Close.TOO_LARGE}:
                _log.warning("a socket of %s was closed: %s", self.topic, code.name, extra=self._ids())
            with suppress(OSError):  # it is gone already: ASGI 2.4
                await self.close(code=code.value)

    @property
    def _room(self) -> str:
        """The code of the room, or nothing."""
        return self.topic if is_room(self.topic) else ""

    def _ids(self) -> dict[str, str]:
        """What a structured log says besides the words."""
        return {"room": self._room, "player": str(self.who() or "")}


class NowhereConsumer(SocketConsumer):
    """A socket on a path that we do not serve: told so in a way that a page can read."""

    def __init__(self, code: Close = Close.NO_SUCH_ROOM) -> None:
        super().__init__()
        self._code = code

    async def enter(self) -> None:
        """Close at once."""
        await self.shut(self._code)

    async def handle(self, message: Incoming) -> None:
        """Nothing can be asked here."""
