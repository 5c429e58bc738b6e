"""Ask a server for the values of positions, two at a time, for as long as this runs: see servers.py.

    python -m benchmarks.thinking PORT FILE

Writes the file once the engine there is compiled and the two are thinking.
"""

import json
import random
import sys
import threading
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

from games.rules.position import Position
from games.rules.ruleset import by_key

RULESET = by_key("classic-6x4")
SECONDS = 5
AT_ONCE = 2
OPENING = 4
"""Plies that are sown at random before: such a position takes longer than so many seconds, and is in no book."""


def main() -> None:
    port, ready = int(sys.argv[1]), Path(sys.argv[2])
    while not ask(port, RULESET.start(), 1)["compiled"]:
        pass
    asking = [threading.Thread(target=_keep_asking, args=(port, seed), daemon=True) for seed in range(AT_ONCE)]
    for thread in asking:
        thread.start()
    ready.touch()
    for thread in asking:
        thread.join()


def _keep_asking(port: int, seed: int) -> None:
    chance = random.Random(seed)
    while True:
        ask(port, opening(chance), SECONDS)


def opening(chance: random.Random) -> Position:
    """A position of which hardly any search comes to an end in `SECONDS`."""
    position = RULESET.start()
    for _ in range(OPENING):
        position = RULESET.sow(position, chance.choice(RULESET.legal_pits(position))).after
    return position


def ask(port: int, position: Position, seconds: int) -> dict[str, object]:
    """What the server answers about it."""
    query = urlencode({"ruleset": RULESET.key, "position": str(position), "seconds": seconds})
    with urlopen(f"http://127.0.0.1:{port}/api/v1/solve?{query}") as answer:
        told: dict[str, object] = json.load(answer)
    return told


if __name__ == "__main__":
    main()
