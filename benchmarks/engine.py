"""How fast the engine is, compiled and plain in the same run: `python -m benchmarks.engine`.

Positions looked at in a second; the time until the value of every pit is proved, by stones in play, in positions of
random games of `classic-6x4`, each once, the endings being known; with --start, that of the best pit from the start of
every ruleset, without the opening book; with --review, until a random game has been gone over. The plain engine has a
time limit for each position, which > stands for.
"""

import argparse
import math
import random
import statistics
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from games.engine import compiled
from games.engine.compiled import Kernel
from games.engine.engine import Budget, Engine
from games.engine.review import review
from games.rules.position import Position
from games.rules.ruleset import NAMES, by_key
from games.rules.transcript import replay
from tests.engine.samples import random_game

RULESET = by_key("classic-6x4")
STONES = (12, 16, 20, 24, 30, 36)
POSITIONS = 40
PLAIN_POSITIONS = 10
PLAIN_LIMIT_S = 2.0
ROUNDS = 3
GAMES = 20
FEW = 36
"""Stones in play."""
REVIEW_LIMIT_S = 240.0
"""On the clock: a machine that has other things to do gives less of it."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--start", action="store_true", help="solve the start positions, too: minutes")
    arguments.add_argument("--review", action="store_true", help="go over whole games, too: minutes")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kernel = compiled.load(Path(folder))
        assert kernel is not None, "numba is not installed"
        plain, quick = Engine(Path(folder), has_book=False), Engine(Path(folder), has_book=False)
        quick.use(kernel)
        for engine in (plain, quick):
            engine.prepare(RULESET)
        nodes_a_second(plain, quick)
        times_to_exact(plain, quick)
        if options.start:
            quick.use(replace(kernel, slots=kernel.slots * 4))
            from_the_start(quick)
        if options.review:
            reviews(Path(folder), kernel)


def nodes_a_second(plain: Engine, quick: Engine) -> None:
    """Print the best round of each, over the same positions of 36 stones, in processor time."""
    positions = list(sample(36, 5))
    speeds = {}
    for name, engine, nodes in (("plain", plain, 4_000), ("compiled", quick, 400_000)):
        rounds = []
        for _ in range(ROUNDS):
            begun = time.process_time()
            looked_at = sum(engine.solve(RULESET, position, Budget(nodes=nodes)).nodes for position in positions)
            rounds.append(looked_at / (time.process_time() - begun))
        speeds[name] = max(rounds)
        print(f"{name:10}{speeds[name]:14,.0f} positions/s")
    print(f"{'ratio':10}{speeds['compiled'] / speeds['plain']:14.1f}   (at least 12)")


def times_to_exact(plain: Engine, quick: Engine) -> None:
    print(f"\n{'stones':>8}{'compiled: median':>20}{'p95':>10}{'plain: median':>18}{'p95':>10}   ms")
    for stones in STONES:
        figures = [
            *spread(quick, sample(stones, POSITIONS), Budget()),
            *spread(plain, sample(stones, PLAIN_POSITIONS), Budget(seconds=PLAIN_LIMIT_S)),
        ]
        cells = [
            f"{'>' * (figure >= 1000 * PLAIN_LIMIT_S and at > 1)}{figure:.1f}" for at, figure in enumerate(figures)
        ]
        print(f"{stones:8}{cells[0]:>20}{cells[1]:>10}{cells[2]:>18}{cells[3]:>10}", flush=True)


def spread(engine: Engine, positions: Iterable[Position], budget: Budget) -> tuple[float, float]:
    """Median and 95th of a hundred, in ms."""
    times = []
    for position in positions:
        begun = time.perf_counter()
        findings = engine.solve(RULESET, position, budget)
        times.append(1000 * (time.perf_counter() - begun))
        assert findings.is_exact or budget.seconds
    times.sort()
    return statistics.median(times), times[int(0.95 * (len(times) - 1) + 0.5)]


def from_the_start(engine: Engine) -> None:
    print()
    for name in NAMES:
        ruleset = by_key(f"{name}-6x4")
        engine.prepare(ruleset)
        begun = time.perf_counter()
        best = engine.best(ruleset, ruleset.start())
        print(f"{ruleset.key:24}{best.low:+4} in {time.perf_counter() - begun:6.1f} s", flush=True)


def reviews(folder: Path, kernel: Kernel) -> None:
    """Print the processor time until all is exact, each game beginning with an empty memory."""
    late, whole = [], []
    for seed in range(GAMES):
        engine = Engine(folder)
        engine.use(kernel)
        engine.prepare(RULESET)
        plies = random_game(RULESET, seed)
        few = [sowing.before.in_play <= FEW for sowing in replay(RULESET, plies)]
        begun, took_late, exact = time.process_time(), 0.0, 0
        for ply, findings in review(engine, RULESET, plies, seconds=REVIEW_LIMIT_S):
            exact += findings.is_exact
            if few[ply]:
                took_late = max(took_late, time.process_time() - begun if findings.is_exact else math.inf)
        took = time.process_time() - begun
        late.append(took_late)
        whole.append(took if exact == len(plies) else math.inf)
        print(f"game {seed:2}: {took_late:5.1f} s, {took:6.1f} s, {exact} of {len(plies)} plies exact", flush=True)
    print(f"median: {statistics.median(late):.1f} s up to {FEW} stones in play (at most 10),", end=" ")
    print(f"{statistics.median(whole):.1f} s for the whole game (at most 60, every ply exact)")


def sample(stones: int, count: int) -> Iterable[Position]:
    """So many positions with so many stones in play, each from a random game of its own."""
    rng = random.Random(stones)
    while count:
        position = RULESET.start()
        while legal := RULESET.legal_pits(position):
            if position.in_play == stones:
                yield position
                count -= 1
                break
            position = RULESET.sow(position, rng.choice(legal)).after


if __name__ == "__main__":
    main()
