"""The same site on another ASGI server: consumers use nothing that only Daphne has."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.live.test_serving import fetch, refusal
from tests.patience import PATIENCE_S
from tests.processes import PROJECT, Server, free_port


class Uvicorn(Server):
    program = (
        *("uvicorn", "mancala_site.asgi:application", "--http", "mancala_site.uvicorn_socket:Entrance"),
        *("--ws", "mancala_site.uvicorn_socket:Socket", "--loop", "uvloop", "--lifespan", "off"),
        *("--log-level", "warning"),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("uvicorn")


@pytest.fixture(scope="module")
def rooms(folder: Path) -> dict:
    """Two players with their cookies, in a room of a database of their own."""
    file = folder / "rooms.json"
    command = [sys.executable, "-m", "benchmarks.prepare", "1", "1", str(file)]
    subprocess.run(command, cwd=PROJECT, env={"DATA_DIR": str(folder)}, check=True)
    return json.loads(file.read_text())


@pytest.fixture(scope="module")
def server(folder: Path, rooms: dict) -> Iterator[Server]:
    port = str(free_port())
    environment = {"DATA_DIR": str(folder), "DATABASE_URL": "", "REDIS_URL": "", "PORT": port, "UVICORN_PORT": port}
    server = Uvicorn({**environment, "DEBUG": "1"}, folder / "log").start()
    yield server
    server.terminate()
    assert "Traceback" not in server.log, server.log


def enter(server: Server, code: str, cookie: str) -> ClientConnection:
    address = f"ws://127.0.0.1:{server.port}/ws/v1/rooms/{code}/"
    return connect(address, origin=server.url, additional_headers={"Cookie": cookie})


def hear(socket: ClientConnection, kind: str) -> dict:
    """The next message of this kind."""
    while (message := json.loads(socket.recv(timeout=PATIENCE_S)))["type"] != kind:
        pass
    return message


def test_pages_are_served_and_strangers_kept_out(server: Server):
    assert fetch(server)[0] == 200
    assert refusal(server, "http://elsewhere.example") == 403


def test_two_play_on_and_who_watches_is_told_though_the_first_of_them_is_gone(server: Server, rooms: dict):
    (room,), (watcher,) = rooms["rooms"], rooms["spectators"]
    with enter(server, room["code"], room["S"]) as south, enter(server, room["code"], room["N"]) as north:
        gone = enter(server, room["code"], watcher)
        hear(gone, "welcome")
        gone.socket.close()  # no farewell
        with enter(server, room["code"], watcher) as watching:
            for socket in (south, north, watching):
                hear(socket, "welcome")
            south.send(json.dumps({"type": "play", "game": 1, "ply": 0, "pit": 0}))
            for socket in (south, north, watching):
                sown = hear(socket, "sown")
                assert (sown["pit"], sown["turn"], sown["stones"][:6]) == (0, "N", [0, 5, 5, 5, 5, 4])
