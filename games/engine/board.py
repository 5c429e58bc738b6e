"""A ruleset on a board of some width, as the numbers that the kernel reads. Not what is searched with them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from zlib import crc32

from games.engine.kernel import (
    BITS,
    EMPTY_CAPTURE,
    GUARD,
    RANKED,
    RANKS,
    RELAY,
    SALT,
    SOWINGS,
    STEP,
    TOTAL,
    WIDTH,
)
from games.rules.avalanche import Avalanche
from games.rules.kalah import Kalah
from games.rules.position import Position, Side
from games.rules.ruleset import Ruleset, by_key, name_of
from games.rules.tworank import TwoRank

MOST_STONES = 162
"""On the largest board: 9 pits of 9 stones, twice."""
_MOST_RANKED = 25
"""Positions with so many stones or more are searched on the narrowest boards too: they take no time."""
_WORD = 63
_WIDEST = 10  # bits of a pit: more would never be used


class TooLarge(ValueError):
    """The engine has no numbers for this position: too many pits or stones."""


@dataclass(frozen=True, slots=True)
class Board:
    """What the kernel knows of a ruleset on a board."""

    name: str
    """The ruleset, without the size of its board and its house rules."""
    width: int
    """Pits a side."""
    ranked: int
    """Positions with fewer stones in play than this may have their values kept: see endings.py."""
    numbers: tuple[int, ...] = field(repr=False, compare=False)
    """As kernel.py reads them."""

    @property
    def is_counted(self) -> bool:
        """Whether what lies in the stores matters."""
        return bool(self.numbers[TOTAL])

    @property
    def endings(self) -> int:
        """How many positions are ranked."""
        return comb(self.ranked - 1 + 2 * self.width, 2 * self.width)

    def rows(self, position: Position) -> tuple[int, int]:
        """The rows of a position as the kernel takes them, the mover's first."""
        bits = _bits(self.width)
        me, you = (
            sum(stones << bits * place for place, stones in enumerate(position.row(side)))
            for side in (position.turn, position.turn.opponent)
        )
        return me, you


def of(ruleset: Ruleset, position: Position, *, endings: int) -> Board:
    """The board of a position, with at most so many positions ranked; raises TooLarge."""
    width, total = position.width, sum(position.stones)
    bits = _bits(width)
    tight = total >= 1 << bits  # then no pit may come to hold all that it could
    fullest = max(max(position.row(side)) for side in Side)
    if total > MOST_STONES or (tight and fullest >= 1 << bits - 1):
        raise TooLarge(f"{position} has too many stones")
    # TwoRank is all that the registry makes.
    counted = total if isinstance(ruleset, TwoRank) and ruleset.majority else 0
    return _board(name_of(ruleset), width, tight, counted, 0 if counted else endings)


@lru_cache(64)
def _board(name: str, width: int, tight: bool, counted: int, endings: int) -> Board:
    ruleset, bits = by_key(f"{name}-1x1"), _bits(width)
    ranked = 0
    while ranked < _MOST_RANKED and comb(ranked + 2 * width, 2 * width) <= endings:
        ranked += 1
    both_stores = isinstance(ruleset, Kalah) and ruleset.both_stores
    sowings = tuple(_sowings(width, bits, both_stores=both_stores))
    numbers = [0] * SOWINGS
    numbers[WIDTH], numbers[BITS], numbers[STEP] = width, bits, len(sowings) // (6 * width)
    numbers[RELAY] = isinstance(ruleset, Avalanche)
    numbers[EMPTY_CAPTURE] = isinstance(ruleset, Kalah) and ruleset.empty_capture
    numbers[GUARD] = sum(1 << bits * pit + bits - 1 for pit in range(width)) if tight else 0
    numbers[TOTAL], numbers[RANKED], numbers[RANKS] = counted, ranked, SOWINGS + len(sowings)
    numbers[SALT] = crc32(f"{name} {width} {counted}".encode()) << 31
    numbers.extend(sowings)
    numbers.extend(comb(stones + pit, pit + 1) for pit in range(2 * width) for stones in range(ranked))
    return Board(name, width, ranked, tuple(numbers))


def _sowings(width: int, bits: int, *, both_stores: bool) -> Iterator[int]:
    """For every pit and hand: what is added to either row; then the last hole and what either store gets."""
    holes = 2 * width + 2
    for pit in (*range(width), *range(width + 1, holes - 1)):
        rows, stores, last = [0, 0], [0, 0], pit
        for hand in range(min(MOST_STONES, (1 << bits) - 1) + 1):
            if hand:
                last = (last + 1) % holes
                if last == holes - 1 and not both_stores:
                    last = 0
                side, place = divmod(last, width + 1)
                if place == width:
                    stores[side] += 1
                else:
                    rows[side] += 1 << bits * place
            yield from (*rows, last | stores[0] << 5 | stores[1] << 13)


def _bits(width: int) -> int:
    return min(_WIDEST, _WORD // width)
