"""A websocket of uvicorn that offers its outlet, as those of our own server do: see docs/operations.md."""

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from mancala_site.outlets import Outlet, offer


class SocketOutlet(Outlet):
    """The way into a websocket of uvicorn."""

    __slots__ = ("_socket",)

    def __init__(self, socket: "Socket") -> None:
        self._socket = socket

    @property
    def pending(self) -> int:
        """How many bytes asyncio holds for the network."""
        return self._socket.transport.get_write_buffer_size()

    def write(self, frame: bytes) -> None:
        """As the transport sends anything."""
        if not (self._socket.close_sent or self._socket.transport.is_closing()):
            self._socket.transport.write(frame)


class Socket(WebSocketsSansIOProtocol):
    """A websocket, which is offered its outlet."""

    def handle_connect(self, event: Request) -> None:
        """Begin to serve; the application is called on the next turn of the loop."""
        super().handle_connect(event)
        if hasattr(self, "scope"):  # it was accepted
            offer(self.scope, SocketOutlet(self))
