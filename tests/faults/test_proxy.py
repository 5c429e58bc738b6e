"""Behind nginx as deploy/nginx.conf sets it up: https, who is asking, silence, and what the public is not told."""

import asyncio
import json
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import pytest
from websockets.asyncio.client import ClientConnection as Connection, connect as connect_alone
from websockets.sync.client import connect

from games.protocol import Close
from tests.conftest import ServerFactory
from tests.faults.test_drain import close_code, socket_to
from tests.patience import PATIENCE_S
from tests.processes import Nginx, RedisServer, Server, free_port

Proxy = Callable[..., tuple[Nginx, Server]]


@pytest.fixture
def proxied(serve: ServerFactory, tmp_path: Path) -> Iterator[Proxy]:
    """`proxied(PING_SECONDS="1", also="proxy_read_timeout 5s;")`: an nginx and the server behind it."""
    started: list[Nginx] = []

    def start(*, also: str = "", **environment: str) -> tuple[Nginx, Server]:
        port = free_port()
        server = serve(PUBLIC_URL=f"https://localhost:{port}", **environment)
        nginx = Nginx(tmp_path / f"nginx-{len(started)}", [server.port], port=port, also=also)
        started.append(nginx)
        return nginx.start(), server

    yield start
    for nginx in started:
        nginx.stop()


def trusting(nginx: Nginx) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=nginx.certificate)


def fetch(nginx: Nginx, path: str = "/", **headers: str) -> tuple[int, dict[str, str]]:
    """Status and headers of a page, by https."""
    request = urllib.request.Request(nginx.url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S, context=trusting(nginx)) as answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}


class Through:
    """A websocket by https, for one thread: of two at once on a TLS connection one may wait for ever."""

    def __init__(self, nginx: Nginx, path: str = "/ws/v1/lobby/", **options: object) -> None:
        self._runner = asyncio.Runner()
        address = f"wss://localhost:{nginx.port}{path}"
        self._socket = self._runner.run(self._open(address, origin=nginx.url, ssl=trusting(nginx), **options))

    @staticmethod
    async def _open(address: str, **options: object) -> Connection:
        return await connect_alone(address, **options)

    def recv(self, timeout: float) -> str | bytes:
        return self._runner.run(asyncio.wait_for(self._socket.recv(), timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._socket.close())
        self._runner.close()


def test_pages_and_sockets_come_through_and_are_meant_for_https_only(proxied: Proxy):
    nginx, _ = proxied()
    status, headers = fetch(nginx)
    assert status == 200
    assert headers["strict-transport-security"] == f"max-age={30 * 24 * 60 * 60}"
    assert "; secure" in headers["set-cookie"].lower()
    assert "server" not in headers or "/" not in headers["server"]
    with Through(nginx) as websocket:
        assert json.loads(websocket.recv(timeout=PATIENCE_S))["type"] == "lobby"
    assert nginx.log == ""


def test_the_public_is_told_nothing_that_is_for_operators(proxied: Proxy):
    nginx, server = proxied()
    for path in ("/healthz", "/readyz", "/metrics"):
        assert fetch(nginx, path)[0] == 404
        with urllib.request.urlopen(server.url + path, timeout=PATIENCE_S) as answer:
            assert answer.status == 200


def test_who_is_asking_is_the_proxys_to_say(proxied: Proxy):
    nginx, _ = proxied(ADDRESS_SOCKETS="1")
    with Through(nginx) as first:
        first.recv(timeout=PATIENCE_S)
        with Through(nginx, additional_headers={"X-Real-IP": "192.0.2.7"}) as second:
            assert close_code(second) == Close.FLOODING


def test_without_a_proxy_nobody_says_so(serve: ServerFactory):
    server = serve(ADDRESS_SOCKETS="1")
    with socket_to(server) as first:
        first.recv(timeout=PATIENCE_S)
        address = f"ws://127.0.0.1:{server.port}/ws/v1/lobby/"
        with connect(address, origin=server.url, additional_headers={"X-Real-IP": "192.0.2.7"}) as second:
            assert close_code(second) == Close.FLOODING


class Silent:
    """A client that only counts how often it is asked whether it is there, and answers."""

    def __init__(self, nginx: Nginx) -> None:
        plain = socket.create_connection(("localhost", nginx.port))
        self._wire = trusting(nginx).wrap_socket(plain, server_hostname="localhost")
        self._wire.settimeout(PATIENCE_S)
        hello = (
            f"GET /ws/v1/lobby/ HTTP/1.1\r\nHost: localhost:{nginx.port}\r\nOrigin: {nginx.url}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        self._wire.sendall(hello.encode())
        self._file = self._wire.makefile("rb")
        assert b"101" in self._file.readline()
        while self._file.readline() != b"\r\n":
            pass

    def pings_until(self, most: int) -> int:
        """How often it was asked, up to so many times, before it was cut off."""
        asked = 0
        while asked < most and (head := self._file.read(2)):
            size = head[1]
            if size == 126:
                size = int.from_bytes(self._file.read(2), "big")
            payload = self._file.read(size)
            if head[0] & 0x0F == 9:
                asked += 1
                self._wire.sendall(bytes([0x8A, 0x80 | size, 0, 0, 0, 0]) + payload)
        return asked

    def close(self) -> None:
        self._file.close()
        self._wire.close()


def test_a_silent_socket_stays_open_for_three_times_the_proxys_patience(proxied: Proxy):
    """B40: proxies cut quiet sockets. nginx waits for a minute, here for four; pings come every two or three."""
    nginx, _ = proxied(PING_SECONDS="1", also="proxy_read_timeout 4s;")
    client = Silent(nginx)
    assert client.pings_until(6) == 6  # twelve seconds at least
    client.close()


def test_without_being_asked_it_would_be_cut_off(proxied: Proxy):
    nginx, _ = proxied(PING_SECONDS="60", also="proxy_read_timeout 2s;")
    client = Silent(nginx)
    assert client.pings_until(1) == 0
    client.close()


def test_a_rooms_players_are_led_to_one_process_and_to_another_when_it_is_gone(
    serve: ServerFactory, redis_server: RedisServer, tmp_path: Path
):
    port = free_port()
    first, second = (serve(redis=redis_server, PUBLIC_URL=f"https://localhost:{port}") for _ in range(2))
    nginx = Nginx(tmp_path / "nginx", [first.port, second.port], port=port).start()

    def counted(server: Server) -> int:
        """How many sockets that no room had were opened and closed there."""
        with urllib.request.urlopen(f"{server.url}/metrics", timeout=PATIENCE_S) as answer:
            lines = answer.read().decode().splitlines()
        found = [line.split()[1] for line in lines if line.startswith('mancala_closed_total{code="4404"}')]
        return int(float(found[0])) if found else 0

    def knock(code: str) -> None:
        with Through(nginx, f"/ws/v1/rooms/{code}/") as websocket:
            assert close_code(websocket) == Close.NO_SUCH_ROOM

    try:
        for _ in range(4):
            knock("abcdefgh")
        assert sorted([counted(first), counted(second)]) == [0, 4]
        home, other = (first, second) if counted(first) else (second, first)
        home.terminate()
        knock("abcdefgh")
        assert counted(other) == 1
    finally:
        nginx.stop()
