"""Find puzzles: positions of real games in which exactly one pit wins, at every step of the turn.

    python -m tools.puzzles --games 200

Plays games, engine against engine, each with an eye on a few sowings ahead and now and then a slip, and prints what it
finds as it stands in games/puzzles.py, with the proof: how often each turn out is worked out to the end. The same
number of games prints the same.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from games.engine.engine import Engine
from games.engine.search import Budget
from games.puzzles import RULESET, Puzzle, Wrong
from games.rules.position import Position, Side
from games.rules.ruleset import Ruleset, by_key
from games.rules.sowing import Kind
from games.rules.transcript import hole, letter

_AHEAD = Budget(depth=3)
_SLIPS = 0.25
_ENDINGS = 10_000_000
"""Known by heart, whatever a machine has room for: with others the games would be others."""
_PROOF = Budget(nodes=500_000)
_MOST_IN_PLAY = 28
"""Stones in the pits: with more, nobody can count it out."""
_MOST_STEPS = 4
_LEAST_CHOICE = 3
"""Pits to choose from, or there is nothing to find."""


class NotProved(Exception):
    """It takes too long."""


def main() -> None:
    """Print what there is."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=200)
    options = arguments.parse_args()
    ruleset = by_key(RULESET)
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Path(folder), most_endings=_ENDINGS)
        engine.compile()
        engine.prepare(ruleset)
        for game in range(options.games):
            for ply, position in turns(engine, ruleset, game):
                try:
                    found = puzzle(engine, ruleset, position)
                except NotProved:
                    continue
                if found:
                    print(f"# game {game}, ply {ply}: {kind(ruleset, found)}\n{told(found)}", flush=True)


def turns(engine: Engine, ruleset: Ruleset, game: int) -> Iterator[tuple[int, Position]]:
    """The positions of a game in which a turn of South's begins, with the number of the ply."""
    rng, position, before, ply = random.Random(game), ruleset.start(), None, 0  # noqa: S311  no secret
    while legal := ruleset.legal_pits(position):
        if position.turn is Side.SOUTH and before is not Side.SOUTH:
            yield ply, position
        before = position.turn
        slips = rng.random() < _SLIPS
        pit = rng.choice(legal) if slips else engine.best(ruleset, position, _AHEAD).pit
        position, ply = ruleset.sow(position, pit).after, ply + 1


def puzzle(engine: Engine, ruleset: Ruleset, position: Position) -> Puzzle | None:
    """The puzzle that a position is, if it is one; raises NotProved."""
    if _in_play(position) > _MOST_IN_PLAY:
        return None
    start, solution, wrong = position, "", []
    while True:
        values = proved(engine, ruleset, position)
        right = [pit for pit, value in values.items() if value > 0]
        if len(right) != 1 or len(values) < _LEAST_CHOICE - len(solution):
            return None
        others = (_wrong(engine, ruleset, position, pit, value) for pit, value in values.items() if value <= 0)
        wrong.append(", ".join(map(str, others)))
        solution += letter(right[0])
        sowing = ruleset.sow(position, right[0])
        position = sowing.after
        if ruleset.outcome(position) or not sowing.extra_turn:
            return Puzzle("", str(start), solution, values[right[0]], tuple(wrong))
        if len(solution) == _MOST_STEPS:
            return None


def proved(engine: Engine, ruleset: Ruleset, position: Position) -> dict[int, int]:
    """What every pit is worth to who is to move; raises NotProved."""
    findings = engine.solve(ruleset, position, _PROOF)
    if not findings.is_exact:
        raise NotProved
    return {pit.pit: pit.low for pit in findings.pits}


def _wrong(engine: Engine, ruleset: Ruleset, position: Position, pit: int, value: int) -> Wrong:
    sowing, answer = ruleset.sow(position, pit), ""
    while sowing.after.turn is Side.NORTH and not ruleset.outcome(sowing.after):
        values = proved(engine, ruleset, sowing.after)
        best = max(values, key=lambda pit: values[pit])
        answer += letter(best)
        sowing = ruleset.sow(sowing.after, best)
    return Wrong(letter(pit), value, answer)


def _in_play(position: Position) -> int:
    return sum(position.stones) - sum(position.stones[position.store(side)] for side in Side)


def kind(ruleset: Ruleset, found: Puzzle) -> str:
    """A word on what it is about, and how many stones are in play."""
    start = position = Position.parse(found.position)
    captured = 0
    for pit in found.solution:
        sowing = ruleset.sow(position, hole(pit))
        captured += sum(transfer.stones for transfer in sowing.transfers if transfer.kind is Kind.CAPTURE)
        position = sowing.after
    first = [Wrong.parse(text) for text in found.wrong[0].split(", ")]
    draws = sum(wrong.value == 0 for wrong in first)
    return (
        f"{len(found.solution)} sowings, captures {captured}, {_in_play(start)} stones in play, "
        f"{len(first) + 1} pits, {draws} of them draw{', ends the game' if ruleset.outcome(position) else ''}"
    )


def told(found: Puzzle) -> str:
    """As it stands in games/puzzles.py."""
    steps = ", ".join(f'"{step}"' for step in found.wrong)
    return f'Puzzle("…", "{found.position}", "{found.solution}", {found.value}, ({steps},)),'


if __name__ == "__main__":
    main()
