"""Many games over two server processes while these, Redis and PostgreSQL are killed and started again, at random.

    python -m tests.soak --minutes 20 --games 300

Every move that anybody was told of must be in the database at the end, every game must end equal on all screens, and
the memory of the servers must not grow. Prints what was seen; exits with 1 if any of that is not so. When what is
killed, and what is played, follows from the seed; what comes of it does not.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from games.rules.transcript import letter
from tests.processes import PostgreSQL, RedisServer, Server, free_port, wait_for
from tests.soak.screens import Screen

STRIKES_S = (20.0, 40.0)
"""From one kill to the next."""

DOWN_S = (0.5, 5.0)
"""How long what was killed stays away."""

SPARED = 1 / 4
"""The last part of the time, in which the servers are not killed: their memory is judged then."""

WARM_S = 60.0
"""By then a process holds all that it needs."""

JUDGED_S = 120.0
"""For how long it has to live on, else nothing is said of it."""

GROWTH_BYTES = 350
"""How much a process may grow after that for each move of all games."""

SETTLE_S = 180.0
"""How long games may take to end once nothing is killed any more."""

ROOMS = """
import json
from benchmarks.prepare import _guest, _room
print(json.dumps([_room() | {"watching": _guest()[1]} for _ in range(%d)]))
"""
GAMES = """
import json
from games.models import Game
print(json.dumps(list(Game.objects.values("room_id", "number", "transcript", "status", "winner", "ending"))))
"""
VIEWERS = ("S", "N", "watching")


class Soak:
    """What runs, what strikes it, and what was seen."""

    def __init__(self, minutes: float, games: int, seed: int, folder: Path) -> None:
        self.faults: list[str] = []
        self._counts: Counter[str] = Counter()
        self._seconds = minutes * 60
        self._games = games
        self._seed = seed
        self._random = Random(seed)
        self._folder = folder
        self._redis = RedisServer(folder)
        self._database = PostgreSQL()
        generous = ("ADDRESS_SOCKETS", "ADDRESS_FORMS", "ADDRESS_ROOMS", "ADDRESS_MISSES")  # all come from one address
        environment = {
            "DATA_DIR": str(folder),
            "DATABASE_URL": self._database.url,
            "REDIS_URL": self._redis.url,
            **dict.fromkeys(generous, "1000000"),
            **dict.fromkeys(("HOST", "PUBLIC_URL", "PROCESSES", "SOCKET_RATE", "SOCKET_BURST", "LOG_FORMAT"), ""),
        }
        ports = [free_port(), free_port()]
        self._servers = [Server(environment | {"PORT": str(p)}, folder / f"{p}.log", ["--prepare"]) for p in ports]
        self._screens: list[Screen] = []
        self._weights: dict[int, list[tuple[float, float]]] = {}
        """Of each process that serves, by its id: when, in minutes, and how many MiB."""

    def run(self) -> None:
        """Soak, and look at what came of it."""
        if not self._database.is_there:
            sys.exit("This needs PostgreSQL (on Debian: apt install postgresql).")
        self._redis.start()
        self._database.start()
        try:
            for server in self._servers:
                server.start()
            rooms = json.loads(self._manage("shell", "--verbosity=0", "--command", ROOMS % self._games))
            for number, room in enumerate(rooms):
                for nth, seat in enumerate(VIEWERS):  # of each room some on this process and some on that
                    self._screens.append(Screen(room, seat, self._servers[(number + nth) % 2].port, self._seed))
            asyncio.run(self._play())
            self._compare()
            self._judge_memory()
            self._manage("check_games")
        finally:
            for server in self._servers:
                if server.is_running:
                    server.terminate()
            self._redis.kill()
            self._database.stop()
        for server in self._servers:
            if "Traceback" in server.log:
                self.faults.append(f"a traceback in the log of a server:\n{server.log}")

    def report(self) -> None:
        """Print what was seen."""
        for screen in self._screens:
            self._counts.update(screen.counts)
        for name, count in sorted(self._counts.items()):
            print(f"{name}: {count}")
        for fault in self.faults:
            print(f"FAULT: {fault}")
        print(f"{len(self.faults)} faults")

    async def _play(self) -> None:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(screen.live()) for screen in self._screens]
            tasks.append(group.create_task(self._weigh()))
            await self._strike()
            for screen in self._screens:
                screen.is_last = True
            end = time.monotonic() + SETTLE_S
            while (unsettled := self._unsettled()) and time.monotonic() < end:
                await asyncio.sleep(0.5)
            for task in tasks:
                task.cancel()
        self.faults += [fault for screen in self._screens for fault in screen.faults] + unsettled

    async def _strike(self) -> None:
        """Kill one after the other, each as often as the others, and start it again after a while."""
        begun = time.monotonic()
        victims: list[int] = []
        while (wait_s := self._random.uniform(*STRIKES_S)) < (left_s := begun + self._seconds - time.monotonic()):
            await asyncio.sleep(wait_s)
            if not victims:
                victims = [0, 1, 2, 3] if left_s > self._seconds * SPARED else [2, 3]
                self._random.shuffle(victims)
            victim, down_s = victims.pop(), self._random.uniform(*DOWN_S)
            if victim < 2 and left_s < self._seconds * SPARED:
                continue
            name = ("one server", "the other server", "Redis", "PostgreSQL")[victim]
            moves = sum(len(told) for screen in self._screens[::3] for told in screen.told.values())
            at_s = time.monotonic() - begun
            print(f"{at_s:.0f} s, {moves} moves: {name} is killed, and away for {down_s:.1f} s", flush=True)
            self._counts[f"kills of {name}"] += 1
            await self._kill_and_start(victim, down_s)
        await asyncio.sleep(left_s)

    async def _kill_and_start(self, victim: int, down_s: float) -> None:
        if victim < 2:
            server = self._servers[victim]
            server.kill()
            await asyncio.sleep(down_s)
            is_running = False
            while not is_running:  # as under a service manager: it gives up where it finds no database
                server.launch()
                await asyncio.to_thread(wait_for, server._answers_or_ended, "a server answers", within=60)
                is_running = server.is_running
            return
        kill, start = (
            (self._redis.kill, self._redis.start) if victim == 2 else (self._database.kill, self._database.start_again)
        )
        await asyncio.to_thread(kill)
        await asyncio.sleep(down_s)
        await asyncio.to_thread(start)

    async def _weigh(self) -> None:
        while True:
            for server in self._servers:
                with suppress(OSError, IndexError):  # it has just been killed
                    mark = time.monotonic() / 60, server.resident_kib / 1024
                    self._weights.setdefault(server.pid, []).append(mark)
            await asyncio.sleep(1)

    def _unsettled(self) -> list[str]:
        """The rooms whose game is not over, or not the same on every screen."""
        found = []
        for first in range(0, len(self._screens), len(VIEWERS)):
            states = [screen.state for screen in self._screens[first : first + len(VIEWERS)]]
            if any(state != states[0] or state.get("status") != "over" for state in states):
                shown = [{name: state.get(name) for name in ("game", "version", "status", "ply")} for state in states]
                found.append(f"{self._screens[first].room} has not ended equal on all screens: {shown}")
        return found

    def _compare(self) -> None:
        """What screens were told with what the database holds."""
        rows = json.loads(self._manage("shell", "--verbosity=0", "--command", GAMES))
        kept = {(row["room_id"], row["number"]): row for row in rows}
        acknowledged: dict[tuple[str, int], int] = {}
        for screen in self._screens:
            for game, told in screen.told.items():
                row = kept[screen.room, game]
                acknowledged[screen.room, game] = max(acknowledged.get((screen.room, game), 0), len(told))
                if not row["transcript"].startswith(told):
                    self.faults.append(f"{screen.room}/{game}: {told} was told, {row['transcript']} is kept")
            for (game, ply), pit in screen.sown.items():
                transcript = kept[screen.room, game]["transcript"]
                if transcript[ply : ply + 1] != letter(pit):
                    self.faults.append(f"{screen.room}/{game}: ply {ply} was {letter(pit)}, {transcript} is kept")
            for game, outcome in screen.outcomes.items():
                row = kept[screen.room, game]
                if (outcome["winner"] or "", outcome["ending"]) != (row["winner"], row["ending"]):
                    self.faults.append(f"{screen.room}/{game}: {outcome} was told, {row} is kept")
        self._counts["games"] = len(rows)
        self._counts["games over"] = sum(row["status"] == "over" for row in rows)
        self._counts["moves in the database"] = sum(len(row["transcript"]) for row in rows)
        self._counts["moves acknowledged"] = sum(acknowledged.values())

    def _judge_memory(self) -> None:
        """By how much the two processes that were spared in the end grew, once they were warm."""
        for server in self._servers:
            marks = self._weights[server.pid]
            warm = [mark for mark in marks if mark[0] - marks[0][0] > WARM_S / 60]
            if len(warm) < 2 or warm[-1][0] - warm[0][0] < JUDGED_S / 60:
                print("a server has not lived for long enough to judge its memory")
                continue
            minutes, mib = zip(*warm, strict=True)
            growth = statistics.linear_regression(minutes, mib).slope
            each = growth * 2**20 * self._seconds / 60 / self._counts["moves acknowledged"]
            print(
                f"a server had {mib[0]:.1f} MiB, {minutes[-1] - minutes[0]:.1f} minutes later {mib[-1]:.1f}:"
                f" it grew by {growth:.2f} MiB a minute, {each:.0f} bytes for each move"
            )
            if each > GROWTH_BYTES:
                self.faults.append(f"memory grew by {each:.0f} bytes for each move")

    def _manage(self, *arguments: str) -> str:
        done = self._servers[0].manage(*arguments)
        if done.returncode:
            self.faults.append(f"{arguments[0]}: {done.stderr}")
        return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=Random().getrandbits(32))
    options = parser.parse_args()
    print(f"--minutes {options.minutes:g} --games {options.games} --seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mancala-soak-") as folder:
        soak = Soak(options.minutes, options.games, options.seed, Path(folder))
        soak.run()
    soak.report()
    sys.exit(bool(soak.faults))


if __name__ == "__main__":
    main()
