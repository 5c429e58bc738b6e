"""What it takes to relay a move: our server and its peers under the same load, in turn. Never the rules: see rules.py.

    python -m benchmarks.relay --rounds 3

Prints a table of medians over the rounds. The servers take turns within a round, and ratios are taken there, so that
a machine that is slower for a while is slower for all of them. docs/performance.md says how to read it. Exits with 1 if
one of our own servers lost, refused or garbled anything.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.servers import SERVERS, Server

PROJECT = Path(__file__).resolve().parent.parent
LOAD = (str(PROJECT / "tools" / "node"), str(PROJECT / "benchmarks" / "load" / "load.mjs"))
READY_S = 20.0

Run = dict[str, Any]
"""What load.mjs printed, with `server` and `round`."""


def main() -> None:
    options = _options()
    servers = [SERVERS[name] for name in options.servers.split(",")]
    if any(server.redis for server in servers) and shutil.which("redis-server") is None:
        sys.exit("redis-server is not installed: see tools/debian-packages, or choose --servers ours,bare-channels")
    runs = []
    with tempfile.TemporaryDirectory(prefix="mancala-bench-") as name:
        folder = Path(name)
        _prepare(folder / "prepared", options.rooms)
        for turn in range(1, options.rounds + 1):
            for games in options.games:
                for server in servers:
                    run = {"server": server.name, "round": turn, **_run(server, games, turn, options, folder)}
                    runs.append(run)
                    print(_line(run), file=sys.stderr, flush=True)
                    if options.save:
                        with options.save.open("a") as file:
                            file.write(json.dumps(run) + "\n")
    print(_table(runs))
    sys.exit(any(_wrong(run) for run in runs if SERVERS[run["server"]].beside))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.relay", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=lambda text: [int(n) for n in text.split(",")], default=[1, 20, 200])
    parser.add_argument("--spectators", type=int, default=2, help="of each game")
    parser.add_argument("--seconds", type=float, default=3, help="that each run is measured for")
    parser.add_argument("--warm", type=float, default=1, help="seconds of play before that")
    parser.add_argument("--servers", default=",".join(SERVERS), help="names, separated by commas")
    parser.add_argument("--rooms", type=int, default=500, help="prepared for each run: one for each game begun")
    parser.add_argument("--save", type=Path, metavar="FILE", help="append every run as a line of JSON")
    return parser.parse_args()


def _prepare(folder: Path, rooms: int) -> None:
    folder.mkdir()
    command = [sys.executable, "-m", "benchmarks.prepare", str(rooms), str(folder / "rooms.json")]
    subprocess.run(command, cwd=PROJECT, env=_environment(DATA_DIR=str(folder)), check=True)


def _run(server: Server, games: int, seed: int, options: argparse.Namespace, folder: Path) -> Run:
    """One server, freshly started on a copy of what was prepared, under one load."""
    own = folder / "own"
    shutil.copytree(folder / "prepared", own)
    port = _free_port()
    fill = {"port": port, "folder": own}
    environment = _environment(**{name: value.format(**fill) for name, value in server.environment.items()})
    with contextlib.ExitStack() as stack:
        processes = {}
        if server.redis:
            redis_port = _free_port()
            environment["REDIS_URL"] = f"redis://127.0.0.1:{redis_port}/0"
            command = ["redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", ""]
            redis = _started(command, redis_port, _environment(), folder / "redis.log")
            processes["redis"] = stack.enter_context(redis)
        log = folder / "server.log"
        command = [part.format(**fill) for part in server.command]
        processes["server"] = stack.enter_context(_started(command, port, environment, log))
        load = {
            "adapter": server.adapter,
            "port": port,
            "rooms": own / "rooms.json",
            "games": games,
            "spectators": options.spectators,
            "seconds": options.seconds,
            "warm": options.warm,
            "seed": seed,
            "processes": ",".join(f"{name}:{pid}" for name, pid in processes.items()),
        }
        command = [*LOAD, *(f"--{name}={value}" for name, value in load.items())]
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if answer.returncode:
            sys.exit(f"the load on {server.name} failed; the server said:\n{log.read_text()[-2000:]}")
    shutil.rmtree(own)
    return json.loads(answer.stdout)


def _environment(**more: str) -> dict[str, str]:
    """Ours, without what would send a server to a database or a Redis that is not the benchmark's."""
    inherited = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    return {**inherited, **more}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def _started(command: list[str], port: int, environment: dict[str, str], log: Path) -> Iterator[int]:
    """A process that listens on `port`: its id."""
    with log.open("w") as file:
        process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=file, stderr=subprocess.STDOUT)
    try:
        end = time.monotonic() + READY_S
        while not _listens(port):
            if process.poll() is not None or time.monotonic() > end:
                sys.exit(f"{' '.join(command)} did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.05)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


# What is shown ------------------------------------------------------------------------------------


def _cost(run: Run) -> float:
    """CPU seconds of the server for 1,000 moves."""
    return _per_thousand(run, "server")


def _per_thousand(run: Run, process: str) -> float:
    return run["cpu"][process] / max(1, run["moves"]) * 1000


def _wrong(run: Run) -> dict[str, int]:
    """Whatever should not have happened."""
    counts = {
        "not opened": run["unopened"],
        "lost": run["lost"],
        "mismatched": run["mismatched"],
        "dropped": run["dropped"],
        **{f"refused {code}": count for code, count in run["refused"].items()},
    }
    return {what: count for what, count in counts.items() if count}


def _line(run: Run) -> str:
    wrong = ", ".join(f"{what}: {count}" for what, count in _wrong(run).items())
    return (
        f"{run['games']:4} games  {run['server']:20} {run['rate']:6.0f} moves/s {_cost(run):7.2f} CPU s/1,000  "
        f"cores: load {run['generator']:.2f}, others {run['others']:.2f}  {wrong}"
    )


HEAD = (
    *("games", "server", "moves/s", "÷ peer", "opponent's screen, ms", "own echo, ms", "last spectator, ms"),
    *("CPU s per 1,000 moves", "÷ peer", "of Redis", "wrong"),
)


def _table(runs: list[Run]) -> str:
    """Medians over the rounds, as Markdown."""
    cells = dict.fromkeys((run["games"], run["server"]) for run in runs)
    rows = [HEAD, ("---:", "---", *["---:"] * (len(HEAD) - 3), "---"), *(_row(runs, *cell) for cell in cells)]
    others = median(run["others"] for run in runs)
    return "\n".join(
        [
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
            f"Milliseconds: p50, p99. Of {os.cpu_count()} cores other programs used {others:.1f} (median).",
        ],
    )


def _row(runs: list[Run], games: int, name: str) -> tuple[str, ...]:
    own = [run for run in runs if (run["games"], run["server"]) == (games, name)]
    peers = {run["round"]: run for run in runs if (run["games"], run["server"]) == (games, SERVERS[name].beside)}
    pairs = [(run, peers[run["round"]]) for run in own if run["round"] in peers]
    wrong: Counter[str] = sum((Counter(_wrong(run)) for run in own), Counter())
    return (
        str(games),
        name,
        f"{median(run['rate'] for run in own):,.0f}",
        _median((run["rate"] / peer["rate"] for run, peer in pairs if peer["rate"])),
        *(_milliseconds([run["ms"][who] for run in own]) for who in ("opponent", "own", "spectator")),
        _median(map(_cost, own)),
        _median(_cost(run) / _cost(peer) for run, peer in pairs if _cost(peer)),
        _median(_per_thousand(run, "redis") for run in own if "redis" in run["cpu"]),
        ", ".join(f"{what}: {count}" for what, count in wrong.items()) or "nothing",
    )


def _median(values: Iterable[float], digits: int = 2) -> str:
    found = list(values)
    return f"{median(found):.{digits}f}" if found else ""


def _milliseconds(spreads: list[dict[str, float | None]]) -> str:
    return ", ".join(_median((s[part] for s in spreads if s[part] is not None), 1) for part in ("p50", "p99"))


if __name__ == "__main__":
    main()
