"""Plies that a server hands over past ASGI: dealt with as they come where nothing is in the way, else left to ASGI."""

import asyncio
import json
import sqlite3
from contextlib import closing

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F

from games import actions, storage
from games.models import Game
from tests.live.sockets import do
from tests.patience import PATIENCE_S

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("sqlite3" not in settings.DATABASES["default"]["ENGINE"], reason="there a thread writes"),
]

SHORT = 126  # bytes, from which on a frame has a longer head


class Outlet:
    """The way past ASGI that a server offers to one socket."""

    is_full = False

    def __init__(self) -> None:
        self.hear = None
        self.told = asyncio.Queue()

    def write(self, frame: bytes) -> bool:
        """What the consumer sends, but for who is here, which comes when it comes."""
        message = json.loads(frame[2:] if frame[1] < SHORT else frame[4:])
        if message["type"] != "presence":
            self.told.put_nowait(message)
        return True

    def sow(self, ply: int, pit: int) -> bool:
        """Whether a ply is dealt with."""
        return self.hear(json.dumps({"type": "play", "game": 1, "ply": ply, "pit": pit}).encode())

    async def next(self, *kinds: str) -> dict:
        """The next message of one of these kinds."""
        async with asyncio.timeout(PATIENCE_S):
            while (message := await self.told.get())["type"] not in kinds:
                pass
        return message


@pytest.fixture
def scarce(settings):
    """Of what a socket may say at once there are three messages."""
    settings.SOCKET_RATE, settings.SOCKET_BURST = 1e-6, 3


@pytest.fixture
async def north(sockets, code, ann, ben):
    """North, to move as ply 2, on a server with a way past ASGI; its socket and its outlet."""
    outlet = Outlet()
    socket = await sockets.open(f"/ws/v1/rooms/{code}/", ben, outlet=outlet)
    await outlet.next("welcome")
    south = await sockets.enter(code, ann)
    for ply, pit in enumerate((2, 0)):  # the second lets the loop write from now on
        await south.say(type="play", game=1, ply=ply, pit=pit)
        await outlet.next("sown")
    async with asyncio.timeout(PATIENCE_S):
        while storage.ledger() is None:
            await asyncio.sleep(0)
    return socket, outlet


async def ply_of(code: str) -> int:
    return await do(lambda: Game.objects.get(room=code).ply)


async def test_a_ply_is_dealt_with_as_it_comes_and_told_when_it_is_committed(north, code):
    _, outlet = north
    assert outlet.sow(ply=2, pit=9)
    assert outlet.told.empty()
    assert (await outlet.next("sown", "refused"))["pit"] == 9
    assert await ply_of(code) == 3


@pytest.mark.parametrize(
    "text",
    [
        b'{"type": "play", "game": 1, "ply": 2, "pit": 3}',
        b'{"type": "play", "game": 1, "ply": 1, "pit": 9}',
        b'{"type": "play", "game": 2, "ply": 2, "pit": 9}',
        b'{"type": "play", "game": 1, "ply": 2}',
        b'{"type": "sync"}',
        b"nonsense",
    ],
    ids=["illegal", "late", "of no game", "half", "no ply", "nonsense"],
)
async def test_whatever_is_to_be_refused_or_is_no_ply_is_left_to_asgi(north, code, text):
    socket, outlet = north
    assert not outlet.hear(text)
    await socket.send(text.decode())
    assert (await outlet.next("sown", "refused", "welcome"))["type"] != "sown"
    assert await ply_of(code) == 2


async def test_a_fault_is_logged_and_the_ply_left_to_asgi(north, monkeypatch, caplog):
    def faulty(*args, **kwargs):
        raise ZeroDivisionError

    _, outlet = north
    monkeypatch.setattr(actions, "prepare", faulty)
    assert not outlet.sow(ply=2, pit=9)
    assert [record.exc_info[0] for record in caplog.records] == [ZeroDivisionError]


async def test_who_may_say_no_more_is_refused_by_asgi(scarce, north):
    socket, outlet = north
    for answer in ("welcome", "welcome", "welcome", "refused"):
        await socket.say(type="sync")
        assert (await outlet.next("welcome", "refused"))["type"] == answer
    assert not outlet.sow(ply=2, pit=9)


async def test_what_comes_through_asgi_waits_until_all_is_done_about_it(north, code):
    socket, outlet = north
    await do(lambda: Game.objects.filter(room=code).update(version=F("version") + 1))  # so that it takes longer
    assert outlet.sow(ply=2, pit=9)  # an extra turn
    await socket.say(type="play", game=1, ply=3, pit=7)
    assert [(await outlet.next("sown", "refused")).get("pit") for _ in range(2)] == [9, 7]
    assert await ply_of(code) == 4


async def test_a_second_before_the_first_is_committed_is_left_to_asgi(north):
    _, outlet = north
    assert outlet.sow(ply=2, pit=9)
    assert not outlet.sow(ply=3, pit=7)


async def test_while_somebody_else_writes_it_waits_for_the_thread(north, code):
    _, outlet = north
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert outlet.sow(ply=2, pit=9)
        for _ in range(10):
            await asyncio.sleep(0)
        assert outlet.told.empty()
        other.execute("COMMIT")
    assert (await outlet.next("sown", "refused"))["pit"] == 9
    assert await ply_of(code) == 3


async def test_by_a_row_that_somebody_changed_nothing_is_written_and_the_ply_is_played_by_the_new_one(north, code):
    _, outlet = north
    await do(lambda: Game.objects.filter(room=code).update(version=F("version") + 1))
    assert outlet.sow(ply=2, pit=9)
    sown = await outlet.next("sown", "refused")
    assert (sown["pit"], sown["version"]) == (9, await do(lambda: Game.objects.get(room=code).version))
    assert await ply_of(code) == 3


async def test_a_ply_whose_sender_is_gone_is_committed(north, code):
    socket, outlet = north
    assert outlet.sow(ply=2, pit=9)
    await socket.close()
    assert await ply_of(code) == 3
    assert storage.ledger()
