"""Those who send what frames.py and requests.py make up, over raw connections. They expect nothing but an end."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from random import Random
from typing import Any

from tests.fuzz import frames, requests
from tests.patience import PATIENCE_S
from tests.processes import Server

AT_ONCE = 8
"""How many of them there are."""

_FRAMES = 60  # over one connection, which is what a client may send at once
_SILENCE_S = 0.3

_UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.url}\r\n{cookie}"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)

Room = dict[str, str]


async def send_frames(server: Server, rooms: list[Room], count: int, random: Random) -> Counter[str]:
    """Send so many frames; the first of `rooms` is somebody else's. How often connections ended in which way."""
    ends: Counter[str] = Counter()

    async def one(random: Random, most: int) -> int:
        sent, end = await _connection(server, _place(random, rooms), random, most)
        ends[end] += 1
        return sent

    await _share(count, random, one)
    return ends


async def send_requests(server: Server, rooms: list[Room], count: int, random: Random) -> Counter[str]:
    """Send so many requests. How often which status was the answer."""
    answers: Counter[str] = Counter()

    async def one(random: Random, most: int) -> int:
        room = random.choice(rooms[1:])
        parts = requests.any_request(random, f"127.0.0.1:{server.port}", room["code"], room["S"])
        answers[await _request(server, parts)] += 1
        return 1

    await _share(count, random, one)
    return answers


async def _share(count: int, random: Random, one: Callable[[Random, int], Coroutine[Any, Any, int]]) -> None:
    """All attackers go on with `one` until so many things have been sent; what each does next does not hang on time."""

    async def attack(random: Random, left: int) -> None:
        while left > 0:
            left -= await one(Random(random.getrandbits(64)), left)

    async with asyncio.TaskGroup() as group:
        for number in range(AT_ONCE):
            share = (count + number) // AT_ONCE
            group.create_task(attack(Random(random.getrandbits(64)), share))


def _place(random: Random, rooms: list[Room]) -> tuple[str, str]:
    """Where to, and as whom: mostly as a player of one's own room, sometimes as a spectator of the neighbours'."""
    room = random.choice(rooms[1:])
    own, theirs = (f"/ws/v1/rooms/{each['code']}/" for each in (room, rooms[0]))
    return random.choice(
        (
            *((own, room["S"]), (own, room["N"])) * 2,
            *((theirs, room["S"]), (theirs, ""), (f"{theirs}watch/", room["N"])),
            *(("/ws/v1/lobby/", room["S"]), ("/ws/v1/rooms/zzzzzzzz/", ""), ("/ws/v2/", "")),
        )
    )


async def _connection(server: Server, place: tuple[str, str], random: Random, most: int) -> tuple[int, str]:
    """Open a socket, send frames until one ends it or there are enough, and go: how many, and what the end was."""
    path, cookie = place
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    sent = 0
    try:
        held = f"Cookie: {cookie}\r\n" if cookie else ""
        writer.write(_UPGRADE.format(path=path, server=server, cookie=held).encode())
        try:
            async with asyncio.timeout(PATIENCE_S):
                answer = await reader.readuntil(b"\r\n\r\n")
        except ConnectionError:  # on a very busy machine its patience with a closed socket is over before that is told
            return 0, "not let in"
        assert answer.startswith(b"HTTP/1.1 101 "), answer
        hearing = asyncio.create_task(_hear_out(reader))
        frame = frames.Frame(b"")
        while sent < min(most, _FRAMES) and not frame.ends and not hearing.done():
            frame = frames.any_frame(random)
            sent += 1
            try:
                await _write(writer, frame.wire, random)
            except ConnectionError:
                break
        if frame.ends or random.random() < 0.3:
            writer.transport.abort()  # half a word is not waited for
            end = "cut"
        else:
            writer.write(frames.framed(frames.CLOSE, b"\x03\xe8"))
            end = "closed"
        async with asyncio.timeout(PATIENCE_S):
            await hearing
        return sent, end
    finally:
        writer.transport.abort()


async def _write(writer: asyncio.StreamWriter, wire: bytes, random: Random) -> None:
    if random.random() < 0.02:  # in more than one piece
        cut = random.randrange(len(wire) + 1)
        writer.write(wire[:cut])
        await writer.drain()
        await asyncio.sleep(0.01)
        wire = wire[cut:]
    writer.write(wire)
    await writer.drain()


async def _hear_out(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        while await reader.read(65_536):
            pass


async def _request(server: Server, parts: list[bytes]) -> str:
    """Send a request and read until the server has nothing more to say: the status of its first answer, if any."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    answer = b""
    try:
        with suppress(ConnectionError):
            for part in parts:
                writer.write(part)
                await writer.drain()
                if len(parts) > 1:
                    await asyncio.sleep(0.05)
        with suppress(ConnectionError, TimeoutError):
            while True:
                async with asyncio.timeout(_SILENCE_S if answer or len(parts) > 1 else 1):
                    part = await reader.read(65_536)
                if not part:
                    break
                answer += part
    finally:
        writer.transport.abort()
    found = re.match(rb"HTTP/1\.[01] (\d{3}) ", answer)
    assert found or not answer, answer[:200]
    return found[1].decode() if found else "none"
