"""Whether each computer is stronger than the one below it: games between neighbours, sides and openings varied.

    python -m benchmarks.ladder --games 400
    python -m benchmarks.ladder --proved --games 200

The upper one has to score 75 % at least, a draw counting half. With --proved the uppermost plays each of the others
from the start, and may never end with less than what the start is worth to its side. Exits with 1 if that is not so.
"""

import argparse
import os
import random
import sys
import time

import django

from games.computers import of_level
from games.rules.position import Position, Side
from games.rules.ruleset import Ruleset, by_key

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mancala_site.settings")
django.setup()

from games import bots, thinking  # noqa: E402  once there are settings

GOAL = 0.75
UPPERMOST = 5
OPENING = 4
"""Plies that are sown at random before the two begin."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=400, help="between two neighbours")
    arguments.add_argument("--rules", default="classic-6x4")
    arguments.add_argument("--levels", default="2,3,4,5", help="the upper ones of the pairs")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--proved", action="store_true", help="the uppermost against each of these less one")
    options = arguments.parse_args()
    thinking.engine().compile()
    ruleset = by_key(options.rules)
    if options.proved:
        short = [
            fallen_short(ruleset, int(upper) - 1, options.games, options.seed) for upper in options.levels.split(",")
        ]
        sys.exit(1 if any(short) else 0)
    results = [compare(ruleset, int(upper), options.games, options.seed) for upper in options.levels.split(",")]
    sys.exit(0 if min(results) >= GOAL else 1)


def compare(ruleset: Ruleset, upper: int, games: int, seed: int) -> float:
    """The score of a level against the one below, from 0 to 1."""
    chance, begun, scores = random.Random(seed), time.monotonic(), []
    for number in range(games):
        if number % 2 == 0:  # each opening from both sides
            start = opening(ruleset, chance)
        side = Side.SOUTH if number % 2 == 0 else Side.NORTH
        ahead = play(ruleset, start, {side: upper, side.opponent: upper - 1}, side, chance)
        scores.append(0.5 + (ahead > 0) / 2 - (ahead < 0) / 2)
    score = sum(scores) / games
    names = f"{of_level(upper).name} against {of_level(upper - 1).name}"
    print(f"{names:20} {score:6.1%} of {games} games, {time.monotonic() - begun:.0f} s", flush=True)
    return score


def fallen_short(ruleset: Ruleset, lower: int, games: int, seed: int) -> int:
    """How often the uppermost level ends with less against a lower one than the start is worth to its side."""
    chance, begun, start = random.Random(seed), time.monotonic(), ruleset.start()
    worth = thinking.engine().solve(ruleset, start).low
    spare = []  # stones more than that
    for number in range(games):
        side = Side.SOUTH if number % 2 == 0 else Side.NORTH
        ahead = play(ruleset, start, {side: UPPERMOST, side.opponent: lower}, side, chance)
        spare.append(ahead - (worth if side is Side.SOUTH else -worth))
    short = sum(stones < 0 for stones in spare)
    names = f"{of_level(UPPERMOST).name} against {of_level(lower).name}"
    print(
        f"{names:20} {short} of {games} games below {worth:+} for South, {min(spare)} stones to spare at least, "
        f"{time.monotonic() - begun:.0f} s",
        flush=True,
    )
    return short


def opening(ruleset: Ruleset, chance: random.Random) -> Position:
    """A position some plies from the start."""
    position = ruleset.start()
    for _ in range(OPENING):
        position = ruleset.sow(position, chance.choice(ruleset.legal_pits(position))).after
    return position


def play(ruleset: Ruleset, position: Position, levels: dict[Side, int], side: Side, chance: random.Random) -> int:
    """How many stones `side` is ahead by in the end."""
    while (outcome := ruleset.outcome(position)) is None:
        pit = bots.choose(levels[position.turn], ruleset, position, chance)
        position = ruleset.sow(position, pit).after
    south, north = outcome.score
    return south - north if side is Side.SOUTH else north - south


if __name__ == "__main__":
    main()
