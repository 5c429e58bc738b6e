"""One local socket as the hub sees it: it is told texts, which wait for it up to a bound. Knows no topics."""

import asyncio
import logging
import time
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, Self

from games.protocol import Close, Outgoing

BACKLOG = 64
"""Texts that wait for one slow socket before it gets a fresh state instead."""

_FULL_SECONDS = 0.1  # before it is tried again, whether a socket takes more

_log = logging.getLogger(__name__)

Refresh = Callable[[], Awaitable[str]]
"""Reads the whole state of a topic: the text that puts right whoever missed something."""


class Outlet(Protocol):
    """The way past ASGI that our own server offers into a socket: a frame is made once for all who get it."""

    @property
    def is_full(self) -> bool:
        """Whether more waits here for the network than anybody should be behind."""

    hear: Callable[[bytes], bool] | None
    """Is given a short text that comes where nothing waits before it; whether it has dealt with it."""

    def write(self, frame: bytes) -> bool:
        """Send a frame now, or as soon as the network takes it; False, and nothing is sent, if `is_full`."""


class Text(str):
    """What is told to many, and the websocket frame that carries it."""

    __slots__ = ("frame",)

    frame: bytes
    """A whole unmasked text frame (RFC 6455, 5.2)."""

    def __new__(cls, text: str) -> Self:
        """Make the frame at once."""
        made = super().__new__(cls, text)
        made.frame = _framed(text.encode())
        return made


def _framed(payload: bytes) -> bytes:
    length = len(payload)
    if length < 126:  # noqa: PLR2004  the lengths of lengths in the RFC
        return bytes((0x81, length)) + payload
    if length < 0x10000:  # noqa: PLR2004
        return b"\x81\x7e" + length.to_bytes(2) + payload
    return b"\x81\x7f" + length.to_bytes(8) + payload


class Listener:
    """One local socket as the hub sees it. What it cannot take at once waits here, up to a bound."""

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        close: Callable[[Close], Coroutine[Any, Any, None]],
        player: uuid.UUID | None,
        own: Refresh | None = None,
        outlet: Outlet | None = None,
    ) -> None:
        self.player = str(player) if player else None
        self.own = own
        """Reads what concerns this player alone; an empty text: nothing does."""
        self.name: str | None = None
        self.since = time.time()
        self.told: Outgoing | None = None
        """What it was last told of who is here."""
        self._send = send
        self._outlet = outlet
        self._close = close
        self._waiting: deque[str] = deque()
        self._behind: Refresh | None = None
        self._sender: asyncio.Task[None] | None = None
        self._begun = False

    def begin(self, text: str) -> None:
        """Send the first text; what was told before has waited for it."""
        self._begun = True
        self._waiting.appendleft(text)
        self._send_on()

    def tell(self, text: str, refresh: Refresh) -> None:
        """Send `text`, if any, as soon as the socket takes it; a socket too far behind gets a fresh state instead."""
        if self._behind or not text:
            return
        outlet = self._outlet
        if outlet and self._begun and not self._sender:
            if not isinstance(text, Text):
                text = Text(text)
            if outlet.write(text.frame):
                return
        self._waiting.append(text)
        if len(self._waiting) > BACKLOG:
            self._waiting.clear()
            self._behind = refresh
            self.told = None
        self._send_on()

    def _send_on(self) -> None:
        if self._begun and self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._waiting or self._behind:
                if self._outlet and self._outlet.is_full:
                    await asyncio.sleep(_FULL_SECONDS)
                elif self._waiting:
                    await self._send(self._waiting.popleft())
                elif self._behind:
                    refresh, self._behind = self._behind, None
                    await self._send(await refresh())
                    if self.player and self.own and (text := await self.own()):
                        await self._send(text)
        except Exception as error:  # a socket on its way out must not hurt its neighbours
            _log.debug("a socket took no more: %r", error)
            self._waiting.clear()
        finally:
            self._sender = None

    def shut(self, code: Close) -> None:
        """Close the socket, saying why."""
        spawn(self._close(code))

    def forget(self) -> None:
        """Let go of the socket, which is gone and holds this: else both would wait for the garbage collector."""
        self._send = self._close = _nobody
        self._outlet = self._behind = self.own = None
        self._waiting.clear()


async def _nobody(*_: object) -> None:
    """Who is gone takes what is said."""


_spawned: set[asyncio.Task[None]] = set()  # the loop itself holds its tasks but weakly


def spawn(work: Coroutine[Any, Any, None]) -> None:
    """Have `work` done on the running loop, which nobody waits for."""
    task = asyncio.get_running_loop().create_task(work)
    _spawned.add(task)
    task.add_done_callback(_spawned.discard)
