"""A PostgreSQL that is slow, holds one game back, or is killed, while people play."""

import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.conftest import ServerFactory
from tests.faults.table import Table, end_clean
from tests.processes import PostgreSQL, Server, wait_for


@pytest.fixture(scope="module")
def server(site_data: Path, postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on it; when all is over every game is as its record says."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("server"))
    server = factory.prepare(DATABASE_URL=postgresql.url)
    assert server.manage("migrate", "--verbosity=0").returncode == 0
    yield server.start()
    end_clean(factory)


@contextmanager
def held(postgresql: PostgreSQL, table: Table) -> Iterator[None]:
    """Another transaction holds the row of a game."""
    with psycopg.connect(postgresql.url.replace("postgres:", "postgresql:")) as other:
        other.execute("SELECT 1 FROM games_game WHERE room_id = %s FOR UPDATE", [table.code])
        yield
        other.rollback()


def connections(postgresql: PostgreSQL) -> int:
    with psycopg.connect(postgresql.url.replace("postgres:", "postgresql:")) as other:
        found = other.execute("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'").fetchone()
    assert found
    return found[0] - 1


def test_a_game_that_is_held_back_holds_back_no_other(
    server: Server, postgresql: PostgreSQL, table: Table, rooms_made: list[dict[str, str]]
):
    """B112, B114: one call waits in the database; others play on, and it waits no longer than its limit."""
    others = [Table(rooms_made.pop(), server) for _ in range(2)]
    with held(postgresql, table):
        table.south.sow(2)
        for other in others:
            other.south.sow(2)
            other.see("c")
            other.north.say(type="resign", game=1)
            other.south.until(lambda other=other: other.south.page.snapshot["outcome"], "it is over")
        table.still_see("")
        assert table.south.refusals == []  # it still waits
        table.south.until(lambda: table.south.refusals, "the limit is over")
    assert table.south.refusals == ["unavailable"]
    table.south.sow(2)
    table.see("c")
    for other in others:
        other.leave()


def test_who_waits_in_one_room_waits_in_turn_and_all_is_done_once_it_is_free(postgresql: PostgreSQL, table: Table):
    """B114: several writes at once to one row that is slow, and no deadlock."""
    with held(postgresql, table):
        table.south.sow(2)
        table.north.say(type="offer", game=1, kind="draw")
        table.still_see("")
    table.see("c")
    table.south.sow(5)
    table.see("cf")
    assert table.south.refusals == []


def test_visitors_who_turn_away_leave_no_connection_behind(server: Server, postgresql: PostgreSQL, table: Table):
    """B112: pages whose reader has gone (499) and sockets keep to the pool, which holds ten."""
    for _ in range(60):
        with socket.create_connection(("127.0.0.1", server.port)) as visitor:
            visitor.sendall(f"GET /r/{table.code}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    with urllib.request.urlopen(f"{server.url}/r/{table.code}/", timeout=60) as page:
        assert page.status == 200
    assert connections(postgresql) <= 10
    table.south.sow(2)
    table.see("c")


def status(server: Server, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(server.url + path, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.status, answer.read().decode()


def test_while_it_is_dead_pages_say_so_and_moves_are_refused_and_afterwards_play_goes_on(
    server: Server, postgresql: PostgreSQL, table: Table
):
    table.south.sow(2)
    table.see("c")
    postgresql.kill()
    code, words = status(server, f"/r/{table.code}/")
    assert code == 503
    assert "Every move that was made is kept." in words
    table.south.sow(5)
    table.south.until(lambda: table.south.refusals, "it is refused")
    table.still_see("c")
    assert set(table.south.refusals) == {"unavailable"}
    postgresql.start_again()
    wait_for(lambda: status(server, f"/r/{table.code}/")[0] == 200, "pages are back")
    table.south.sow(5)
    table.see("cf")
    table.north.sow(7)
    table.see("cfh")
