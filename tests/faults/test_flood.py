"""Whoever sends without end is cut off, and costs neither memory nor the neighbours' time."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from games.protocol import Close
from mancala_site import serve as serving
from tests.conftest import ServerFactory
from tests.faults.test_drain import HANDSHAKE, close_code, socket_to
from tests.processes import Server

SYNC = b"\x81\x8f\x00\x00\x00\x00" + b'{"type":"sync"}'
"""A masked text frame."""


@pytest.fixture(scope="module")
def server(site_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that only these tests have spoken to."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("flooded"))
    yield factory()
    factory.end()


def resident_kib(server: Server) -> int:
    """The memory of the server, in KiB."""
    (line,) = (line for line in Path(f"/proc/{server.pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


def answers(websocket: ClientConnection) -> bool:
    """Whether the server still serves somebody who has been told all there was to tell."""
    websocket.send(json.dumps({"type": "ping", "game": 0, "version": 0, "sent_at": 1}))
    return json.loads(websocket.recv(timeout=10))["type"] == "pong"


def send_and_hear(websocket: ClientConnection, message: str | list[str]) -> None:
    """Say something and listen until the socket closes."""
    websocket.send(message)
    while True:
        websocket.recv(timeout=10)


def test_a_flood_is_cut_off_before_it_fills_the_memory(server: Server):
    """B97: unbounded messages fill the memory."""
    with socket_to(server) as neighbour, socket.create_connection(("127.0.0.1", server.port)) as flooder:
        neighbour.recv(timeout=10)
        flooder.settimeout(30)
        flooder.sendall(HANDSHAKE.format(server=server).encode())
        flooder.recv(4096)
        before = resident_kib(server)
        try:
            flooder.sendall(SYNC * 300_000)
            while flooder.recv(65_536):
                pass
        except ConnectionError:
            pass  # cut off in the middle of a word
        assert resident_kib(server) - before < 20_000
        assert answers(neighbour)


@pytest.mark.parametrize(
    "message", ["x" * 20_000_000, ["x" * 10] * 10_000], ids=["one frame", "ten thousand fragments"]
)
def test_a_message_too_large_costs_its_sender_the_socket(server: Server, message: str | list[str]):
    """B100: a megabyte is pasted."""
    with socket_to(server) as neighbour, socket_to(server) as sender:
        neighbour.recv(timeout=10)
        before = resident_kib(server)
        with pytest.raises(ConnectionClosed):
            send_and_hear(sender, message)
        assert resident_kib(server) - before < 20_000
        assert answers(neighbour)


def test_a_subprotocol_that_nobody_could_speak_is_not_looked_at(server: Server):
    hello = HANDSHAKE.format(server=server).replace("Upgrade: ", "Sec-WebSocket-Protocol: caf\xe9\r\nUpgrade: ", 1)
    with socket.create_connection(("127.0.0.1", server.port)) as guest:
        guest.sendall(hello.encode("latin-1"))
        assert b"101 Switching Protocols" in guest.recv(4096)


def test_the_code_for_flooding_is_the_one_of_the_protocol():
    assert serving.FLOODING == Close.FLOODING


def test_whoever_only_asks_whether_we_are_there_is_cut_off(server: Server):
    with socket_to(server) as asking, socket_to(server) as neighbour:
        asking.recv(timeout=10)
        neighbour.recv(timeout=10)
        for _ in range(10 * serving.PINGS):
            try:
                asking.ping()
            except ConnectionClosed:
                break
        assert close_code(asking) == Close.FLOODING
        neighbour.ping().wait(10)
        assert answers(neighbour)
