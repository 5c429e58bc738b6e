"""Positions to search: random ones of every ruleset and size, and those whose values are known."""

import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from games.rules.position import Position, Side
from games.rules.ruleset import NAMES, Ruleset, by_key
from games.rules.transcript import letter

GOLDEN = Path(__file__).parents[1] / "golden"

_KEYS = [
    f"{name}-{pits}x{stones}{majority}"
    for pits, stones, majority, name in product(range(1, 10), range(1, 10), ("", "+majority"), NAMES)
]

_OF_A_GAME = 4
"""Positions: playing it takes longer than most of what is done with them."""


class Known(NamedTuple):
    """A position and what it is worth, as the golden files have it."""

    ruleset: Ruleset
    position: Position
    value: int
    pits: dict[int, int]
    in_play: int


def random_positions(seed: int, *, in_play: int | None = None) -> Iterator[tuple[Ruleset, Position]]:
    """Endlessly: positions of random games of each ruleset and size in turn, with so many stones in play at most."""
    rng = random.Random(seed)
    while True:
        for key in rng.sample(_KEYS, len(_KEYS)):
            ruleset = by_key(key)
            line = [ruleset.start()]
            while legal := ruleset.legal_pits(line[-1]):
                line.append(ruleset.sow(line[-1], rng.choice(legal)).after)
            fitting = [position for position in line if in_play is None or position.in_play <= in_play]
            for position in rng.sample(fitting, min(_OF_A_GAME, len(fitting))):
                yield ruleset, position


def random_game(ruleset: Ruleset, seed: int) -> str:
    """The plies of a game in which every pit was chosen by lot."""
    rng, position, plies = random.Random(seed), ruleset.start(), ""
    while legal := ruleset.legal_pits(position):
        pit = rng.choice(legal)
        plies += letter(pit)
        position = ruleset.sow(position, pit).after
    return plies


def known(name: str) -> Iterator[Known]:
    """What golden files of this name know, every file of positions and of start positions."""
    for path in (GOLDEN / f"positions{part}-{name}.jsonl" for part in ("", "-mid", "-sizes")):
        for line in path.read_text().splitlines():
            told = json.loads(line)
            position = Position(tuple(told["stones"]), Side(told["turn"]))
            yield _known(told, by_key(told["ruleset"]), position)
    for told in json.loads((GOLDEN / f"solved-{name}.json").read_text()):
        ruleset = by_key(told["ruleset"])
        yield _known(told, ruleset, ruleset.start())


def start(name: str) -> Known:
    """The start of the game on six pits of four stones."""
    ruleset = by_key(f"{name}-6x4")
    return _known(json.loads((GOLDEN / "start-6x4.json").read_text())[ruleset.key], ruleset, ruleset.start())


def _known(told: dict, ruleset: Ruleset, position: Position) -> Known:
    pits = {int(pit): value for pit, value in told["pits"].items()}
    return Known(ruleset, position, told["value"], pits, position.in_play)
