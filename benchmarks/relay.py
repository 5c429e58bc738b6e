"""What it takes to relay a move: our server and its peers under the same load, in turn. Never the rules: see rules.py.

    python -m benchmarks.relay --rounds 5

Prints tables of medians over the rounds, and the bars that the project sets itself. The servers take turns within a
round, and ratios are taken there, so that a machine that is slower for a while is slower for all of them.
docs/performance.md says how to read it. Exits with 1 if one of our own servers lost, refused or garbled anything.
"""

import argparse
import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import bars
from benchmarks.report import Run, line, tables, wrong
from benchmarks.servers import PROJECT, SERVERS, Command, Server
from tests.processes import PostgreSQL, free_port, wait_for

NODE = str(PROJECT / "tools" / "node")
LOAD = str(PROJECT / "benchmarks" / "load" / "load.mjs")
READY_S = 30.0
LOAD_S = 600.0
"""The longest any load may take, but for the time that it is measured."""

FILES = 16_384
"""Open at once: the sockets of a thousand games."""

ALL = ("daphne", "uvicorn", "boardgame.io", "colyseus", "channels", "ws", "uvicorn-bare")
Load = dict[str, Any]
"""Options of load.mjs."""

MODES: dict[str, tuple[Load, tuple[str, ...]]] = {
    "latency": ({"games": 50, "rate": 1, "hot": 20}, ALL),
    "games-1": ({"games": 1}, ALL),
    "games-20": ({"games": 20}, (*ALL, "daphne-2", "uvicorn-2", "boardgame.io-files")),
    "games-200": ({"games": 200}, ALL),
    "games-1000": ({"games": 1000, "at-once": 20}, ("daphne", "uvicorn")),
    "crowd": ({"games": 1, "spectators": 500, "rate": 5}, ALL),
    "idle": ({"kind": "idle", "games": 1000, "spectators": 0}, ALL),
    "storm": ({"kind": "storm", "games": 125}, ALL),
    "cycles": ({"kind": "cycles", "games": 100}, ("daphne", "uvicorn")),
}
"""The load of each, and who is put under it if nobody is named."""


def main() -> None:
    options = _options()
    if options.report:
        _print(_read(options.report))
        return
    plan = {mode: [SERVERS[name] for name in options.servers or MODES[mode][1]] for mode in options.modes}
    servers = {server.name: server for those in plan.values() for server in those}
    if any(server.redis for server in servers.values()) and shutil.which("redis-server") is None:
        sys.exit("redis-server is not installed: see tools/debian-packages")
    for folder in {server.packages for server in servers.values() if server.packages}:
        _install(folder)
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (min(FILES, hard := resource.getrlimit(resource.RLIMIT_NOFILE)[1]), hard)
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # not without ending what was started
    runs = []
    with tempfile.TemporaryDirectory(prefix="mancala-bench-") as name:
        folder = Path(name)
        if any(server.is_ours for server in servers.values()):
            _prepare(folder / "prepared", [MODES[mode][0] for mode in plan], _environment())
        for turn in range(1, options.rounds + 1):
            for mode, those in plan.items():
                for server in those:
                    run: Run = {
                        "server": server.name,
                        "mode": mode,
                        "round": turn,
                        **_run(server, mode, turn, options, folder),
                    }
                    runs.append(run)
                    print(line(run), file=sys.stderr, flush=True)
                    if options.save:
                        with options.save.open("a") as file:
                            file.write(json.dumps(run) + "\n")
    _print(runs)
    sys.exit(any(wrong(run) for run in runs if SERVERS[run["server"]].is_ours))


def _options() -> argparse.Namespace:
    def names(known: dict[str, object]) -> object:
        def parse(text: str) -> list[str]:
            chosen = text.split(",")
            if unknown := [name for name in chosen if name not in known]:
                raise argparse.ArgumentTypeError(f"no {unknown[0]}: there are {', '.join(known)}")
            return chosen

        return parse

    parser = argparse.ArgumentParser(prog="python -m benchmarks.relay", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--modes", type=names(MODES), default=list(MODES), metavar="MODE,…", help=", ".join(MODES))
    parser.add_argument("--servers", type=names(SERVERS), metavar="NAME,…", help=f"for all modes: {', '.join(SERVERS)}")
    parser.add_argument("--seconds", type=float, default=4, help="that play is measured for; with a rate three times")
    parser.add_argument("--cycles", type=int, default=10_000, help="sockets that come and go")
    parser.add_argument("--save", type=Path, metavar="FILE", help="append every run as a line of JSON")
    parser.add_argument("--report", type=Path, metavar="FILE", nargs="+", help="only print the tables of saved runs")
    return parser.parse_args()


def _print(runs: list[Run]) -> None:
    print(tables(runs), bars.table(runs), sep="\n\n")


def _read(files: list[Path]) -> list[Run]:
    """Saved runs; the rounds of one file are not those of another."""
    return [
        {**run, "round": f"{number}.{run['round']}"}
        for number, file in enumerate(files)
        for run in map(json.loads, file.read_text().splitlines())
    ]


def _install(folder: Path) -> None:
    """The packages of a peer on Node, where they are not there yet."""
    done = folder / "node_modules" / ".package-lock.json"
    if done.exists() and done.stat().st_mtime > (folder / "package.json").stat().st_mtime:
        return
    if shutil.which("npm") is None:
        sys.exit(f"npm is not installed, which {folder.name} needs: choose others with --servers")
    print(f"Installing what {folder.name} runs on …", file=sys.stderr, flush=True)
    command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)
    done.touch()


def _prepare(folder: Path, loads: list[Load], environment: dict[str, str]) -> None:
    """As many rooms and spectators as the largest of these loads needs."""
    folder.mkdir(exist_ok=True)
    counts = [str(max(int(load.get(what, 2)) for load in loads)) for what in ("games", "spectators")]
    command = [sys.executable, "-m", "benchmarks.prepare", *counts, str(folder / "rooms.json")]
    subprocess.run(command, cwd=PROJECT, env={**environment, "DATA_DIR": str(folder)}, check=True)


def _run(server: Server, mode: str, seed: int, options: argparse.Namespace, folder: Path) -> Run:
    """One server, freshly started on a copy of what was prepared, under one load."""
    own, log = folder / "own", folder / "server.log"
    shutil.rmtree(own, ignore_errors=True)
    if server.is_ours:
        shutil.copytree(folder / "prepared", own)
    else:
        own.mkdir()
    log.unlink(missing_ok=True)
    load = MODES[mode][0]
    seconds = options.seconds * 3 if "rate" in load else options.seconds
    try:
        with contextlib.ExitStack() as stack:
            ports, processes = _start(server, MODES[mode][0], own, log, stack)
            load = {
                **load,
                "adapter": server.adapter,
                "ports": ",".join(map(str, ports)),
                "rooms": own / "rooms.json",
                "seconds": seconds,
                "cycles": options.cycles,
                "seed": seed,
                "processes": ",".join(f"{name}:{pid}" for name, pid in processes),
            }
            command = [NODE, LOAD, *(f"--{name}={value}" for name, value in load.items())]
            answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=LOAD_S + seconds)
            run: Run = json.loads(answer.stdout)
    except (subprocess.SubprocessError, OSError, AssertionError) as error:
        return {"failed": f"{error}\n{log.read_text()[-2000:]}"}
    run["wrong"]["errors logged"] = log.read_text(errors="replace").count("Traceback")
    return run


def _start(
    server: Server, load: Load, own: Path, log: Path, stack: contextlib.ExitStack
) -> tuple[list[int], list[tuple[str, int]]]:
    """Start all that a server needs: the ports it listens on, and the names and ids of its processes."""
    processes = []
    environment = _environment()
    if server.redis:
        port = free_port()
        command = ("redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "")
        processes.append(("redis", stack.enter_context(_started(command, environment, own / "redis.log", port))))
        environment["REDIS_URL"] = f"redis://127.0.0.1:{port}/0"
    if server.postgresql:
        database = PostgreSQL()
        stack.callback(database.stop)
        environment["DATABASE_URL"] = database.start().url
        processes.append(("server", database.pid))  # as SQLite is a part of it
        _prepare(own, [load], environment)
    ports = [free_port() for _ in range(server.processes)]
    commands: list[tuple[Command, int, bool]] = [(server.command, port, True) for port in ports]
    commands += [(command, ports[0], False) for command in server.beside]
    ready = own / "ready"
    for command, port, listens in commands:
        fill = {"port": port, "folder": own, "ready": ready}
        filled = tuple(part.format(**fill) for part in command)
        variables = {**environment, **{name: value.format(**fill) for name, value in server.environment.items()}}
        pid = stack.enter_context(_started(filled, variables, log, port if listens else None))
        processes.append(("server", pid))
        if "{ready}" in command:
            wait_for(ready.exists, f"{' '.join(filled)} is ready", within=READY_S)
    return ports, processes


def _environment(**more: str) -> dict[str, str]:
    """Ours, without what would send a server to a database or a Redis that is not the benchmark's."""
    inherited = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    return {**inherited, **more}


@contextlib.contextmanager
def _started(command: Command, environment: dict[str, str], log: Path, port: int | None) -> Iterator[int]:
    """A process, once it listens on `port`: its id."""
    with log.open("a") as file:
        process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=file, stderr=subprocess.STDOUT)
    try:
        if port:
            wait_for(lambda: _listens(port) or process.poll() is not None, f"{' '.join(command)} listens", READY_S)
            assert process.poll() is None, f"{' '.join(command)} did not start"
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


if __name__ == "__main__":
    main()
