"""Requests as Daphne takes them, less what it believes of anybody, and no larger than a form may be."""

import asyncio
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from twisted.internet.protocol import Protocol

from mancala_site import openings

_TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class BoundedRequest(WebRequest):
    """A request whose client cannot fill the disk, nor say where the site begins. Twisted does not parse its form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, parsePOSTFormSubmission=False)
        self._is_too_large = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # Twisted's name
        """Begin to take the body, unless it says itself that it is too large."""
        super().gotLength(length)
        self._bound(length or 0)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  # Twisted's name
        """Take some of the body."""
        self._bound(self.content.tell() + len(data))
        if not self._is_too_large:
            super().handleContentChunk(data)

    def process(self) -> Any:
        """Have it answered."""
        if self._is_too_large:
            return None
        self.requestHeaders.removeHeader(b"Daphne-Root-Path")  # Daphne would take anybody's word for it
        return super().process()

    def send_disconnect(self) -> None:
        """Tell nobody that whoever asked is gone: a page is soon made, and Django, stopped, puts that into the log."""

    def _bound(self, length: int) -> None:
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE and not self._is_too_large:
            self._is_too_large = True
            self.channel.transport.write(_TOO_LARGE)
            self.channel.loseConnection()


class RequestFactory(HTTPFactory):
    """What begins a connection."""

    def buildProtocol(self, addr: Any) -> "Entrance":  # noqa: N802  # Twisted's name
        """Where whoever comes says what they want."""
        return Entrance(self)

    def for_requests(self) -> Any:
        """The connection, whose requests are bounded."""
        connection = super().buildProtocol(None)
        connection.requestFactory = BoundedRequest
        return connection


class Entrance(Protocol):
    """The beginning of a connection: who asks for a websocket as browsers do gets one, all others Twisted's HTTP."""

    def __init__(self, factory: RequestFactory) -> None:
        self._factory = factory

    def connectionMade(self) -> None:  # noqa: N802  # Twisted's name
        """Wait for the first word, for as long as Twisted would."""
        self._patience = asyncio.get_running_loop().call_later(
            self._factory.timeOut,
            self.transport.abortConnection,  # type: ignore[union-attr]  # it has one
        )

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  # Twisted's name
        """Hand the connection on."""
        self._patience.cancel()
        transport: Any = self.transport
        if opening := openings.read(data):
            transport.protocol = socket = self._factory.server.ws_factory.buildProtocol(None)
            socket.begin(transport, opening)
        else:
            transport.protocol = connection = self._factory.for_requests()
            connection.makeConnection(transport)
            connection.dataReceived(data)

    def connectionLost(self, reason: Any = None) -> None:  # noqa: N802  # Twisted's name
        """Whoever came has gone without a word."""
        self._patience.cancel()
