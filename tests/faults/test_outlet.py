"""The way past ASGI into a socket: whole frames in their order, and no more of them waiting than the bound."""

from types import SimpleNamespace

import pytest
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.main import CONNECTION_LOST

from mancala_site.serve import OUTLET_BYTES, Outlet


class Transport:
    """A connection whose network takes `room` bytes at once, and then no more until it is asked again."""

    def __init__(self, room: float = float("inf")) -> None:
        self.room = room
        self.network = b""
        self.dataBuffer = b""
        self.offset = 0
        self._tempDataLen = 0
        self.connected = True
        self.disconnecting = False

    def writeSomeData(self, data: bytes) -> int:  # noqa: N802  Twisted's name
        taken = int(min(len(data), self.room))
        self.network += data[:taken]
        self.room -= taken
        return taken

    def write(self, data: bytes) -> None:
        self.dataBuffer += data


def outlet(transport: Transport, state: int = WebSocketProtocol.STATE_OPEN) -> Outlet:
    return Outlet(SimpleNamespace(transport=transport, state=state))


def test_a_frame_goes_out_at_once():
    transport = Transport()
    outlet(transport).write(b"frame")
    assert (transport.network, transport.dataBuffer) == (b"frame", b"")


def test_what_the_network_does_not_take_waits_and_what_comes_after_waits_behind_it():
    transport = Transport(room=3)
    out = outlet(transport)
    out.write(b"first")
    transport.room = 100
    out.write(b"second")
    assert (transport.network, transport.dataBuffer) == (b"fir", b"stsecond")


@pytest.mark.parametrize(
    "part",
    [{"dataBuffer": b"x" * OUTLET_BYTES, "_tempDataLen": 1}, {"dataBuffer": b"x" * (OUTLET_BYTES + 9), "offset": 8}],
    ids=["in two places", "in part sent"],
)
def test_it_is_full_when_more_waits_than_the_bound(part):
    transport = Transport()
    out = outlet(transport)
    assert not out.is_full
    vars(transport).update(part)
    assert out.is_full
    transport.dataBuffer = transport.dataBuffer[:-1]
    assert not out.is_full


@pytest.mark.parametrize("gone", [{"connected": False}, {"disconnecting": True}])
def test_nothing_is_written_to_a_connection_that_goes_away(gone):
    transport = Transport()
    vars(transport).update(gone)
    outlet(transport).write(b"frame")
    assert transport.network + transport.dataBuffer == b""


def test_nothing_is_written_after_the_closing_frame():
    transport = Transport()
    outlet(transport, WebSocketProtocol.STATE_CLOSING).write(b"frame")
    assert transport.network + transport.dataBuffer == b""


def test_a_connection_lost_meanwhile_is_left_to_the_reactor():
    transport = Transport()
    transport.writeSomeData = lambda data: CONNECTION_LOST
    outlet(transport).write(b"frame")
    assert transport.dataBuffer == b""
