"""A server that is restarted, politely or not: its people come back to what was there, and to nobody who is not."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.protocol import Close
from tests.conftest import ServerFactory
from tests.faults.table import Seat, Table, end_clean
from tests.faults.test_drain import HANDSHAKE
from tests.patience import PATIENCE_S
from tests.processes import Server

CLOSED = b"\x88\x02" + Close.RESTARTING.to_bytes(2)
"""The whole frame that closes a websocket."""


@pytest.fixture(scope="module")
def server(site_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server to be restarted; when all is over every game is as its record says."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("server"))
    server = factory()
    yield server
    end_clean(factory)


def watchers(server: Server, code: str, number: int) -> list[socket.socket]:
    """So many who come to a room in the same moment, once all have been greeted."""
    hello = HANDSHAKE.format(server=server).replace("lobby", f"rooms/{code}").encode()
    came = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(number)]
    for one in came:
        one.settimeout(PATIENCE_S)
        one.sendall(hello)
    for one in came:
        hear(one, b'"welcome"')
    return came


def hear(one: socket.socket, what: bytes) -> None:
    heard = b""
    while what not in heard:
        chunk = one.recv(65_536)
        assert chunk, heard
        heard += chunk


def test_a_hundred_are_sent_away_and_come_back_all_at_once(server: Server, rooms_made: list[dict[str, str]]):
    """B115, B41: nobody is just dropped, and though they do not spread nobody is kept out."""
    table = Table(rooms_made.pop(), server)
    table.south.sow(2)
    table.see("c")
    away = watchers(server, table.code, 100)
    server.ask_to_end()
    for one in away:
        hear(one, CLOSED)
        one.close()
    assert server.wait() == 0
    server.start()
    back = watchers(server, table.code, 100)
    for seat in table.all:
        seat.come_in(server)
    table.see("c")
    table.south.sow(5)
    table.see("cf")
    hear(back[-1], b'"sown"')
    for one in back:
        one.close()
    table.leave()


def test_after_a_kill_all_is_as_it_was_except_who_is_here(server: Server, rooms_made: list[dict[str, str]]):
    """B116, B59: rooms live in no process's memory, and ghosts in none."""
    room = rooms_made.pop()
    table = Table(room, server)
    table.south.sow(2)
    table.see("c")
    table.south.sow(5)
    table.see("cf")
    table.south.say(type="offer", game=1, kind="draw")
    table.north.until(lambda: table.north.page.snapshot["offer"], "it is offered")
    table.south.until(lambda: table.south.presence == (1, 1, 1), "all are here")
    before = table.north.page.snapshot
    server.kill()
    server.start()
    north = Seat(server, room["code"], room["N"])
    assert (north.page.you, north.page.snapshot) == ("N", before)
    north.until(lambda: north.presence == (0, 1, 0), "nobody else is here")
    north.say(type="answer", game=1, offer=before["offer"]["id"], accept=True)
    north.until(lambda: north.page.snapshot["outcome"], "it is a draw")
    south = Seat(server, room["code"], room["S"])
    assert south.board == north.board
    for seat in (north, south):
        seat.leave()
