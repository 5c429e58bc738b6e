"""A websocket of uvicorn with the outlet and the shortcuts that our own server has: see docs/operations.md."""

import asyncio
from typing import Any
from urllib.parse import unquote

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from mancala_site import openings
from mancala_site.frames import Shortcut
from mancala_site.openings import Opening
from mancala_site.outlets import OUTLET_BYTES, Hear, Outlet, offer, withdraw

AT_ONCE = 32
"""Messages that may wait for their consumer before nothing more is read."""


class SocketOutlet(Outlet):
    """The way into a websocket of uvicorn."""

    __slots__ = ("_socket", "hear")

    def __init__(self, socket: "Socket") -> None:
        self._socket = socket
        self.hear: Hear | None = None

    @property
    def pending(self) -> int:
        """How many bytes asyncio holds for the network."""
        return self._socket.transport.get_write_buffer_size()

    def write(self, frame: bytes) -> bool:
        """As the transport sends anything."""
        socket = self._socket
        transport = socket.transport
        if transport.get_write_buffer_size() > OUTLET_BYTES:
            return False
        if not (socket.close_sent or transport.is_closing()):
            transport.write(socket.released() + frame if socket.holds else frame)
        return True


class Entrance(asyncio.Protocol):
    """The beginning of a connection: who asks for a websocket as browsers do gets one, all others uvicorn's HTTP."""

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._connections: set[Any] = options["server_state"].connections

    def connection_made(self, transport: Any) -> None:
        """Wait for the first word."""
        self._transport = transport
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Hand the connection on."""
        self._connections.discard(self)
        opening = openings.read(data)
        protocol: Any = (Socket if opening else HttpToolsProtocol)(**self._options)
        self._transport.set_protocol(protocol)
        protocol.connection_made(self._transport)
        if opening:
            protocol.begin(opening)
        else:
            protocol.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever came has gone without a word."""
        self._connections.discard(self)

    def shutdown(self) -> None:
        """The server stops."""
        self._transport.close()


class Socket(WebSocketsSansIOProtocol):
    """A websocket, which is offered its outlet."""

    _opening: Opening | None = None  # how somebody asks who is not let in yet, where the parser has not read it
    _early = b""  # what they have said by then
    _held = b""  # of what goes to the network with whatever is said first
    _shortcut: Shortcut | None = None  # until it is open
    _outlet: SocketOutlet | None = None

    def data_received(self, data: bytes) -> None:
        """Hand on what comes; uvicorn would stop reading after every message, and begin again."""
        if self._opening:
            self._early += data
            return
        shortcut = self._shortcut if self.handshake_complete and not self.close_sent else None
        if shortcut and (text := shortcut.text(data)) is not None and self.queue.qsize() < AT_ONCE:
            hear = self._outlet and self._outlet.hear
            if not (hear and self.queue.empty() and hear(text)):
                self.queue.put_nowait({"type": "websocket.receive", "text": text.decode()})
        else:
            self._release()
            super().data_received(data)

    def begin(self, opening: Opening) -> None:
        """Begin to serve whoever asks as browsers do, past the parsers.

        The application is called on the next turn of the loop.
        """
        self._opening = opening
        self.handshake_initiated = True
        path = self.root_path + opening.path
        self.scope = {
            "type": "websocket",
            "asgi": {"version": self.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "root_path": self.root_path,
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": opening.query,
            "headers": [(name.encode(), value.encode()) for name, value in opening.headers.items()],
            "subprotocols": [],
            "state": self.app_state.copy(),
            "extensions": {"websocket.http.response": {}},
        }
        self._offer()
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def handle_connect(self, event: Request) -> None:
        """The same for whoever asks in any other way."""
        super().handle_connect(event)
        if hasattr(self, "scope"):  # it was accepted
            self._offer()
            self._shortcut = Shortcut()

    def _offer(self) -> None:
        self._outlet = SocketOutlet(self)
        offer(self.scope, self._outlet)

    async def send(self, message: Any) -> None:
        """Say something, or that they are let in."""
        opening, self._opening = self._opening, None
        if opening and message["type"] == "websocket.accept":
            self._accept(opening)
        else:
            self._release()
            await super().send(message)

    def _accept(self, opening: Opening) -> None:
        """The answer waits for what is said next."""
        if self.disconnected:
            raise ClientDisconnected
        self.handshake_complete = True
        self.conn.parser.close()
        self.conn = ServerProtocol(state=State.OPEN, max_size=self.config.ws_max_size, logger=self.logger)
        self._held = opening.answer()
        self.start_keepalive()
        if self._early:  # it may be half a message, and its reply comes after the answer
            self._release()
            super().data_received(self._early)
        else:
            self._shortcut = Shortcut()

    @property
    def holds(self) -> bool:
        """Whether anything is."""
        return bool(self._held)

    def released(self) -> bytes:
        """What is held, for whoever sends it."""
        held, self._held = self._held, b""
        return held

    def _release(self) -> None:
        if self._held:
            self.transport.write(self.released())

    def send_keepalive_ping(self) -> None:
        """Ask whether anybody is there."""
        self._release()
        super().send_keepalive_ping()

    def shutdown(self) -> None:
        """The server stops."""
        self._release()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of what holds this socket: else it would wait for the garbage collector."""
        super().connection_lost(exc)
        self._held = b""  # uvloop would not have it written any more
        if self._outlet:
            self._outlet = None
            withdraw(self.scope)
        self.conn.parser.close()
