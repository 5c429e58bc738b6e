"""Whoever sends without end is cut off, and costs neither memory nor the neighbours' time."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from games.protocol import Close
from mancala_site import daphne_socket
from tests.conftest import ServerFactory
from tests.faults.test_drain import HANDSHAKE, close_code, socket_to
from tests.patience import PATIENCE_S
from tests.processes import Server

SYNC = b"\x81\x8f\x00\x00\x00\x00" + b'{"type":"sync"}'
"""A masked text frame."""


@pytest.fixture(scope="module")
def server(site_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that only these tests have spoken to."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("flooded"))
    yield factory()
    factory.end()


def answers(websocket: ClientConnection) -> bool:
    """Whether the server still serves somebody who has been told all there was to tell."""
    websocket.send(json.dumps({"type": "ping", "game": 0, "version": 0, "sent_at": 1}))
    return json.loads(websocket.recv(timeout=PATIENCE_S))["type"] == "pong"


def send_and_hear(websocket: ClientConnection, message: str | list[str]) -> None:
    """Say something and listen until the socket closes."""
    websocket.send(message)
    while True:
        websocket.recv(timeout=PATIENCE_S)


def test_a_flood_is_cut_off_before_it_fills_the_memory(server: Server):
    """B97: unbounded messages fill the memory."""
    with socket_to(server) as neighbour, socket.create_connection(("127.0.0.1", server.port)) as flooder:
        neighbour.recv(timeout=PATIENCE_S)
        flooder.settimeout(PATIENCE_S)
        flooder.sendall(HANDSHAKE.format(server=server).encode())
        flooder.recv(4096)
        before = server.resident_kib
        try:
            flooder.sendall(SYNC * 300_000)
            while flooder.recv(65_536):
                pass
        except ConnectionError:
            pass  # cut off in the middle of a word
        assert server.resident_kib - before < 20_000
        assert answers(neighbour)


@pytest.mark.parametrize(
    "message", ["x" * 20_000_000, ["x" * 10] * 10_000], ids=["one frame", "ten thousand fragments"]
)
def test_a_message_too_large_costs_its_sender_the_socket(server: Server, message: str | list[str]):
    """B100: a megabyte is pasted."""
    with socket_to(server) as neighbour, socket_to(server) as sender:
        neighbour.recv(timeout=PATIENCE_S)
        before = server.resident_kib
        with pytest.raises(ConnectionClosed):
            send_and_hear(sender, message)
        assert server.resident_kib - before < 20_000
        assert answers(neighbour)


def test_a_subprotocol_that_nobody_could_speak_is_not_looked_at(server: Server):
    hello = HANDSHAKE.format(server=server).replace("Upgrade: ", "Sec-WebSocket-Protocol: caf\xe9\r\nUpgrade: ", 1)
    with socket.create_connection(("127.0.0.1", server.port)) as guest:
        guest.sendall(hello.encode("latin-1"))
        assert b"101 Switching Protocols" in guest.recv(4096)


def test_the_code_for_flooding_is_the_one_of_the_protocol():
    assert daphne_socket.FLOODING == Close.FLOODING


TALK_WITHOUT_A_MESSAGE = {
    "asks whether we are there": ClientConnection.ping,
    "says that they are there": ClientConnection.pong,
    "begins and never ends": lambda websocket: websocket.send([""] * 10 * daphne_socket.BESIDES),
}


@pytest.mark.parametrize("say", TALK_WITHOUT_A_MESSAGE.values(), ids=TALK_WITHOUT_A_MESSAGE)
def test_whoever_sends_no_whole_message_for_long_is_cut_off(server: Server, say: Callable[[ClientConnection], object]):
    with socket_to(server) as talking, socket_to(server) as neighbour:
        talking.recv(timeout=PATIENCE_S)
        neighbour.recv(timeout=PATIENCE_S)
        for _ in range(10 * daphne_socket.BESIDES):
            try:
                say(talking)
            except ConnectionClosed:
                break
        assert close_code(talking) == Close.FLOODING
        neighbour.ping().wait(PATIENCE_S)
        assert answers(neighbour)


def test_a_message_in_some_pieces_is_understood(server: Server):
    with socket_to(server) as websocket:
        websocket.recv(timeout=PATIENCE_S)
        websocket.send(['{"type":"ping",', "", '"game":0,"version":0}'])
        assert json.loads(websocket.recv(timeout=PATIENCE_S))["type"] == "pong"


@pytest.mark.parametrize(
    ("sent", "acted_upon"), [(daphne_socket.LAST_WORDS, daphne_socket.LAST_WORDS), (daphne_socket.LAST_WORDS + 1, 0)]
)
def test_of_much_that_somebody_gone_has_sent_nothing_is_acted_upon(sent: int, acted_upon: int):
    gone = daphne_socket.BoundedSocket()
    gone.server = SimpleNamespace(protocol_disconnected=lambda _: None, log_action=lambda *_: None)
    gone.request, gone.client_addr, gone.application_queue = SimpleNamespace(path="/"), None, asyncio.Queue()
    for _ in range(sent):
        gone.application_queue.put_nowait({"type": "websocket.receive"})
    gone.onClose(wasClean=True, code=1000, reason=None)
    waiting = [gone.application_queue.get_nowait()["type"] for _ in range(gone.application_queue.qsize())]
    assert waiting == ["websocket.receive"] * acted_upon + ["websocket.disconnect"]
