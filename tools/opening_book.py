"""Write games/engine/book.json: the exact value of every pit in the first positions of 6x4.

    python -m tools.opening_book --plies 2 --met 42

Begins with the start and goes on ply by ply. With --met also all that somebody meets who never errs, from either side,
while more than so many stones are in play: the best pits of the one, every pit of the other. What the book has already
is kept, and it is written after each position, so it may be stopped at any time. Each position takes seconds to
minutes. A book made anew (--anew) is the same.
"""

import argparse
import json
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from games.engine import book, compiled
from games.engine.compiled import Kernel
from games.engine.engine import Engine
from games.engine.search import lead
from games.rules.position import Position, Side
from games.rules.ruleset import NAMES, Ruleset, by_key, name_of


def main() -> None:
    """Add to the book."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--names", default=",".join(NAMES), help="rulesets")
    arguments.add_argument("--plies", type=int, default=2, help="how far from the start")
    arguments.add_argument("--met", type=int, metavar="STONES", help="what is met with more of them in play")
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
        for name in options.names.split(","):
            ruleset, part = by_key(f"{name}-6x4"), whole.setdefault(name, {})
            wanted = [after(ruleset, plies) for plies in range(options.plies + 1)]
            if options.met is not None:
                wanted += [met(ruleset, part, side, options.met) for side in Side]
            for position in chain.from_iterable(wanted):
                if book.line(position) not in part:
                    if time.monotonic() > end:
                        return
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


def met(ruleset: Ruleset, part: dict[str, list[int]], side: Side, stones: int) -> Iterator[Position]:
    """What a side that never errs has to sow with more than so many stones in play, each once, the first ones first.

    The next is asked for when `part`, the book of the ruleset, has the one before.
    """
    waiting, known = deque([ruleset.start()]), set()
    while waiting:
        position = waiting.popleft()
        pits = ruleset.legal_pits(position)
        place = (book.line(position), position.turn)
        if place in known or not pits or position.in_play <= stones:
            continue
        known.add(place)
        if position.turn is side:
            yield position
            values = part[place[0]]
            pits = [pit for pit, value in zip(pits, values, strict=True) if value == max(values)]
        waiting.extend(ruleset.sow(position, pit).after for pit in pits)


def add(whole: dict[str, dict[str, list[int]]], engine: Engine, ruleset: Ruleset, position: Position) -> None:
    """Solve a position, and write the book with it."""
    begun = time.monotonic()
    findings = engine.solve(ruleset, position)
    if not findings.is_exact:
        raise SystemExit(f"{ruleset.key} {position}: not proved")
    ahead = lead(position, position.turn)
    name = name_of(ruleset)
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
