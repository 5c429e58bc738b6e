"""What is known of a position: values with their bounds. Not how they are found."""

from dataclasses import dataclass

from games.rules.position import Hole


@dataclass(frozen=True, slots=True)
class PitValue:
    """What sowing a pit leads to with best play: stones of the side to move less those of the other, in the end."""

    pit: Hole
    low: int
    """Proved: it is not less …"""
    high: int
    """… nor more."""
    guess: int
    """Within both, by the deepest search so far."""

    @property
    def is_exact(self) -> bool:
        """Whether nothing is left to prove."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of a position so far."""

    pits: tuple[PitValue, ...]
    """From the side's left to its right; none when the game is over."""
    low: int
    high: int
    """Bounds of the value of the position, as those of a pit."""
    depth: int
    """How many sowings ahead it was looked; FOREVER: to the end."""
    nodes: int

    @property
    def is_exact(self) -> bool:
        """Whether the value of every pit is known."""
        return self.low == self.high and all(pit.is_exact for pit in self.pits)

    @property
    def best(self) -> PitValue:
        """The pit to sow, the first of equals; raises ValueError when the game is over."""
        return max(self.pits, key=lambda pit: (pit.guess, pit.low))

    @property
    def proved_best(self) -> PitValue | None:
        """The first pit than which no other is better, if that is proved; None when the game is over."""
        best = max(self.pits, key=lambda pit: pit.low, default=None)
        return best if best and all(pit.high <= best.low for pit in self.pits if pit is not best) else None
