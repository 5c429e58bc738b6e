"""The way past ASGI into a socket: whole frames in their order, and no more of them waiting than the bound."""

import json
from types import SimpleNamespace

import pytest
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.main import CONNECTION_LOST
from websockets.sync.client import connect

from games.consumers import LobbyConsumer
from games.protocol import Close
from mancala_site.daphne_socket import SocketOutlet
from mancala_site.outlets import OUTLET_BYTES
from tests.conftest import ServerFactory
from tests.patience import PATIENCE_S


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


def outlet(transport: Transport, state: int = WebSocketProtocol.STATE_OPEN) -> SocketOutlet:
    return SocketOutlet(SimpleNamespace(transport=transport, state=state, released=bytes))


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


def test_nobody_waits_for_a_connection_that_is_lost():
    """What was to go out stays in its buffer, and would be waited for without end."""
    transport = Transport()
    transport.dataBuffer = b"x" * (OUTLET_BYTES + 1)
    transport.connected = False
    assert not outlet(transport).is_full


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


async def test_whoever_asks_on_and_reads_nothing_is_sent_away():
    """B91"""
    sent = []

    async def send(event):
        sent.append(event)

    consumer = LobbyConsumer()
    consumer.base_send = send
    transport = Transport()
    consumer._outlet = outlet(transport)
    await consumer.tell("read")
    transport.dataBuffer = b"x" * (OUTLET_BYTES + 1)
    await consumer.tell("not read")
    assert transport.network == b"\x81\x04read"
    assert sent == [{"type": "websocket.close", "code": Close.RESTARTING}]


A_LONG_TALK = """
import json
from benchmarks.prepare import _room
from games.models import Game, Talk

room = _room()
game = Game.objects.get(room=room["code"])
talkers = [str(game.south_id), str(game.north_id)]
lines = [{"id": n, "by": talkers[0], "text": "\u044f" * 200, "at": 0} for n in range(50)]
Talk.objects.create(room_id=room["code"], version=50, talkers=talkers, lines=lines)
print(json.dumps(room))
"""


def test_what_two_wrote_is_read_again_however_long_it_is(serve: ServerFactory):
    """A limit on what we take is none on what we say."""
    server = serve()
    room = json.loads(server.manage("shell", "--verbosity=0", "--command", A_LONG_TALK).stdout)
    address = f"ws://127.0.0.1:{server.port}/ws/v1/rooms/{room['code']}/"
    with connect(address, origin=server.url, additional_headers={"Cookie": room["N"]}) as websocket:
        while (message := json.loads(websocket.recv(timeout=PATIENCE_S)))["type"] != "talk":
            pass
    assert [line["text"] for line in message["lines"]] == ["\u044f" * 200] * 50
