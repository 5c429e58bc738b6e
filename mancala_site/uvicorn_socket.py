"""A websocket of uvicorn that offers its outlet, as those of our own server do: see docs/operations.md.

uvicorn mancala_site.asgi:application --ws mancala_site.uvicorn_socket:Socket
"""

import asyncio
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

OUTLET_BYTES = 65_536
"""How much may wait for the network before a client gets a fresh state instead of all it missed."""


class Outlet:
    """A way into a websocket past ASGI, for frames that are made once and sent to many."""

    __slots__ = ("_socket",)

    def __init__(self, socket: "Socket") -> None:
        self._socket = socket

    @property
    def is_full(self) -> bool:
        """Whether more waits here for the network than anybody should be behind."""
        return self._transport.get_write_buffer_size() > OUTLET_BYTES

    def write(self, frame: bytes) -> None:
        """Send a frame now, or as soon as the network takes it; to a socket that goes away, nothing."""
        if not (self._socket.close_sent or self._transport.is_closing()):
            self._transport.write(frame)

    @property
    def _transport(self) -> asyncio.Transport:
        return self._socket.transport


class Socket(WebSocketsSansIOProtocol):
    """A websocket, which is offered its outlet."""

    def handle_connect(self, event: Request) -> None:
        """Begin to serve; the application is called on the next turn of the loop."""
        super().handle_connect(event)
        if hasattr(self, "scope"):  # it was accepted
            cast("dict[str, Any]", self.scope["extensions"])["mancala.outlet"] = Outlet(self)
