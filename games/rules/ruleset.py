"""What every ruleset can do, and the registry that finds one by its key. Not the rules themselves."""

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Protocol

from games.rules.avalanche import Avalanche
from games.rules.kalah import Kalah
from games.rules.position import Hole, Position
from games.rules.sowing import Outcome, Prospect, Sowing


class UnknownRuleset(ValueError):
    """No ruleset has this key."""


class Ruleset(Protocol):
    """The rules of one game on one board."""

    @property
    def key(self) -> str:
        """`NAME-PITSxSTONES`, with `+majority` and `+pie`, in this order, if those house rules hold."""

    @property
    def pits(self) -> int:
        """Pits per side."""

    @property
    def stones(self) -> int:
        """Stones per pit at the start."""

    @property
    def pie(self) -> bool:
        """Whether North may take South's side after South's first turn: see `transcript.may_swap`."""

    def start(self) -> Position:
        """The position every game begins with."""

    def legal_pits(self, position: Position) -> tuple[Hole, ...]:
        """The pits the side to move may sow, from its left to its right; none when the game is over."""

    def sow(self, position: Position, pit: Hole) -> Sowing:
        """Play one ply; raises IllegalSowing."""

    def prospects(self, position: Position) -> tuple[Prospect, ...]:
        """What every legal pit would bring, in their order: quicker than to sow them all."""

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on."""


# Sources: docs/rules.md.
_NAMED: dict[str, Callable[[str, int, int, bool, bool], Ruleset]] = {
    "classic": Kalah,
    "both-stores": partial(Kalah, both_stores=True, empty_capture=False),
    "no-empty-capture": partial(Kalah, empty_capture=False),
    "avalanche": Avalanche,
}
NAMES = tuple(_NAMED)
"""The names a key may begin with, the default first."""

_KEY = re.compile(r"([a-z-]+)-([1-9])x([1-9])(\+majority)?(\+pie)?")


@cache
def by_key(key: str) -> Ruleset:
    """The ruleset of this key, always the same one; raises UnknownRuleset.

    >>> print(by_key("classic-6x4").start())
    4,4,4,4,4,4,0/4,4,4,4,4,4,0 S
    """
    found = _KEY.fullmatch(key)
    if found is None or found[1] not in _NAMED:
        raise UnknownRuleset(f"no ruleset is called {key!r}")
    name, pits, stones, majority, pie = found.groups()
    return _NAMED[name](key, int(pits), int(stones), majority is not None, pie is not None)


def name_of(ruleset: Ruleset) -> str:
    """Which of NAMES its key begins with.

    >>> name_of(by_key("no-empty-capture-6x4+pie"))
    'no-empty-capture'
    """
    return ruleset.key.rpartition("-")[0]
