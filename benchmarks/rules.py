"""How fast the rules are, beside the naive rules of the tests: `python -m benchmarks.rules`.

Every figure is the best of some rounds over the same random games, in processor time. The naive rules change one board
in place, check no ply and write down no transfers: they are a yardstick for the machine, not a rival.
"""

import random
import time
from collections.abc import Callable

from games.rules.ruleset import Ruleset, by_key
from tests.rules.naive import NaiveGame

KEYS = ("classic-6x4", "both-stores-6x4", "no-empty-capture-6x4", "avalanche-6x4", "avalanche-9x9")
GAMES = 40
ROUNDS = 9


def main() -> None:
    print(f"{'per second':40}{'rules':>12}{'naive':>12}{'ratio':>8}")
    for key in KEYS:
        measure(key)


def measure(key: str) -> None:
    """Print how often a second the rules of `key` sow, list the legal pits and play a whole random game."""
    ruleset = by_key(key)
    positions, boards, games = [], [], []
    for seed in range(GAMES):
        position, board, pits = ruleset.start(), naive(ruleset), play(ruleset, seed)
        for pit in pits:
            positions.append(position)
            boards.append(board.copy())
            position = ruleset.sow(position, pit).after
            board.play(number(ruleset, pit))
        games.append(pits)
    count = len(positions)

    def report(what: str, times: int, rules: Callable[[], object], naive_rules: Callable[[], object]) -> None:
        ours, theirs = best(rules, naive_rules)
        print(f"{key:22}{what:18}{times / ours:12,.0f}{times / theirs:12,.0f}{theirs / ours:8.2f}")

    report("sow", count, lambda: sow(ruleset, games), lambda: sow_naively(ruleset, games))
    report(
        "legal_pits",
        count,
        lambda: [ruleset.legal_pits(position) for position in positions],
        lambda: [board.choices() for board in boards],
    )
    report(
        "whole random game",
        GAMES,
        lambda: [play(ruleset, seed) for seed in range(GAMES)],
        lambda: [play_naively(ruleset, seed) for seed in range(GAMES)],
    )


def play(ruleset: Ruleset, seed: int) -> list[int]:
    """The pits of a whole random game."""
    rng, position, pits = random.Random(seed), ruleset.start(), []
    while legal := ruleset.legal_pits(position):
        pits.append(rng.choice(legal))
        position = ruleset.sow(position, pits[-1]).after
    return pits


def play_naively(ruleset: Ruleset, seed: int) -> None:
    """The same game."""
    rng, board = random.Random(seed), naive(ruleset)
    while choices := board.choices():
        board.play(rng.choice(choices))


def sow(ruleset: Ruleset, games: list[list[int]]) -> None:
    for pits in games:
        position = ruleset.start()
        for pit in pits:
            position = ruleset.sow(position, pit).after


def sow_naively(ruleset: Ruleset, games: list[list[int]]) -> None:
    for pits in games:
        board = naive(ruleset)
        for pit in pits:
            board.play(number(ruleset, pit))


def naive(ruleset: Ruleset) -> NaiveGame:
    return NaiveGame(ruleset.key.rpartition("-")[0], ruleset.pits, ruleset.stones)


def number(ruleset: Ruleset, pit: int) -> int:
    """The number of a pit in its row."""
    return pit % (ruleset.pits + 1)


def best(*acts: Callable[[], object]) -> list[float]:
    """Processor seconds of the fastest round of each, the rounds taken in turn."""
    rounds = [[seconds(act) for act in acts] for _ in range(ROUNDS)]
    return [min(taken) for taken in zip(*rounds, strict=True)]


def seconds(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
