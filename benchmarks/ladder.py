"""Whether each computer is stronger than the one below it: games between neighbours, sides and openings varied.

    python -m benchmarks.ladder --games 400

The upper one has to score 75 % at least, a draw counting half; exits with 1 if one does not. `--seconds` is what the
uppermost may think for a sowing; in play it has more.
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
OPENING = 4
"""Plies that are sown at random before the two begin."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=400, help="between two neighbours")
    arguments.add_argument("--rules", default="classic-6x4")
    arguments.add_argument("--levels", default="2,3,4,5", help="the upper ones of the pairs")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    thinking.engine().compile()
    ruleset = by_key(options.rules)
    results = [compare(ruleset, int(upper), options.games, options.seed) for upper in options.levels.split(",")]
    sys.exit(0 if min(results) >= GOAL else 1)


def compare(ruleset: Ruleset, upper: int, games: int, seed: int) -> float:
    """The score of a level against the one below, from 0 to 1."""
    chance, begun, scores = random.Random(seed), time.monotonic(), []
    for number in range(games):
        if number % 2 == 0:  # each opening from both sides
            start = opening(ruleset, chance)
        side = Side.SOUTH if number % 2 == 0 else Side.NORTH
        scores.append(play(ruleset, start, {side: upper, side.opponent: upper - 1}, side, chance))
    score = sum(scores) / games
    names = f"{of_level(upper).name} against {of_level(upper - 1).name}"
    print(f"{names:20} {score:6.1%} of {games} games, {time.monotonic() - begun:.0f} s", flush=True)
    return score


def opening(ruleset: Ruleset, chance: random.Random) -> Position:
    """A position some plies from the start."""
    position = ruleset.start()
    for _ in range(OPENING):
        position = ruleset.sow(position, chance.choice(ruleset.legal_pits(position))).after
    return position


def play(ruleset: Ruleset, position: Position, levels: dict[Side, int], side: Side, chance: random.Random) -> float:
    """What `side` scores: 1, a half or 0."""
    while (outcome := ruleset.outcome(position)) is None:
        pit = bots.choose(levels[position.turn], ruleset, position, chance)
        position = ruleset.sow(position, pit).after
    return 0.5 if outcome.winner is None else float(outcome.winner is side)


if __name__ == "__main__":
    main()
