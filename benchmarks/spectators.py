"""What a crowd costs the two who play: how long a move takes to come back to who made it, with and without spectators.

    python -m benchmarks.spectators

One server process, one room. The crowd is people whom the site knows by name, in a process of its own.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median, quantiles

from websockets.asyncio.client import ClientConnection, connect

from tests.processes import PROJECT, Server, free_port

PAUSE_S = 0.3
"""Between two moves."""

OPENING_AT_ONCE = 8


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spectators", description=__doc__.splitlines()[0])
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--moves", type=int, default=100, help="measured while nobody comes or goes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mancala-bench-") as name:
        room, *others = _prepared(Path(name), 1 + (options.spectators + 1) // 2)
        crowd = [other[side] for other in others for side in "SN"][: options.spectators]
        environment = {"DATA_DIR": name, "PORT": str(free_port()), "ADDRESS_SOCKETS": "1000000"}
        environment |= {"SOCKET_RATE": "1000000", "SOCKET_BURST": "1000000"}
        server = Server(environment, Path(name) / "log", ["--prepare"]).start()
        try:
            asyncio.run(_report(server.port, room, crowd, options.moves))
        finally:
            server.terminate()


def _prepared(folder: Path, rooms: int) -> list[dict[str, str]]:
    file = folder / "rooms.json"
    command = [sys.executable, "-m", "benchmarks.prepare", str(rooms), str(file)]
    subprocess.run(command, cwd=PROJECT, env={**os.environ, "DATA_DIR": str(folder)}, check=True)
    return json.loads(file.read_text())


async def _report(port: int, room: dict[str, str], cookies: list[str], moves: int) -> None:
    pair = Pair(*[await _enter(port, room["code"], room[side]) for side in "SN"])
    print("| spectators | own echo, ms: median, 95 % within | moves |")
    print("| --- | ---: | ---: |")
    are_here, may_go = multiprocessing.Event(), multiprocessing.Event()
    crowd = multiprocessing.Process(target=_watch, args=(port, room["code"], cookies, are_here, may_go))
    _print_row("0", await pair.play(lambda played: played == moves))
    crowd.start()
    _print_row(f"{len(cookies)}, while they come", await pair.play(lambda _: are_here.is_set()))
    _print_row(f"{len(cookies)}", await pair.play(lambda played: played == moves))
    may_go.set()


def _print_row(who: str, echoes: list[float]) -> None:
    print(f"| {who} | {median(echoes):.1f}, {quantiles(echoes, n=20)[-1]:.1f} | {len(echoes)} |", flush=True)


async def _enter(port: int, code: str, cookie: str) -> ClientConnection:
    host = f"127.0.0.1:{port}"
    url, headers = f"ws://{host}/ws/v1/rooms/{code}/", {"Cookie": cookie}
    return await connect(url, origin=f"http://{host}", additional_headers=headers, compression=None)


async def _hear(socket: ClientConnection, kind: str) -> dict:
    """The next message of this kind."""
    while (message := json.loads(await socket.recv()))["type"] != kind:
        pass
    return message


class Pair:
    """The two who play, one random game after the other."""

    def __init__(self, south: ClientConnection, north: ClientConnection) -> None:
        self._sockets = (south, north)
        self._by_side = {"S": south, "N": north}
        self._chance = random.Random(1)
        self._state: dict = {}

    async def play(self, is_enough: Callable[[int], bool]) -> list[float]:
        """Play until it is enough: how long each move took to come back to who made it, in ms."""
        if not self._state:
            self._state = [(await _hear(socket, "welcome"))["snapshot"] for socket in self._sockets][-1]
        echoes: list[float] = []
        while not is_enough(len(echoes)):
            if self._state["turn"] is None:
                await self._begin_anew()
            echoes.append(await self._move())
            await asyncio.sleep(PAUSE_S)
        return echoes

    async def _move(self) -> float:
        state = self._state
        mover = self._by_side[state["turn"]]
        pit = self._chance.choice(state["legal"])[0]
        begun = time.perf_counter()
        await mover.send(json.dumps({"type": "play", "game": state["game"], "ply": state["ply"], "pit": pit}))
        sown = await _hear(mover, "sown")
        echo = (time.perf_counter() - begun) * 1000
        for socket in self._sockets:
            if socket is not mover:
                await _hear(socket, "sown")
        self._state = {**state, "ply": sown["ply"] + 1, "turn": sown["turn"], "legal": sown["legal"]}
        return echo

    async def _begin_anew(self) -> None:
        for socket in self._sockets:
            await socket.send(json.dumps({"type": "offer", "game": self._state["game"], "kind": "rematch"}))
        self._state = [await _hear(socket, "snapshot") for socket in self._sockets][-1]
        self._by_side = {"S": self._by_side["N"], "N": self._by_side["S"]}


def _watch(port: int, code: str, cookies: list[str], are_here: Event, may_go: Event) -> None:
    async def listen(cookie: str, door: asyncio.Semaphore) -> None:
        async with door:
            socket = await _enter(port, code, cookie)
            sockets.append(socket)
            if len(sockets) == len(cookies):
                are_here.set()
        async for _ in socket:
            pass

    async def watch() -> None:
        door = asyncio.Semaphore(OPENING_AT_ONCE)
        listening = [asyncio.create_task(listen(cookie, door)) for cookie in cookies]
        await asyncio.to_thread(may_go.wait)
        await asyncio.gather(*(socket.close() for socket in sockets), *listening)

    sockets: list[ClientConnection] = []
    asyncio.run(watch())


if __name__ == "__main__":
    main()
