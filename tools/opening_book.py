"""Write games/engine/book.json: the exact value of every pit in the first positions of 6x4.

    python -m tools.opening_book --plies 2

Begins with the start and goes on ply by ply; what the book has already is kept, and it is written after each position,
so it may be stopped at any time. Each position takes seconds to minutes. A book made anew (--anew) is the same.
"""

import argparse
import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from games.engine import book, compiled
from games.engine.compiled import Kernel
from games.engine.engine import Engine
from games.engine.search import lead
from games.rules.position import Position
from games.rules.ruleset import NAMES, Ruleset, by_key


def main() -> None:
    """Add to the book."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--names", default=",".join(NAMES), help="rulesets")
    arguments.add_argument("--plies", type=int, default=2, help="how far from the start")
    arguments.add_argument("--minutes", type=float, default=1e6, help="begin no further position after so many")
    arguments.add_argument("--anew", action="store_true", help="forget what the book has")
    options = arguments.parse_args()
    end = time.monotonic() + 60 * options.minutes
    whole = json.loads(book.PATH.read_text()) if book.PATH.exists() and not options.anew else {}
    with tempfile.TemporaryDirectory() as folder:
        kernel = compiled.load(Path(folder))
        if kernel is None:
            raise SystemExit("this takes days without numba")
        engine = Engine(Path(folder), has_book=False)
        engine.use(roomy(kernel))
        for plies in range(options.plies + 1):
            for name in options.names.split(","):
                ruleset = by_key(f"{name}-6x4")
                for position in after(ruleset, plies):
                    if book.line(position) not in whole.setdefault(name, {}) and time.monotonic() < end:
                        engine.prepare(ruleset)
                        add(whole, engine, ruleset, position)


def roomy(kernel: Kernel) -> Kernel:
    """For the longest searches: 256 MB for what is remembered of positions."""
    return replace(kernel, slots=1 << 24)


def after(ruleset: Ruleset, plies: int) -> list[Position]:
    """The positions so many plies from the start that are not over, each once."""
    positions = [ruleset.start()]
    for _ in range(plies):
        positions = [ruleset.sow(before, pit).after for before in positions for pit in ruleset.legal_pits(before)]
    return list({book.line(position): position for position in positions if ruleset.legal_pits(position)}.values())


def add(whole: dict[str, dict[str, list[int]]], engine: Engine, ruleset: Ruleset, position: Position) -> None:
    """Solve a position, and write the book with it."""
    begun = time.monotonic()
    findings = engine.solve(ruleset, position)
    if not findings.is_exact:
        raise SystemExit(f"{ruleset.key} {position}: not proved")
    ahead = lead(position, position.turn)
    name = ruleset.key.rpartition("-")[0]
    whole[name][book.line(position)] = [pit.low - ahead for pit in findings.pits]
    lines = (
        f'"{name}":{{\n'
        + ",\n".join(f'"{line}":{json.dumps(known, separators=(",", ":"))}' for line, known in part.items())
        + "}"
        for name, part in whole.items()
        if part
    )
    book.PATH.write_text("{" + ",\n".join(lines) + "}\n")
    print(f"{time.monotonic() - begun:7.1f} s  {ruleset.key:22} {position}  {findings.low:+}", flush=True)


if __name__ == "__main__":
    main()
