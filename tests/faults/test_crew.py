"""Several processes behind one port: all serve, whichever ends is replaced, and they end together."""

import json
import os
import re
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from games.protocol import Close
from tests.conftest import ServerFactory
from tests.faults.test_drain import close_code, socket_to
from tests.patience import PATIENCE_S
from tests.processes import RedisServer, Server, wait_for


def children(server: Server) -> set[int]:
    """The processes that a server has started and that still run."""
    return {int(pid) for pid in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()}


def listens(pid: int) -> bool:
    """Whether a process serves: the last it does before is to see to SIGTERM itself."""
    (caught,) = (line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) & 1 << signal.SIGTERM - 1)


def comes_in(server: Server) -> bool:
    """Whether a socket is served, and did not meet one who is just leaving."""
    try:
        with socket_to(server) as websocket:
            return json.loads(websocket.recv(timeout=PATIENCE_S))["type"] == "lobby"
    except (ConnectionClosed, InvalidHandshake, OSError):
        return False


def begin(factory: ServerFactory, redis: RedisServer) -> Server:
    """Two processes that share a port, both up."""
    server = factory(redis=redis, PROCESSES="2")
    await_both(server)
    return server


def await_both(crew: Server) -> None:
    wait_for(lambda: len(children(crew)) == 2 and all(map(listens, children(crew))), "both are up", within=60)


@pytest.fixture(scope="module")
def _lasting(site_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("crew")
    redis = RedisServer(folder)
    redis.start()
    factory = ServerFactory(site_data, folder)
    try:
        yield begin(factory, redis)
        factory.end()
    finally:
        redis.kill()


@pytest.fixture
def lasting(_lasting: Server) -> Server:
    """A crew for all tests that leave it at work; whoever was killed has been replaced, three in all."""
    await_both(_lasting)
    return _lasting


@pytest.fixture
def crew(serve: ServerFactory, redis_server: RedisServer) -> Server:
    """A crew to be ended."""
    return begin(serve, redis_server)


def test_it_says_how_many_there_are(lasting: Server):
    assert "with Redis (127.0.0.1), in 2 processes." in lasting.log.splitlines()[0]
    assert lasting.log.count("Ctrl-C ends it.") == 1
    assert len(children(lasting)) == 2


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_who_ends_is_replaced_and_the_port_answers_all_the_time(lasting: Server, how: signal.Signals):
    first, second = children(lasting)
    os.kill(first, how)
    wait_for(lambda: comes_in(lasting), "a socket is served", within=60)
    wait_for(lambda: len(children(lasting) - {first}) == 2, "another takes its place")
    assert second in children(lasting)
    assert f"Process {first} ended with {-how if how is signal.SIGKILL else 0}, another takes its place." in lasting.log


def test_figures_are_of_all_together_and_outlive_whoever_counted_them(lasting: Server):
    websockets = [socket_to(lasting) for _ in range(8)]
    for websocket in websockets:
        websocket.recv(timeout=PATIENCE_S)

    def sockets() -> str:
        with urllib.request.urlopen(f"{lasting.url}/metrics", timeout=60) as answer:
            figure = re.search(r'mancala_sockets{kind="lobby"} (\S+)', answer.read().decode())
            return figure[1] if figure else "0.0"

    wait_for(lambda: sockets() == "8.0", "all are counted, and nobody of before")
    for websocket in websockets:
        websocket.close()
    wait_for(lambda: sockets() == "0.0", "all are gone")
    with socket_to(lasting) as websocket:
        websocket.recv(timeout=PATIENCE_S)
        both = children(lasting)
        for pid in both:
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: all(f"Process {pid} ended" in lasting.log for pid in both), "both are replaced")
        assert sockets() == "0.0"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_told_to_end_all_say_farewell_and_end(crew: Server, how: signal.Signals):
    websockets = [socket_to(crew) for _ in range(8)]
    for websocket in websockets:
        websocket.recv(timeout=PATIENCE_S)
    pids = children(crew)
    crew.ask_to_end(how)
    assert [close_code(websocket) for websocket in websockets] == [Close.RESTARTING] * 8
    assert crew.wait(60) == 0
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_told_twice_they_end_without_complaint(crew: Server):
    crew.ask_to_end(signal.SIGINT)
    crew.ask_to_end(signal.SIGTERM)
    assert crew.wait(60) == 0


def test_killed_without_notice_it_leaves_nobody_behind(crew: Server):
    pids = children(crew)
    crew.kill()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), "the others have noticed")


def test_processes_that_do_not_start_are_given_up_with_a_word(serve: ServerFactory, redis_server: RedisServer):
    server = serve.prepare(redis=redis_server, PROCESSES="2", DJANGO_SETTINGS_MODULE="tests.faults.fails_in_a_crew")
    server.launch()
    assert server.wait(60) == 1
    assert server.log.splitlines()[-1] == "Mancala ends: its processes do not start, the last ended with 3."


def test_without_redis_it_says_what_to_do(serve: ServerFactory):
    server = serve.prepare(PROCESSES="2")
    server.launch()
    assert server.wait(60) == 1
    assert server.log == (
        "Mancala cannot start: 2 processes hear each other through Redis. Name one, like"
        " REDIS_URL=redis://127.0.0.1:6379/0 (on Debian: apt install redis-server), or leave out PROCESSES.\n"
    )


def test_a_taken_port_is_one_clear_line(serve: ServerFactory, redis_server: RedisServer, site: Server):
    second = serve.prepare(redis=redis_server, port=site.port, PROCESSES="2")
    second.launch()
    assert second.wait(60) == 1
    assert second.log.startswith(f"Mancala cannot start: port {site.port} is taken.")
