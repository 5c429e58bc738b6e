"""Where the stones lie and who is to move, with its exact text form. Not how the game is played."""

import enum
import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, Self, TypeAlias

Hole: TypeAlias = int
"""The one address of a pit or store. On a board of `w` pits a side: South's pits 0..w-1, South's store w,
North's pits w+1..2w, North's store 2w+1. Stones run through the holes in this order."""


class InvalidText(ValueError):
    """A text that is not the form of what it should stand for."""


class Side(enum.Enum):
    """South moves first."""

    SOUTH = "S"
    NORTH = "N"

    opponent: "Side"
    """The other side."""
    letter: Literal["S", "N"]
    """The same as `value`, which takes longer to look up."""


Side.SOUTH.opponent, Side.NORTH.opponent = Side.NORTH, Side.SOUTH
Side.SOUTH.letter, Side.NORTH.letter = "S", "N"
_SOUTH = Side.SOUTH  # finding a member in its class takes longer than the arithmetic of a board


_COUNT = "(?:0|[1-9][0-9]{0,2})"  # at most 9 x 9 stones a side: three digits hold them all
_ROW = f"{_COUNT}(?:,{_COUNT}){{1,9}}"
_POSITION = re.compile(f"({_ROW})/({_ROW}) ([SN])")


@dataclass(frozen=True, slots=True)
class Position:
    """Where the stones lie and who is to move.

    When a game is over `turn` is the side that did not end it.

    >>> print(Position((4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0), Side.SOUTH))
    4,4,0,5,5,5,1/4,4,4,4,4,4,0 S
    """

    stones: tuple[int, ...]
    """One count per hole."""
    turn: Side

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` wrote, and nothing else; raises InvalidText.

        >>> Position.parse("2,0/1,1 N")
        Position(stones=(2, 0, 1, 1), turn=<Side.NORTH: 'N'>)
        """
        found = _POSITION.fullmatch(text)
        if found is None:
            raise InvalidText(f"not a position: {text!r}")
        south, north = (tuple(map(int, row.split(","))) for row in found.group(1, 2))
        if len(south) != len(north):
            raise InvalidText(f"rows of different length: {text!r}")
        return cls(south + north, Side(found[3]))

    def __str__(self) -> str:
        return _form(self.width) % (*self.stones, self.turn.letter)

    @property
    def width(self) -> int:
        """How many pits each side has."""
        return len(self.stones) // 2 - 1

    @property
    def in_play(self) -> int:
        """How many stones lie in pits.

        >>> Position.parse("2,0,9/1,1,7 N").in_play
        4
        """
        return sum(self.stones) - sum(self.stones[self.store(side)] for side in Side)

    def row(self, side: Side) -> tuple[int, ...]:
        """The counts of the pits of `side`, from its own left to its right."""
        return tuple(self.stones[pit] for pit in self.pits(side))

    def pits(self, side: Side) -> range:
        """The pits of `side`, from its own left to its right."""
        half = len(self.stones) // 2
        return range(half - 1) if side is _SOUTH else range(half, 2 * half - 1)

    def store(self, side: Side) -> Hole:
        """The store of `side`."""
        return len(self.stones) // 2 - 1 if side is _SOUTH else len(self.stones) - 1

    def opposite(self, pit: Hole) -> Hole:
        """The pit across the board."""
        return 2 * self.width - pit


@cache  # there are few widths
def _form(width: int) -> str:
    row = ",".join(["%d"] * (width + 1))
    return f"{row}/{row} %s"
