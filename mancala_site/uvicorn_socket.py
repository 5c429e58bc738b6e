"""A websocket of uvicorn with the outlet and the shortcut that those of our own server have: see docs/operations.md."""

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from mancala_site.frames import Shortcut
from mancala_site.outlets import OUTLET_BYTES, Hear, Outlet, offer

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
            transport.write(frame)
        return True


class Socket(WebSocketsSansIOProtocol):
    """A websocket, which is offered its outlet."""

    _shortcut: Shortcut | None = None  # until it is open
    _outlet: SocketOutlet | None = None

    def handle_connect(self, event: Request) -> None:
        """Begin to serve; the application is called on the next turn of the loop."""
        super().handle_connect(event)
        if hasattr(self, "scope"):  # it was accepted
            self._outlet = SocketOutlet(self)
            offer(self.scope, self._outlet)
            self._shortcut = Shortcut()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of what holds this socket: else it would wait for the garbage collector."""
        super().connection_lost(exc)
        self._outlet = None

    def data_received(self, data: bytes) -> None:
        """Hand on what comes; uvicorn would stop reading after every message, and begin again."""
        is_open = self.handshake_complete and not self.close_sent
        shortcut = self._shortcut if is_open and self.queue.qsize() < AT_ONCE else None
        if shortcut and (text := shortcut.text(data)) is not None:
            hear = self._outlet and self._outlet.hear
            if not (hear and self.queue.empty() and hear(text)):
                self.queue.put_nowait({"type": "websocket.receive", "text": text.decode()})
        else:
            super().data_received(data)
