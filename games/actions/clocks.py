"""What time does to a game: flags fall; a stopped server, or a clock of it that was set, costs nobody anything."""

import time
from collections.abc import Callable
from typing import ClassVar, TypeVar

from games import broadcast, clock, snapshot
from games.actions.row import announce_end, change, kept, over, timed
from games.models import Game, Pulse
from games.protocol import Refusal, Refused
from games.rules.position import Position

_AT_ONCE = 100  # flags fallen by one call

_T = TypeVar("_T")

PAUSE_MS = 1500
"""A server that was away for less has not been missed."""


def fall_flags(now: int) -> bool:
    """End the games in which the time of the side to move is over by `now`; whether any clock still runs."""
    running = Game.objects.running_out()
    for game in running.seated().filter(deadline__lte=now)[:_AT_ONCE]:
        fall_flag(game, now)
    return running.exists()


def judged(code: str) -> tuple[Game, int]:
    """The current game of a room as of now, and the moment: a flag that was to fall by then has fallen.

    Raises:
        Refused: `no_such_room`; `unavailable` when the clock was set a moment ago, and nobody can be judged by it.
    """
    while True:
        row = snapshot.current_game(code)
        now = snapshot.moment()
        if was_set(now):
            raise Refused(Refusal.UNAVAILABLE)
        if not row.has_fallen(now):
            return row, now
        fall_flag(row, now)


def prepared(code: str, plan: Callable[[Game, Position, int], _T]) -> _T | None:
    """What `plan` makes of the same by the row that this process wrote last, with its position. No query.

    None if there is no such row, and also if there is anything to refuse by it, as it may be out of date.
    """
    there = kept(code)
    if there is None:
        return None
    row, position = there
    now = snapshot.moment()
    if row.control and (was_set(now) or row.has_fallen(now)):
        return None
    try:
        return plan(row, position, now)
    except Refused:
        return None


def fall_flag(row: Game, now: int) -> bool:
    """The time of the side to move is over, and the other wins; False if somebody changed the game meanwhile."""
    if not change(row, **over(row, Game.Ending.TIMED_OUT, row.turn.opponent.letter, now)):
        return False
    announce_end(row)
    return True


def beat(now: int) -> None:
    """Note that this process serves at `now`, so that the next to start knows for how long nobody did."""
    if not Pulse.objects.update(at=now):
        Pulse.objects.create(at=now)


def keep_time(now: int) -> None:
    """Make up for this machine's clock having been set since the last call. For the one who sweeps in a process."""
    if was_set(now):
        make_up(now, was_set=True)
    _Seen.ahead = now - steady()


class _Seen:
    """What this process knows of its machine's clocks."""

    ahead: ClassVar[int | None] = None
    """By how much the time of day was ahead of the steady clock when last looked at; None: nobody looks."""


def steady() -> int:
    """A clock of this machine that only counts, and that nobody sets, in ms."""
    return time.monotonic_ns() // 1_000_000


def was_set(now: int) -> bool:
    """Whether the time of day was set since it was last looked at, so that nobody can be judged by it."""
    return _Seen.ahead is not None and abs(now - steady() - _Seen.ahead) >= PAUSE_MS


def make_up(now: int, *, was_set: bool = False) -> int:
    """Give back to every running clock the time in which no process served; to how many.

    Or take it, where the time of day `was_set` back. Once, however many ask.
    """
    last = Pulse.objects.order_by("-at").values_list("at", flat=True).first()
    if last is None:
        return 0
    gap = abs(now - last) if was_set else now - last
    if gap < PAUSE_MS or not Pulse.objects.filter(at=last).update(at=now):
        return 0
    return sum(_make_up(game, last, now) for game in Game.objects.seated().running_out())


def _make_up(row: Game, begin: int, end: int) -> bool:
    south_away, north_away = (since and clock.without(since, begin, end) for since in (row.south_away, row.north_away))
    after = {"south_away": south_away, "north_away": north_away}
    if row.clock is None or not change(row, **after, **timed(row.clock.without(begin, end))):
        return False  # somebody has just moved: the clock is a new one
    broadcast.announce(row.room_id, snapshot.of(row))
    return True
