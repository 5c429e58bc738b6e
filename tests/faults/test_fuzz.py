"""Hostile frames and requests by chance: nothing of the server breaks, and the neighbours do not notice.

A quick run sends some of them, `make fuzz` 100,000 frames and 10,000 requests. What a run sends follows from its seed,
which it prints: FUZZ_SEED repeats it.
"""

import asyncio
import json
import os
import re
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.conftest import ServerFactory
from tests.fuzz import attackers
from tests.fuzz.neighbours import Neighbours
from tests.patience import PATIENCE_S
from tests.processes import Server, wait_for

FRAMES = int(os.environ.get("FUZZ_FRAMES", "1500"))
REQUESTS = int(os.environ.get("FUZZ_REQUESTS", "400"))
SEED = int(os.environ.get("FUZZ_SEED", "0")) or Random().getrandbits(32)

pytestmark = pytest.mark.timeout(120 if (FRAMES, REQUESTS) == (1500, 400) else 3600)

ROOMS = "import json; from benchmarks.prepare import _room; print(json.dumps([_room() for _ in range(9)]))"

EXPECTED = (
    r"WARNING games\.sockets: a socket of \w+ was closed: (FLOODING|TOO_LARGE)",
    r"WARNING mancala_site\.doors: a page of .* may not open sockets here: set PUBLIC_URL",
    r"WARNING mancala_site\.\w+: a websocket came without its Upgrade header",
    r"WARNING daphne\.server: Application instance .* took too long to shut down",  # on a very busy machine
    r"WARNING games\.hub: presence in zzzzzzzz not noted: Refused\('no_such_room'\)",
    r"ERROR django\.security\.\w+: ",
    r"WARNING django\.security\.\w+: ",
)
"""What the log may say of them."""

Attack = Callable[[Server, list[attackers.Room], int, Random], Awaitable[Counter[str]]]


@pytest.fixture(scope="module")
def server(site_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose log says only what they caused."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("fuzzed"))
    yield factory()
    factory.end()


@pytest.mark.parametrize(
    ("attack", "count"),
    [(attackers.send_frames, FRAMES), (attackers.send_requests, REQUESTS)],
    ids=["frames", "requests"],
)
async def test_nothing_breaks_and_a_game_next_door_goes_on(server: Server, attack: Attack, count: int):
    sys.stderr.write(f"\nFUZZ_SEED={SEED}\n")  # shown when it fails, and by `make fuzz`
    rooms = json.loads(server.manage("shell", "--verbosity=0", "--command", ROOMS).stdout)
    neighbours = Neighbours(server, rooms[0], Random(SEED))
    over = asyncio.Event()
    begun = time.monotonic()
    async with asyncio.TaskGroup() as group:
        group.create_task(neighbours.play(over))
        ends = await attack(server, rooms, count, Random(SEED))
        over.set()
    took_s = time.monotonic() - begun
    sys.stderr.write(
        f"{count} sent in {took_s:.0f} s, answers {dict(ends)};"
        f" next door {neighbours.moves} moves, the slowest {neighbours.slowest_s * 1000:.0f} ms\n",
    )
    assert not [status for status in ends if status.startswith("5") and status != "501"], ends
    assert neighbours.moves > 0
    await asyncio.to_thread(wait_for, lambda: open_sockets(server) == 0, "all sockets are gone", within=40)
    checked = server.manage("check_games", "--skip-checks")
    assert checked.returncode == 0, checked.stderr
    unexpected = [line for line in server.log.splitlines()[3:] if not re.search("|".join(EXPECTED), line)]
    assert not unexpected, "\n".join(unexpected[:200])


def open_sockets(server: Server) -> float:
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=PATIENCE_S) as answer:
        return sum(map(float, re.findall(r"^mancala_sockets{.*} (\S+)", answer.read().decode(), re.MULTILINE)))
