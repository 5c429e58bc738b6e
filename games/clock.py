"""How much time each side has. Pure: `now` is always an argument; all times are ms, moments since 1970.

What is written here is true of a game wherever it is looked at: the server judges by it, browsers only show it.
"""

import re
from dataclasses import dataclass, replace

from games.rules.position import Side

CREDIT_MS = 500
"""So much of every turn is not charged: the way over the line. It is the same for both, whatever their lines."""

GRACE_MS = 30_000
"""So long nobody's clock runs in the first turn of each side: whoever waited for the other may be making tea."""

_GAME = re.compile(r"([1-9]\d?)\+([1-9]?\d)", re.ASCII)
_TURN = re.compile(r"([1-9]\d{0,2})s", re.ASCII)


class UnknownControl(ValueError):
    """No time control has this key."""


@dataclass(frozen=True, slots=True)
class Control:
    """How time is given: `base` for the game and `increment` more with each turn, or `base` anew for every turn."""

    key: str
    base: int
    increment: int = 0
    is_per_turn: bool = False

    @property
    def base_minutes(self) -> int:
        """For words."""
        return self.base // 60_000

    @property
    def base_seconds(self) -> int:
        """For words."""
        return self.base // 1000

    @property
    def increment_seconds(self) -> int:
        """For words."""
        return self.increment // 1000


def by_key(key: str) -> Control:
    """The control that a key names: minutes for the game and seconds a turn, or seconds for every turn.

    >>> by_key("5+3")
    Control(key='5+3', base=300000, increment=3000, is_per_turn=False)
    >>> by_key("30s")
    Control(key='30s', base=30000, increment=0, is_per_turn=True)

    Raises:
        UnknownControl: `key` is none.
    """
    if found := _GAME.fullmatch(key):
        return Control(key, int(found[1]) * 60_000, int(found[2]) * 1000)
    if found := _TURN.fullmatch(key):
        return Control(key, int(found[1]) * 1000, is_per_turn=True)
    raise UnknownControl(key)


@dataclass(frozen=True, slots=True)
class Clock:
    """What each side has left as its turn began, whose clock runs, and since when.

    `since` may lie ahead: until then nothing is charged. `running` is None when the game is over.
    """

    control: Control
    south: int
    north: int
    running: Side | None
    since: int

    @property
    def deadline(self) -> int | None:
        """The moment at which the flag of the running side falls."""
        return None if self.running is None else self.since + self.left(self.running) + CREDIT_MS

    def left(self, side: Side) -> int:
        """What `side` has left, without what the running turn has taken."""
        return self.south if side is Side.SOUTH else self.north

    def shown(self, side: Side, now: int) -> int:
        """What `side` is shown to have left at `now`: browsers know of no credit."""
        left = self.left(side)
        return max(0, left - max(0, now - self.since)) if side is self.running else left

    def has_fallen(self, now: int) -> bool:
        """Whether the time of the side to move is over."""
        return self.deadline is not None and now >= self.deadline

    def press(self, now: int, *, is_first: bool = False) -> "Clock":
        """The turn is over, the other side's begins (`is_first`: its first). An extra turn presses nothing."""
        if self.running is None:
            return self
        rest = self.control.base if self.control.is_per_turn else self._rest(now) + self.control.increment
        since = _begin(now, is_first=is_first)
        return replace(self._with(rest), running=self.running.opponent, since=since)

    def back(self, south: int, north: int, side: Side, now: int, *, is_first: bool) -> "Clock":
        """A turn of `side` (`is_first`: its first) begins anew, with what both had left as it began."""
        return replace(self, south=south, north=north, running=side, since=_begin(now, is_first=is_first))

    def stop(self, now: int) -> "Clock":
        """The game is over."""
        return self if self.running is None else replace(self._with(self._rest(now)), running=None)

    def without(self, begin: int, end: int) -> "Clock":
        """As if the time from `begin` to `end`, when nobody could move, had not been."""
        return replace(self, since=without(self.since, begin, end))

    def exchanged(self) -> "Clock":
        """The two players change seats: each takes along what is left, and whoever was to move still is."""
        running = self.running and self.running.opponent
        return replace(self, south=self.north, north=self.south, running=running)

    def _rest(self, now: int) -> int:
        """What the running side has left at `now`."""
        left = self.south if self.running is Side.SOUTH else self.north
        return max(0, left - max(0, now - self.since - CREDIT_MS))

    def _with(self, left: int) -> "Clock":
        """With so much left for the running side."""
        return replace(self, south=left) if self.running is Side.SOUTH else replace(self, north=left)


def start(control: Control, now: int) -> Clock:
    """The clock of a game that begins at `now`."""
    return Clock(control, control.base, control.base, Side.SOUTH, _begin(now, is_first=True))


def without(moment: int, begin: int, end: int) -> int:
    """A moment as if the time from `begin` to `end` had not been. `end` may be the earlier: clocks were set back."""
    return moment + (end - begin if end < begin else max(0, end - max(begin, moment)))


def _begin(now: int, *, is_first: bool) -> int:
    """The moment from which on a turn that begins at `now` is charged."""
    return now + GRACE_MS if is_first else now
