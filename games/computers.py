"""Who the computer players are, from a child's first game to one that never errs. Not how they think: see bots.py."""

import uuid
from typing import NamedTuple


class Computer(NamedTuple):
    """A player that is no person."""

    level: int
    """From 1, who plays as if for the first time, to 5."""
    name: str

    @property
    def id(self) -> uuid.UUID:
        """Nobody else's: those of people are random, and say so in their 13th digit."""
        return uuid.UUID(bytes=b"computer" + self.level.to_bytes(8))


COMPUTERS = tuple(Computer(level, name) for level, name in enumerate(("Pip", "Coco", "Finn", "Nova", "Sage"), start=1))

_LEVELS = {computer.id: computer.level for computer in COMPUTERS}

ALWAYS_HERE = frozenset(str(computer.id) for computer in COMPUTERS)
"""The ids of players that need no socket to be there."""


def of_level(level: int) -> Computer:
    """The computer of a level; raises IndexError."""
    return COMPUTERS[level - 1]


def level_of(player: uuid.UUID | None) -> int | None:
    """The level of a computer; None for a person, and for nobody."""
    return _LEVELS.get(player) if player else None
