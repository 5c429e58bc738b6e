"""All that the engine must be right about, where the tests take a slice:

    python -m tests.engine.prove

Every golden position (--golden), the start positions of 6x4 from nothing (--start), plain and compiled kernel on
100,000 random positions (--agreement); without any of these, all. Exits with 1 if anything differs.
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
from tests.engine.agreement import both_say
from tests.engine.samples import Known, known, random_positions, start

POSITIONS = 100_000


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for part in ("golden", "start", "agreement"):
        arguments.add_argument(f"--{part}", action="store_true")
    arguments.add_argument("--names", default=",".join(NAMES))
    options = arguments.parse_args()
    everything = not (options.golden or options.start or options.agreement)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Path(folder), has_book=False)
        kernel = compiled.load(Path(folder))
        assert kernel is not None, "numba is not installed"
        engine.use(kernel)
        engine._tools.endings.of = engine._tools.endings.found
        for name in options.names.split(","):
            if options.golden or everything:
                wrong += golden(engine, name)
            if options.start or everything:
                wrong += from_nothing(engine, start(name))
    if options.agreement or everything:
        wrong += agreement(kernel)
    sys.exit(1 if wrong else 0)


def golden(engine: Engine, name: str) -> int:
    """Solve every golden position; how many were wrong."""
    begun, samples = time.monotonic(), list(known(name))
    wrong = sum(not is_right(engine, sample) for sample in samples)
    print(f"{name}: {len(samples)} golden positions, {wrong} wrong, {time.monotonic() - begun:.0f} s", flush=True)
    return wrong


def from_nothing(engine: Engine, sample: Known) -> int:
    begun = time.monotonic()
    right = is_right(engine, sample)
    took = time.monotonic() - begun
    verdict = "every pit as computed elsewhere" if right else "WRONG"
    print(f"{sample.ruleset.key}: {sample.value:+} from the start, {verdict}, {took:.0f} s", flush=True)
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
