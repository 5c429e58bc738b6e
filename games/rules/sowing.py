"""What one ply was: the stones it moved, from which hole to which. Not which plies a ruleset allows."""

import enum
from dataclasses import dataclass
from typing import NamedTuple

from games.rules.position import Hole, Position, Side


class IllegalSowing(ValueError):
    """The ruleset does not allow this pit to be sown in this position."""


class Kind(enum.Enum):
    """Why stones moved."""

    SOW = "sow"
    CAPTURE = "capture"
    SWEEP = "sweep"


_SOW, _CAPTURE = Kind.SOW, Kind.CAPTURE  # finding a member in its class takes longer than comparing it


@dataclass(frozen=True, slots=True)
class Transfer:
    """Stones going from one hole to another; a sown stone comes from the pit its lap was picked up from."""

    kind: Kind
    source: Hole
    target: Hole
    stones: int


@dataclass(frozen=True, slots=True)
class Sowing:
    """One ply: `transfers`, applied in order to `before.stones`, give `after.stones`.

    A ply without transfers is no sowing: the two players have swapped sides, and the same side is to move.
    """

    before: Position
    pit: Hole
    transfers: tuple[Transfer, ...]
    after: Position

    @property
    def side(self) -> Side:
        """The side that sowed."""
        return self.before.turn

    @property
    def is_swap(self) -> bool:
        """Whether the players swapped sides: no stone moved, and `pit` is North's store."""
        return not self.transfers

    @property
    def last(self) -> Hole:
        """The hole where the last sown stone fell."""
        for transfer in reversed(self.transfers):
            if transfer.kind is _SOW:
                return transfer.target
        return self.pit

    @property
    def extra_turn(self) -> bool:
        """Whether the same side is to move again: never when this ply ended the game."""
        return self.after.turn is self.before.turn and not self.is_swap

    @property
    def captured(self) -> int:
        """How many stones were captured, the capturing stone included."""
        return sum([transfer.stones for transfer in self.transfers if transfer.kind is _CAPTURE])


class Prospect(NamedTuple):
    """What sowing a pit would bring, short of what is swept when it ends the game."""

    pit: Hole
    last: Hole
    """The hole where the last sown stone would fall."""
    extra_turn: bool
    captured: int
    """How many stones would be captured, the capturing one included."""
    way: tuple[Hole, ...]
    """The hole of each stone of the first hand."""
    taken: tuple[Hole, ...]
    """The pits that a capture would empty."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winner: Side | None
    """None: drawn."""
    score: tuple[int, int]
    """South's stones, North's stones."""
