"""One local socket as the hub sees it: in order, without waiting for it, and never with an endless queue."""

import asyncio
import logging

import pytest

from games.listener import BACKLOG, Listener, Text
from games.protocol import Close
from tests.patience import PATIENCE_S


class SlowSocket:
    """A socket that takes a text only when it is let."""

    def __init__(self):
        self.taken: list[str] = []
        self.closed: list[Close] = []
        self.listener = Listener(self.send, self.close, None)
        self._may_take = asyncio.Semaphore(0)

    async def send(self, text: str) -> None:
        await self._may_take.acquire()
        self.taken.append(text)

    async def close(self, code: Close) -> None:
        self.closed.append(code)

    async def take(self, count: int) -> list[str]:
        """Take some more; all taken so far."""
        goal = len(self.taken) + count
        for _ in range(count):
            self._may_take.release()
        async with asyncio.timeout(PATIENCE_S):
            while len(self.taken) < goal:
                await asyncio.sleep(0)
        return self.taken

    async def idle(self) -> None:
        """Nothing is on its way any more."""
        self._may_take.release()
        async with asyncio.timeout(PATIENCE_S):
            while self.listener._sender:
                await asyncio.sleep(0)


@pytest.fixture
async def slow():
    """A slow socket that has been told the first state."""
    socket = SlowSocket()
    socket.listener.begin("first")
    await socket.take(1)
    socket.taken.clear()
    return socket


async def fresh() -> str:
    return "fresh state"


async def unread() -> str:
    raise ConnectionError("the database is away")


async def test_a_socket_is_told_everything_in_order(slow):
    for number in range(5):
        slow.listener.tell(str(number), fresh)
    assert await slow.take(5) == ["0", "1", "2", "3", "4"]
    slow.listener.tell("later", fresh)
    assert (await slow.take(1))[-1] == "later"


async def test_what_is_told_before_the_first_state_is_heard_after_it():
    early = SlowSocket()
    early.listener.tell("event", fresh)
    early.listener.begin("first")
    assert await early.take(2) == ["first", "event"]


async def test_too_much_before_the_first_state_becomes_a_fresh_one_after_it():
    early = SlowSocket()
    for number in range(10_000):
        early.listener.tell(str(number), fresh)
    assert len(early.listener._waiting) <= BACKLOG
    early.listener.begin("first")
    assert await early.take(2) == ["first", "fresh state"]


async def test_telling_never_waits_for_the_socket(slow):
    for number in range(100_000):
        slow.listener.tell(str(number), fresh)
    assert slow.taken == []


async def test_a_socket_that_keeps_up_to_the_bound_misses_nothing(slow):
    texts = [str(number) for number in range(BACKLOG)]
    for text in texts:
        slow.listener.tell(text, fresh)
    assert await slow.take(len(texts)) == texts


async def test_a_socket_too_far_behind_gets_one_fresh_state_instead(slow):
    """B91: the queue of a slow viewer grew, or what was dropped stalled it for good."""
    for number in range(10_000):
        slow.listener.tell(str(number), fresh)
    assert await slow.take(1) == ["fresh state"]
    slow.listener.tell("after", fresh)
    assert await slow.take(1) == ["fresh state", "after"]
    await slow.idle()
    assert slow.taken == ["fresh state", "after"]


async def test_a_socket_that_is_stuck_in_the_middle_of_a_text_keeps_no_more_than_the_bound(slow):
    slow.listener.tell("stuck", fresh)
    await asyncio.sleep(0)  # the socket begins to take it
    for number in range(10_000):
        slow.listener.tell(str(number), fresh)
    assert len(slow.listener._waiting) <= BACKLOG
    assert await slow.take(2) == ["stuck", "fresh state"]


async def test_a_socket_that_takes_no_more_hurts_nobody(slow, caplog):
    async def fail(text):
        raise ConnectionResetError

    broken = Listener(fail, slow.close, None)
    broken.begin("first")
    for listener in (broken, slow.listener):
        listener.tell("text", fresh)
    assert await slow.take(1) == ["text"]
    assert not broken._waiting
    broken.tell("again", fresh)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_fresh_state_that_cannot_be_read_is_not_waited_for_for_ever(slow):
    for number in range(100):
        slow.listener.tell(str(number), unread)
    while slow.listener._sender:
        await asyncio.sleep(0)
    slow.listener.tell("later", fresh)
    assert await slow.take(1) == ["later"]


async def test_a_socket_is_shut_with_the_reason(slow):
    slow.listener.shut(Close.TOO_MANY_TABS)
    async with asyncio.timeout(PATIENCE_S):
        while not slow.closed:
            await asyncio.sleep(0)
    assert slow.closed == [Close.TOO_MANY_TABS]


class Outlet:
    """A way into a socket past ASGI."""

    def __init__(self):
        self.frames = []
        self.is_full = False

    def write(self, frame):
        if not self.is_full:
            self.frames.append(frame)
        return not self.is_full


async def test_through_an_outlet_frames_go_out_at_once_and_after_the_first_state(slow):
    outlet = Outlet()
    listener = Listener(slow.send, slow.close, None, outlet=outlet)
    listener.tell("early", fresh)
    assert outlet.frames == []
    listener.begin("first")
    assert await slow.take(2) == ["first", "early"]
    await slow.idle()
    listener.tell(Text("now"), fresh)
    assert outlet.frames == [b"\x81\x03now"]


async def test_a_full_outlet_is_waited_for_and_gets_one_fresh_state(slow, monkeypatch):
    monkeypatch.setattr("games.listener._FULL_SECONDS", 0)
    outlet = Outlet()
    listener = Listener(slow.send, slow.close, None, outlet=outlet)
    listener.begin("first")
    assert await slow.take(1) == ["first"]
    while listener._sender:
        await asyncio.sleep(0)
    outlet.is_full = True
    for number in range(10_000):
        listener.tell(str(number), fresh)
    for _ in range(10):
        await asyncio.sleep(0)
    assert (slow.taken, outlet.frames) == (["first"], [])
    outlet.is_full = False
    assert await slow.take(1) == ["first", "fresh state"]


@pytest.mark.parametrize(
    ("length", "header"),
    [
        (0, b"\x81\x00"),
        (125, b"\x81\x7d"),
        (126, b"\x81\x7e\x00\x7e"),
        (65_535, b"\x81\x7e\xff\xff"),
        (65_536, b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
    ],
)
def test_a_frame_says_how_long_it_is(length, header):
    assert Text("x" * length).frame == header + b"x" * length


def test_a_frame_is_as_long_as_its_bytes():
    assert Text("é").frame == b"\x81\x02\xc3\xa9"
