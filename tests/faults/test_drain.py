"""What becomes of open sockets when a server is told to end."""

import os
import signal
import socket
import sys
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen
from typing import Protocol

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from games.protocol import Close
from mancala_site import serve as serving
from tests.conftest import ServerFactory
from tests.patience import PATIENCE_S
from tests.processes import PROJECT, Server, free_port

HANDSHAKE = (
    "GET /ws/v1/lobby/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.url}\r\n"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def socket_to(server: Server, path: str = "/ws/v1/lobby/") -> ClientConnection:
    return connect(f"ws://127.0.0.1:{server.port}{path}", origin=server.url, open_timeout=PATIENCE_S)


class Hears(Protocol):
    """A socket of whatever client."""

    def recv(self, timeout: float) -> str | bytes:
        """The next message."""


def close_code(websocket: Hears) -> int:
    """The code of the close that ends the messages."""
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            websocket.recv(timeout=PATIENCE_S)
    assert closed.value.rcvd
    return closed.value.rcvd.code


def test_the_code_is_the_one_of_the_protocol():
    assert serving.RESTARTING == Close.RESTARTING


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_every_socket_is_told_to_come_back_and_the_server_ends_without_complaint(serve: ServerFactory, how):
    server = serve()
    websockets = [socket_to(server) for _ in range(5)]
    for websocket in websockets:
        websocket.recv(timeout=PATIENCE_S)
    server.ask_to_end(how)
    assert [close_code(websocket) for websocket in websockets] == [Close.RESTARTING] * 5
    assert server.wait() == 0


def test_a_client_that_does_not_answer_the_close_is_not_waited_for_long(serve: ServerFactory):
    server = serve()
    with socket.create_connection(("127.0.0.1", server.port)) as deaf:
        deaf.sendall(HANDSHAKE.format(server=server).encode())
        assert b"101 Switching Protocols" in deaf.recv(4096)
        assert server.terminate() == 0


def test_a_server_told_twice_to_end_does_so_without_complaint(serve: ServerFactory):
    server = serve()
    with socket_to(server) as websocket:
        websocket.recv(timeout=PATIENCE_S)
        server.ask_to_end(signal.SIGINT)
        server.ask_to_end(signal.SIGINT)
        assert server.wait() == 0


def test_who_comes_back_meets_the_other_server_on_the_same_port(serve: ServerFactory):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        here = {"port": listener.getsockname()[1], "fd": listener.fileno()}
        first = serve("--fd", str(listener.fileno()), **here)
        with socket_to(first) as websocket:
            serve("--fd", str(listener.fileno()), **here)
            first.ask_to_end()
            assert close_code(websocket) == Close.RESTARTING
        with socket_to(first) as websocket:
            assert "lobby" in websocket.recv(timeout=PATIENCE_S)


RECORDING = """
import asyncio, sys
from mancala_site import serve

async def application(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    heard = await receive()
    print("heard", heard["type"], heard["code"], flush=True)
    try:
        await asyncio.sleep(float(sys.argv[2]))
        print("finished", flush=True)
    except asyncio.CancelledError:
        print("cancelled", flush=True)
        raise

serve.DRAIN_S = 2
serve.DrainServer(
    application,
    endpoints=["tcp:port=" + sys.argv[1] + ":interface=127.0.0.1"],
    ready_callable=lambda: print("ready", flush=True),
).run()
"""


@pytest.mark.parametrize(("takes_s", "end"), [(0.3, "finished"), (60, "cancelled")])
def test_consumers_hear_of_it_and_have_some_seconds_to_finish(tmp_path: Path, takes_s, end):
    port = free_port()
    script = tmp_path / "recording.py"
    script.write_text(RECORDING)
    command = [sys.executable, script, str(port), str(takes_s)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with Popen(command, env=environment, stdout=PIPE, stderr=STDOUT, text=True) as server:
        assert server.stdout
        assert server.stdout.readline() == "ready\n"
        with connect(f"ws://127.0.0.1:{port}/") as websocket:
            server.terminate()
            assert close_code(websocket) == Close.RESTARTING
        assert server.stdout.read() == f"heard websocket.disconnect 4412\n{end}\n"
    assert server.returncode == 0
