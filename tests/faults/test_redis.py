"""Two processes whose Redis restarts, is full, throws keys away or takes none: play goes on, and both are put right."""

import re
import secrets
import socket
import struct
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ServerFactory
from tests.faults.table import Table, end_clean, rooms
from tests.faults.test_drain import HANDSHAKE
from tests.patience import PATIENCE_S
from tests.processes import RedisServer, Server, wait_for


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def two(site_data: Path, redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two servers with one database; when all is over every game is as its record says."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("servers"))
    servers = [factory.prepare(redis=redis) for _ in range(2)]
    for server in servers:
        server.launch()
    for server in servers:
        server.answers()
    yield servers
    end_clean(factory)


@pytest.fixture(scope="module")
def rooms_made(two: list[Server]) -> list[dict[str, str]]:
    return rooms(two[0], 10)


@pytest.fixture
def table(two: list[Server], rooms_made: list[dict[str, str]]) -> Iterator[Table]:
    """South here; North and somebody who watches in the other process."""
    table = Table(rooms_made.pop(), *two)
    yield table
    table.leave()


@pytest.fixture
def another(two: list[Server], rooms_made: list[dict[str, str]]) -> Iterator[Table]:
    another = Table(rooms_made.pop(), *two)
    yield another
    another.leave()


def figure(server: Server, name: str) -> float:
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=PATIENCE_S) as answer:
        found = re.search(rf"^{re.escape(name)} (\S+)$", answer.read().decode(), re.MULTILINE)
    assert found, name
    return float(found[1])


@contextmanager
def faulty(redis: RedisServer, *commands: str) -> Iterator[None]:
    """Redis as these commands make it; afterwards it is well again."""
    for command in commands:
        redis.ask(*command.split())
    try:
        yield
    finally:
        redis.ask("CONFIG", "SET", "maxmemory", "0")
        redis.ask("REPLICAOF", "NO", "ONE")


@pytest.mark.parametrize(
    ("commands", "complaint"),
    [
        (["CONFIG SET maxmemory-policy noeviction", "CONFIG SET maxmemory 1"], "OutOfMemory"),
        (["REPLICAOF 127.0.0.1 9"], "ReadOnly"),
    ],
    ids=["full", "after another that is away, and read only"],
)
def test_a_redis_that_takes_nothing_still_passes_moves_on(
    redis: RedisServer, two: list[Server], table: Table, commands: list[str], complaint: str
):
    """All that is not kept is a hint: how many look at a game, for the lobby."""
    table.south.sow(2)
    table.see("c")
    with faulty(redis, *commands):
        table.south.sow(5)
        table.see("cf")
        table.north.leave()
        table.south.until(lambda: table.south.presence == (1, 0, 1), "who is here is told all the same")
        wait_for(lambda: complaint in two[0].log, "the log says what is wrong")
        table.north.come_in(two[1])
        table.north.say(type="react", kind="wow")
        table.south.until(lambda: "wow" in table.south.reactions, "it is seen")
        table.north.sow(7)
        table.see("cfh")
    table.south.sow(0)
    table.see("cfha")


def fill(redis: RedisServer) -> object:
    return redis.ask("SET", secrets.token_hex(8), "x" * 200_000)


def test_a_redis_that_throws_keys_away_takes_nothing_from_a_game(redis: RedisServer, two: list[Server], table: Table):
    """B118: what is true of a game is nowhere but in the database."""
    table.south.sow(2)
    table.see("c")
    with faulty(redis, "CONFIG SET maxmemory-policy allkeys-lru", "CONFIG SET maxmemory 5mb"):
        wait_for(lambda: redis.ask("KEYS", "mancala*"), "something is kept")
        wait_for(
            lambda: redis.ask("SET", secrets.token_hex(8), "x" * 200_000) and not redis.ask("KEYS", "mancala*"),
            "all is gone",
        )
        table.south.sow(5)
        table.see("cf")
        for server in two:
            with urllib.request.urlopen(server.url, timeout=PATIENCE_S) as lobby:
                assert lobby.status == 200
        table.north.leave()
        table.north.come_in(two[1])
        table.north.sow(7)
        table.see("cfh")
    redis.ask("FLUSHALL")


def test_nothing_is_kept_in_redis_for_ever_and_no_membership_runs_out(redis: RedisServer, table: Table):
    """B118: keys that nobody deletes grow for ever. B111: a membership that runs out leaves its room deaf."""
    table.see("")
    keys = wait_for(lambda: redis.ask("KEYS", "*"), "it is noted who is here")
    assert all(redis.ask("PTTL", key) > 0 for key in keys)
    groups = redis.ask("PUBSUB", "CHANNELS", "mancala.group.*")
    assert f"mancala.group.{table.code}".encode() in groups  # a subscription, which has no time to live


def test_who_comes_and_goes_leaves_nothing_behind(
    redis: RedisServer, two: list[Server], rooms_made: list[dict[str, str]]
):
    """B110: sockets that were closed, politely or not, hold no connections or groups."""

    def held() -> tuple[int, int, float]:
        """Connections of Redis, groups, and whatever else the process has open."""
        clients = redis.ask("CLIENT", "LIST").splitlines()
        return len(clients), len(redis.ask("PUBSUB", "CHANNELS", "*")), figure(two[0], "process_open_fds")

    room = rooms_made.pop()
    come_and_go(two[0], room, 2)
    wait_for(lambda: redis.ask("KEYS", f"*{room['code']}*"), "it is remembered, and the cache connected, who was there")
    before = held()
    come_and_go(two[0], room, 100)
    wait_for(lambda: all(now <= then for now, then in zip(held(), before, strict=True)), "all is let go")


def test_a_restart_of_redis_is_played_through_without_a_reload(redis: RedisServer, table: Table, another: Table):
    """B107: after a restart of Redis nobody ever heard of the others again. Two live games, no page is loaded anew."""
    tables = (table, another)
    for one in tables:
        one.south.sow(2)
        one.see("c")
    redis.kill()
    for one in tables:
        one.south.sow(5)
        one.south.until(lambda one=one: one.south.board[0] == "cf", "the own process tells it")
    table.north.beat()
    table.north.until(lambda: table.north.board[0] == "cf", "the heartbeat brings it")
    table.north.sow(7)
    table.north.until(lambda: table.north.board[0] == "cfh", "the own process tells it")
    redis.start()
    table.see("cfh")  # what was missed is read anew
    another.see("cf")
    another.north.sow(7)
    another.see("cfh")
    table.south.sow(0)
    table.see("cfha")


def come_and_go(server: Server, room: dict[str, str], times: int) -> None:
    """Enter a room again and again, and be gone without a word."""
    hello = HANDSHAKE.format(server=server).replace("lobby", f"rooms/{room['code']}").encode()
    hello = hello.replace(b"\r\n", f"\r\nCookie: {room['S']}\r\n".encode(), 1)
    for number in range(times):
        with socket.create_connection(("127.0.0.1", server.port)) as guest:
            guest.settimeout(PATIENCE_S)
            guest.sendall(hello)
            while b'"welcome"' not in guest.recv(65_536):
                pass
            if number % 2:  # torn off
                guest.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
