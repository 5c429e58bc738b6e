"""What time does to a game: flags fall, and a stopped server costs nobody anything."""

from games import broadcast, snapshot
from games.actions.row import announce_end, change, over, timed
from games.models import Game, Pulse

_AT_ONCE = 100  # flags fallen by one call

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
        Refused: `no_such_room`.
    """
    while True:
        row = snapshot.current_game(code)
        now = snapshot.moment()
        if not row.has_fallen(now):
            return row, now
        fall_flag(row, now)


def fall_flag(row: Game, now: int) -> bool:
    """The time of the side to move is over, and the other wins; False if somebody changed the game meanwhile."""
    if not change(row, **over(row, Game.Ending.TIMED_OUT, row.turn.opponent.value, now)):
        return False
    announce_end(row)
    return True


def beat(now: int) -> None:
    """Note that this process serves at `now`, so that the next to start knows for how long nobody did."""
    if not Pulse.objects.update(at=now):
        Pulse.objects.create(at=now)


def make_up(now: int) -> int:
    """Give back to every running clock the time in which no process served, once however many ask; to how many."""
    last = Pulse.objects.order_by("-at").values_list("at", flat=True).first()
    if last is None or now - last < PAUSE_MS or not Pulse.objects.filter(at=last).update(at=now):
        return 0
    return sum(_make_up(game, last, now) for game in Game.objects.seated().running_out())


def _make_up(row: Game, begin: int, end: int) -> bool:
    time = row.clock
    if time is None or not change(row, **timed(time.without(begin, end))):
        return False  # somebody has just moved: the clock is a new one
    broadcast.announce(row.room_id, snapshot.of(row))
    return True
