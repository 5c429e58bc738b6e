"""The bars that the project sets itself: what must be reached beside the peers, what is aimed at, what was measured."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.report import Run, Runs, Value, cheapness, cost, drift, figure, markdown, wrong

SERVERS = ("daphne", "uvicorn")
Marks = tuple[float, float]
"""One for each of them."""

Measure = Callable[[Runs, str], float | None]
"""A figure of one of them, over all rounds."""

DRIFT_MIB = 4.0
"""More than this over 8,000 cycles is a leak: half a KiB each."""


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    measure: Measure
    must: Marks
    aim: Marks | None = None
    """What must be, where nothing is said."""
    at_most: bool = False
    """Else at least."""
    digits: int = 2

    def cells(self, runs: Runs, number: int) -> list[str]:
        """What is asked of a server, and what it reached."""
        must, aim = self.must[number], (self.aim or self.must)[number]
        asked = f"{'≤ ' if self.at_most else ''}{must:g}{f' / {aim:g}' if aim != must else ''}"
        value = self.measure(runs, SERVERS[number])
        if value is None:
            return [asked, ""]
        reached = "missed" if not self._reaches(value, must) else "aim" if self._reaches(value, aim) else "must"
        return [asked, f"{value:,.{self.digits}f}, {reached}"]

    def _reaches(self, value: float, mark: float) -> bool:
        return value <= mark if self.at_most else value >= mark


def table(runs: Sequence[Run]) -> str:
    """All bars, as Markdown."""
    known = Runs(runs)
    rows = [["bar", "Daphne must / aim", "measured", "uvicorn must / aim", "measured"], ["---", *["---:"] * 4]]
    rows += [[bar.name, *bar.cells(known, 0), *bar.cells(known, 1)] for bar in BARS]
    return f"### Bars\n\n{markdown(rows)}"


def _moves(mode: str, peer: str) -> Measure:
    return _beside(mode, cheapness, peer)


def _beside(mode: str, value: Value, peer: str) -> Measure:
    return lambda runs, server: runs.ratio(mode, server, value, peer)


def _middle(mode: str, value: Value) -> Measure:
    return lambda runs, server: runs.median(mode, server, value)


def _not_back(run: Run) -> float:
    return float(run["sockets"] - run["back"])


def _among_many(runs: Runs, server: str) -> float | None:
    return runs.ratio("games-1000", server, cost, server, "games-20")


def _in_two_processes(runs: Runs, server: str) -> float | None:
    return runs.ratio("games-20", f"{server}-2", cost, server)


def _faults(runs: Runs, server: str) -> float | None:
    counts = [sum(wrong(run).values()) for run in runs.all if run["server"] in {server, f"{server}-2"}]
    return float(sum(counts)) if counts else None


ECHO, LAST, BACK = figure("ms", "own", "p50"), figure("ms", "spectator", "p50"), figure("backMs", "most")
KIB, BYTES = figure("kibPerSocket", "server"), figure("bytes")
BGIO = "boardgame.io"
BARS = (
    # Moves per CPU second of the server
    Bar("20 games, against boardgame.io in memory", _moves("games-20", BGIO), (1, 2.2), (1.8, 3)),
    Bar("200 games, against boardgame.io in memory", _moves("games-200", BGIO), (1.4, 3), (2.5, 3.8)),
    Bar("200 games, against Colyseus in memory", _moves("games-200", "colyseus"), (0.3, 0.6), (0.5, 0.75)),
    Bar(
        "20 games, against Channels as in its tutorial with SQLite", _moves("games-20", "channels"), (12, 28), (28, 40)
    ),
    Bar("20 games, against boardgame.io with its FlatFile store", _moves("games-20", f"{BGIO}-files"), (3, 5), (8, 9)),
    # Times
    *(
        Bar(name, _beside(mode, value, peer), must, aim, at_most=True)
        for name, mode, value, peer, must, aim in (
            ("own echo p50, 50 games of 1 move/s, against boardgame.io", "latency", ECHO, BGIO, (1.1, 1), (0.85, 0.8)),
            ("last of 500 spectators p50, against boardgame.io", "crowd", LAST, BGIO, (0.6, 0.5), None),
            ("last of 500 spectators p50, against Colyseus", "crowd", LAST, "colyseus", (0.8, 0.7), None),
            ("500 reconnects at once: the last one, against boardgame.io", "storm", BACK, BGIO, (1, 0.6), None),
        )
    ),
    Bar("500 reconnects at once: not back", _middle("storm", _not_back), (0, 0), at_most=True, digits=0),
    # Memory and bytes
    Bar("memory per idle socket, against boardgame.io", _beside("idle", KIB, BGIO), (1.3, 1.2), at_most=True),
    Bar("bytes per client per move", _middle("games-20", BYTES), (400, 400), at_most=True, digits=0),
    Bar(
        "drift of memory over connect/close cycles incl. hard kills, MiB",
        _middle("cycles", drift),
        (DRIFT_MIB, DRIFT_MIB),
        at_most=True,
        digits=1,
    ),
    # Ours beside ours
    Bar("cost per move at 1,000 open games against 20", _among_many, (1.3, 1.3), at_most=True),
    Bar(
        "two processes, a room's players on different ones: CPU per move against one process",
        _in_two_processes,
        (2, 2),
        at_most=True,
    ),
    Bar("lost, refused, mismatched, dropped, stalled", _faults, (0, 0), at_most=True, digits=0),
)
