"""What runs of relay.py say: Markdown tables of medians over the rounds. Runs nothing."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from statistics import median
from typing import Any

Run = dict[str, Any]
"""What load.mjs printed, with `server`, `mode` and `round`; or only why it `failed`."""

Value = Callable[[Run], float | None]
"""A figure of one run; None if it has none."""

THOUSAND = 1000

# Figures ------------------------------------------------------------------------------------------


def cost(run: Run, process: str = "server") -> float | None:
    """CPU seconds for 1,000 moves."""
    return run["cpu"][process] / run["moves"] * THOUSAND if run.get("moves") and process in run["cpu"] else None


def cheapness(run: Run) -> float | None:
    """Moves per CPU second of the server."""
    return THOUSAND / spent if (spent := cost(run)) else None


def figure(*path: str) -> Value:
    """What stands in a run under these names."""

    def find(run: Run) -> float | None:
        found: Any = run
        for name in path:
            found = found.get(name) if found else None
        return found

    return find


def rate(run: Run) -> float | None:
    return run["moves"] / run["seconds"]


def drift(run: Run) -> float:
    """MiB by which memory grew from a fifth of all cycles to their end."""
    marks = run["marks"]["server"]
    return marks[-1] - marks[0]


def wrong(run: Run) -> dict[str, int]:
    """Whatever should not have happened."""
    return {"failed": 1} if "failed" in run else {what: count for what, count in run["wrong"].items() if count}


# Over rounds --------------------------------------------------------------------------------------


class Runs:
    """All runs, to be asked for medians over the rounds."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.all = runs
        self._done = {(run["mode"], run["server"], run["round"]): run for run in runs if "failed" not in run}

    def of(self, mode: str, server: str) -> list[Run]:
        return [run for (of_mode, of_server, _), run in self._done.items() if (of_mode, of_server) == (mode, server)]

    def median(self, mode: str, server: str, value: Value) -> float | None:
        return _median(map(value, self.of(mode, server)))

    def ratio(self, mode: str, server: str, value: Value, peer: str, peer_mode: str | None = None) -> float | None:
        """The median of what `value` is beside that of a peer in the same round."""
        ratios = []
        for run in self.of(mode, server):
            other = self._done.get((peer_mode or mode, peer, run["round"]))
            ours, theirs = value(run), other and value(other)
            ratios.append(ours / theirs if ours is not None and theirs else None)
        return _median(ratios)


def _median(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return median(found) if found else None


# Tables -------------------------------------------------------------------------------------------


def tables(runs: Sequence[Run]) -> str:
    """A table for each mode, and how busy the machine was."""
    known = Runs(runs)
    shown = [_table(known, mode) for mode in dict.fromkeys(run["mode"] for run in runs)]
    return "\n\n".join([*shown, _machine(runs)])


def line(run: Run) -> str:
    """One run, for who waits."""
    head = f"{run['round']} {run['mode']:10} {run['server']:18}"
    if "failed" in run:
        return f"{head} FAILED: {run['failed']}"
    kind = COLUMNS.get(run["mode"], PLAY)
    cells = "  ".join(f"{title} {_text(value(run), digits)}" for title, value, digits in kind)
    faults = ", ".join(f"{what}: {count}" for what, count in wrong(run).items())
    return f"{head} {cells}  cores: load {run['generator']:.2f}, others {run['others']:.2f}  {faults}"


Column = tuple[str, Value, int]
"""Title, figure, digits after the point."""


def _ms(who: str, *parts: str) -> list[Column]:
    return [(f"{who} {part}, ms", figure("ms", who, part), 1) for part in parts]


PLAY: list[Column] = [
    ("moves/s", rate, 0),
    ("CPU s per 1,000 moves", cost, 3),
    ("of Redis", partial(cost, process="redis"), 3),
    *_ms("own", "p50", "p99"),
    *_ms("opponent", "p50", "p99"),
    *_ms("spectator", "p50", "p99"),
    ("bytes per client and move", figure("bytes"), 0),
    ("MiB", figure("mib", "server"), 0),
]
COLUMNS: dict[str, list[Column]] = {
    "idle": [
        ("KiB per socket", figure("kibPerSocket", "server"), 1),
        ("of Redis", figure("kibPerSocket", "redis"), 1),
        ("CPU ms to open one", figure("openingMs", "server"), 2),
        ("opened per second", figure("openedPerSecond"), 0),
        ("cores while idle", lambda run: run["cpu"]["server"] / run["seconds"], 3),
    ],
    "storm": [
        ("sockets", figure("sockets"), 0),
        ("back", figure("back"), 0),
        ("half of them, ms", figure("backMs", "p50"), 0),
        ("last, ms", figure("backMs", "most"), 0),
        ("CPU s", figure("cpu", "server"), 2),
    ],
    "cycles": [
        ("cycles", figure("cycles"), 0),
        ("MiB after a fifth", lambda run: run["marks"]["server"][0], 1),
        ("at the end", lambda run: run["marks"]["server"][-1], 1),
        ("drift", drift, 1),
        ("CPU ms per cycle", lambda run: run["cpu"]["server"] * THOUSAND / run["cycles"], 2),
    ],
}
BESIDE: dict[str, tuple[str, Value]] = {
    "latency": ("own p50", figure("ms", "own", "p50")),
    "crowd": ("spectator p50", figure("ms", "spectator", "p50")),
    "idle": ("KiB", figure("kibPerSocket", "server")),
    "storm": ("last", figure("backMs", "most")),
}
"""What is set beside boardgame.io; where nothing is said, moves per CPU second."""

PEER = "boardgame.io"


def _table(known: Runs, mode: str) -> str:
    columns = COLUMNS.get(mode, PLAY)
    beside, value = BESIDE.get(mode, ("moves per CPU s", cheapness))
    has_peer = known.ratio(mode, PEER, value, PEER) is not None
    head = [
        "server",
        *(title for title, _, _ in columns),
        *([f"{beside} ÷ {PEER}"] if has_peer else []),
        "wrong",
        "runs",
    ]
    rows = [head, ["---", *["---:"] * (len(head) - 3), "---", "---:"]]
    for server in dict.fromkeys(run["server"] for run in known.all if run["mode"] == mode):
        every = [run for run in known.all if (run["mode"], run["server"]) == (mode, server)]
        faults: Counter[str] = sum((Counter(wrong(run)) for run in every), Counter())
        rows.append(
            [
                server,
                *(_text(known.median(mode, server, figure), digits) for _, figure, digits in columns),
                *([_text(known.ratio(mode, server, value, PEER), 2)] if has_peer else []),
                ", ".join(f"{what}: {count}" for what, count in faults.items()) or "nothing",
                str(len(every)),
            ]
        )
    return f"### {mode}\n\n{markdown(rows)}"


def _machine(runs: Sequence[Run]) -> str:
    done = [run for run in runs if "failed" not in run]
    if not done:
        return ""
    others, load = (_text(_median(run[name] for run in done), 2) for name in ("others", "generator"))
    boards = sum(run.get("finals", 0) for run in done)
    return (
        f"Of {os.cpu_count()} cores other programs used {others}, and the load itself {load} (medians). "
        f"Last boards of games, compared and right: {boards:,}."
    )


def markdown(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _text(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"
