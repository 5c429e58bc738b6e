"""All that the engine must be right about, where the tests take a slice:

    python -m tests.engine.prove

Every golden position (--golden), the start positions of 6x4 from nothing (--start; with --pits also what every pit of
theirs is worth, instead of the best one only), plain and compiled kernel on 100,000 random positions (--agreement);
without any of these, all. Exits with 1 if anything differs.
"""

import argparse
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from games.engine import compiled
from games.engine.compiled import Kernel
from games.engine.engine import Engine
from games.rules.ruleset import NAMES
from games.rules.transcript import letter
from tests.engine.agreement import both_say
from tests.engine.samples import Known, known, random_positions, start
from tools.opening_book import roomy

POSITIONS = 100_000


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for part in ("golden", "start", "pits", "agreement"):
        arguments.add_argument(f"--{part}", action="store_true")
    arguments.add_argument("--names", default=",".join(NAMES))
    options = arguments.parse_args()
    begins = options.start or options.pits
    everything = not (options.golden or begins or options.agreement)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Path(folder), has_book=False)
        kernel = compiled.load(Path(folder))
        assert kernel is not None, "numba is not installed"
        for name in options.names.split(","):
            if options.golden or everything:
                engine.use(kernel)
                engine._tools.endings.held = engine._tools.endings.found
                wrong += golden(engine, name)
            if begins or everything:
                engine.use(roomy(kernel))
                wrong += from_nothing(engine, start(name), every=options.pits or everything)
    if options.agreement or everything:
        wrong += agreement(kernel)
    sys.exit(1 if wrong else 0)


def golden(engine: Engine, name: str) -> int:
    """Solve every golden position; how many were wrong."""
    begun, samples = time.monotonic(), list(known(name))
    wrong = sum(not is_right(engine, sample) for sample in samples)
    print(f"{name}: {len(samples)} golden positions, {wrong} wrong, {time.monotonic() - begun:.0f} s", flush=True)
    return wrong


def from_nothing(engine: Engine, sample: Known, *, every: bool) -> int:
    """Solve a start position, saying what is proved as it is; whether it was wrong."""
    ruleset, position, value, pits, _ = sample
    begun = time.monotonic()
    engine.prepare(ruleset)
    told = ""
    for findings in engine.study(ruleset, position, every=every):
        exact = " ".join(f"{letter(pit.pit)} {pit.low:+}" for pit in findings.pits if pit.is_exact)
        if findings.low == findings.high and exact != told:
            told = exact
            print(f"{ruleset.key}: {findings.low:+}; {exact}; {time.monotonic() - begun:.0f} s", flush=True)
    right = findings.low == findings.high == value and all(
        pit.low <= pits[pit.pit] <= pit.high and (pit.is_exact or not every) for pit in findings.pits
    )
    print(f"{ruleset.key}: {'as computed elsewhere' if right else f'WRONG: {findings}'}", flush=True)
    return not right


def is_right(engine: Engine, sample: Known) -> bool:
    ruleset, position, value, pits, _ = sample
    findings = engine.solve(ruleset, position)
    right = findings.is_exact and findings.low == value and {pit.pit: pit.low for pit in findings.pits} == pits
    if not right:
        print(f"{ruleset.key} {position}: {value:+} {pits}, but found {findings}")
    return right


def agreement(kernel: Kernel) -> int:
    """Compare the two kernels; on how many positions they differ."""
    begun, wrong = time.monotonic(), 0
    for ruleset, position in islice(random_positions(4), POSITIONS):
        plain, quick = both_say(kernel, ruleset, position)
        if plain != quick:
            wrong += 1
            print(f"{ruleset.key} {position}: plain {plain}, compiled {quick}")
    print(f"{POSITIONS} random positions, {wrong} times apart, {time.monotonic() - begun:.0f} s", flush=True)
    return wrong


if __name__ == "__main__":
    main()
