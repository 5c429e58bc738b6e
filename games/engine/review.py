"""A game gone over from its end to its start: what each ply cost, how well each player sowed. Not how it is shown."""

import time
from collections.abc import Collection, Iterable, Iterator

from games.engine.engine import Engine
from games.engine.findings import Findings
from games.engine.search import Budget, Stop
from games.rules.position import Hole, Position, Side
from games.rules.ruleset import Ruleset
from games.rules.transcript import is_swapped, letter, replay, side_of, swap_letter

_QUARTER = 4
_HALVED_BY = 2
"""So many stones given away halve what a ply is worth."""


def review(  # noqa: PLR0913  how far it goes is the caller's affair
    engine: Engine,
    ruleset: Ruleset,
    transcript: str,
    *,
    known: Collection[int] = (),
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Iterator[tuple[int, Findings]]:
    """What is known of the position before each ply, the last ply first; raises IllegalSowing, TooLarge.

    The late positions are the quick ones, and what was found out of them makes those before them quicker: so nearly all
    that can be exact in some time is. What is not has bounds that hold.

    Args:
        engine: Its endings should be at hand: see `Engine.prepare`.
        ruleset: What was played.
        transcript: The plies, counted from 0; swapping sides is one of them.
        known: Plies that need not be looked into.
        seconds: For the whole game; no ply takes more than a quarter of what is left, but the first three that stand in
            no book may share it. None: until all is exact.
        stop: Ends it early, without the plies that are left.
    """
    stop = stop or Stop()
    positions = [sowing.before for sowing in replay(ruleset, transcript)]
    end = None if seconds is None else time.monotonic() + seconds
    unknown = [ply for ply in range(len(positions)) if ply not in known]
    long = sum(not engine.knows(ruleset, positions[ply]) for ply in unknown)
    for ply in reversed(unknown):
        share = None if end is None else max(0.0, end - time.monotonic()) / max(1, min(_QUARTER, long))
        long -= 1
        findings = engine.solve(ruleset, positions[ply], Budget(seconds=share), stop=stop)
        if stop.is_set:
            return
        yield ply, findings


def best_line(
    engine: Engine, ruleset: Ruleset, position: Position, *, seconds: float, found: Findings | None = None
) -> str:
    """The letters of what follows with best play on both sides, to the end or as far as it is proved in the time.

    `found`: what is known of the position already.
    """
    end, line = time.monotonic() + seconds, ""
    while ruleset.outcome(position) is None:
        if found is None:
            budget = Budget(seconds=max(0.0, end - time.monotonic()))
            *_, found = engine.study(ruleset, position, budget, every=False)
        best, found = found.proved_best, None
        if best is None:
            break
        line += letter(best.pit)
        position = ruleset.sow(position, best.pit).after
    return line


def loss(findings: Findings, pit: Hole, *, may_swap: bool = False) -> tuple[int, int]:
    """How many stones a ply gave away, at least and at most: with best play so many more end in the other's store.

    That is half of the value of the position less that of what was done: each of them is missing in the own store, too.

    Args:
        findings: Of the position before.
        pit: The one that was sown, or the store, which stands for swapping sides.
        may_swap: Whether sides could be swapped instead.
    """
    low, high = findings.low, findings.high
    sown = next((value for value in findings.pits if value.pit == pit), None)
    if sown is None:  # what was North's is now the other one's, and the better of the two was to be had
        return max(0, low), max(0, high)
    if may_swap:
        low, high = max(low, -high), max(high, -low)
    return (max(0, low - sown.high) + 1) // 2, (high - sown.low + 1) // 2  # half a stone is one


def accuracy(losses: Iterable[int]) -> float | None:
    """How well somebody sowed, from 0 to 100 percent, by the losses of the plies in which there was a choice.

    The mean of what each ply is worth: 100 if it lost nothing, half of that for every two stones lost. None: there was
    no choice in any.

    >>> accuracy([0, 2]), accuracy([4]), accuracy([])
    (75.0, 25.0, None)
    """
    worths = [100 * 2 ** (-lost / _HALVED_BY) for lost in losses]
    return sum(worths) / len(worths) if worths else None


def seats(ruleset: Ruleset, transcript: str) -> tuple[Side, ...]:
    """Whose ply each is, by where the player sits in the end: who swapped sides sat North before.

    >>> from games.rules.ruleset import by_key
    >>> [side.letter for side in seats(by_key("classic-6x4+pie"), "canh")]
    ['N', 'N', 'S', 'N']
    """
    sides = [side_of(ruleset, symbol) for symbol in transcript]
    if not is_swapped(ruleset, transcript):
        return tuple(sides)
    swap = transcript.index(swap_letter(ruleset))
    return (*(side.opponent for side in sides[: swap + 1]), *sides[swap + 1 :])
