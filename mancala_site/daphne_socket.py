"""A websocket of Daphne that its client cannot fill, and the outlet past autobahn. Not the server: serve.py."""

import time
from typing import Any, cast

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure

from mancala_site.frames import Shortcut
from mancala_site.openings import Opening
from mancala_site.outlets import OUTLET_BYTES, Hear, Outlet

FLOODING = 4429
"""The close code for whoever sends faster than anybody could act upon."""

BACKLOG = 256
"""Messages that one websocket may have waiting for its consumer. Daphne itself would keep any number."""

LAST_WORDS = 3
"""So many messages are still acted upon when whoever sent them is gone: a move, and the tab was closed."""

BESIDES = 50
"""How many frames a client may send in a second that are no whole message. Browsers send but answers to our pings."""


class BoundedSocket(WebSocketProtocol):
    """Daphne's websocket, whose client cannot fill the memory and may not ask for what nobody speaks."""

    CONFIG_ATTRS = ()  # `SocketFactory` has put them here: autobahn would copy and print them for each socket

    _opening: Opening | None = None
    _held = b""  # of what goes to the network with whatever is said first
    _besides = (0, 0)  # in which second, how many frames
    _shortcut: Shortcut | None = None  # once it is open
    outlet: "SocketOutlet | None" = None

    def begin(self, transport: Any, opening: Opening) -> None:
        """Serve whoever asks as browsers do, past what autobahn does for others."""
        self._opening = opening
        self._raw_query_string = opening.query
        self.openHandshakeTimeout = 0  # all of it has come, and Daphne has a limit for the application
        self.makeConnection(transport)
        transport.registerProducer(transport, True)  # as for any request: who does not read is not heard
        self.onConnect(opening).addCallbacks(self._accept, self._deny)

    def _accept(self, _subprotocol: None) -> None:
        """What autobahn does at the end of a handshake, but the answer waits for what is said next."""
        self._held = cast("Opening", self._opening).answer()
        self.state = self.STATE_OPEN
        self.websocket_version = 13
        self.inside_message = False
        self.current_frame: Any = None
        self.onOpen()
        if self.data:
            self.consumeData()

    def _deny(self, failure: Failure) -> None:
        denial: Any = failure.value
        self.failHandshake(denial.reason, denial.code)

    def processHandshake(self) -> None:  # noqa: N802  # autobahn's name
        """Read how somebody asks; who has asked, and says more before they are let in, is heard then."""
        if self._opening is None:
            super().processHandshake()

    def sendData(self, data: bytes, *args: Any, **kwargs: Any) -> None:  # noqa: N802  # autobahn's name
        """Send bytes."""
        super().sendData(self.released() + data, *args, **kwargs)

    def released(self) -> bytes:
        """What is held, for whoever sends it."""
        held, self._held = self._held, b""
        return held

    def onConnect(self, request: Any) -> Any:  # noqa: N802  # autobahn's name
        """Begin. Subprotocols are none of ours, and Daphne stumbles over them if they are not ASCII."""
        request.headers.pop("sec-websocket-protocol", None)
        return super().onConnect(request)

    def onOpen(self) -> None:  # noqa: N802  # autobahn's name
        """Begin to receive."""
        super().onOpen()
        self._shortcut = None if self.data else Shortcut()  # what came too early may be half a message

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  # Twisted's name
        """Read what comes, through autobahn only where it is needed."""
        shortcut = self._shortcut if self.state == self.STATE_OPEN else None
        if shortcut and (text := shortcut.text(data)) is not None:
            hear = self.outlet and self.outlet.hear
            if not (hear and self.application_queue.empty() and hear(text)):
                self.onMessage(text, False)
        else:
            super().dataReceived(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802  # Twisted's name
        """Let go of what holds this socket: else it would wait for the garbage collector."""
        super().connectionLost(reason)
        self.outlet = None
        self.__dict__.pop("is_closed", None)
        self.__dict__.pop("handshake_deferred", None)

    def onFrameBegin(self) -> None:  # noqa: N802  # autobahn's name
        """Begin to take a frame in, unless its sender does little but ask, answer and never come to an end."""
        frame = self.current_frame
        if frame.opcode > self.MESSAGE_TYPE_BINARY or not frame.fin:
            second = int(time.monotonic())
            self._besides = (second, self._besides[1] + 1 if self._besides[0] == second else 1)
            if self._besides[1] > BESIDES:
                self._cut_off()
        super().onFrameBegin()

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:  # noqa: N802, N803  # as above
        """Tell the application, if it has heard of this socket. Of much that still waits nothing counts any more."""
        waiting: Any = getattr(self, "application_queue", None)
        if waiting and waiting.qsize() > LAST_WORDS:
            while not waiting.empty():
                waiting.get_nowait()
        if hasattr(self, "server"):
            super().onClose(wasClean, code, reason)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803  # autobahn's names
        """Pass a message on, unless too many wait already."""
        if self.state != self.STATE_OPEN:
            return
        if self.application_queue.qsize() >= BACKLOG:
            self._cut_off()
        else:
            super().onMessage(payload, isBinary)

    def _cut_off(self) -> None:
        """Say why, and read nothing more, not even what has come already."""
        self.sendClose(FLOODING)
        self.data = b""
        self.transport.pauseProducing()


class SocketFactory(WebSocketFactory):
    """What makes websockets."""

    protocol = BoundedSocket

    def setProtocolOptions(self, **options: Any) -> None:  # noqa: N802  # autobahn's name
        """Set them, once for all sockets."""
        super().setProtocolOptions(**options)
        for name in WebSocketProtocol.CONFIG_ATTRS:
            option = getattr(self, name)
            setattr(BoundedSocket, name, staticmethod(option) if callable(option) else option)


class SocketOutlet(Outlet):
    """The way into a websocket of Daphne, past autobahn too."""

    __slots__ = ("_socket", "hear")

    def __init__(self, socket: BoundedSocket) -> None:
        self._socket = socket
        self.hear: Hear | None = None

    @property
    def pending(self) -> int:
        """How many bytes Twisted holds for the network."""
        transport = self._socket.transport
        if not transport.connected:
            return 0
        held: int = len(transport.dataBuffer) - transport.offset + transport._tempDataLen  # noqa: SLF001  # Twisted has no other name
        return held

    def write(self, frame: bytes) -> bool:
        """At once, without a turn through the reactor, where nothing waits."""
        transport = self._socket.transport
        if self._socket.state != WebSocketProtocol.STATE_OPEN or not transport.connected or transport.disconnecting:
            return True
        pending = self.pending
        if pending > OUTLET_BYTES:
            return False
        frame = self._socket.released() + frame
        if not pending:
            sent = transport.writeSomeData(frame)
            if not isinstance(sent, int):  # it is lost, which the reactor finds out for itself
                return True
            frame = frame[sent:]
        if frame:
            transport.write(frame)
        return True
