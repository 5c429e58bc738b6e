"""The row of a game: what a request needs of it, and how it is changed. For the other modules of this package."""

import functools
import threading
import uuid
from datetime import datetime
from typing import Any, NamedTuple, cast

from django.db.models import Model

from games import broadcast, clock, database, snapshot
from games.hub import followers
from games.models import Game, Player, Review, Talk
from games.protocol import Ended, OutcomeShape, Outgoing, Refusal, Refused
from games.rules import ruleset as rulesets
from games.rules.position import Position, Side
from games.rules.transcript import side_of
from games.topics import Seating

_FIELDS = {field.name: field for field in Game._meta.concrete_fields}  # noqa: SLF001  # Django's public name
_AS_THEY_ARE = (int, str, type(None))  # types whose values every database takes
_KEPT = 5_000  # games whose rows this process keeps as it left them


def check_seat(row: Game, player: uuid.UUID | None, game: int) -> str:
    """The side of `player` in the current game, which has to be number `game`."""
    side = row.seat_of(player)
    if side is None:
        raise Refused(Refusal.NOT_SEATED)
    if game != row.number:
        raise Refused(Refusal.STALE_PLY)
    return side


def check_status(row: Game) -> None:
    """Refuse unless the game is being played."""
    if row.status == Game.Status.OPEN:
        raise Refused(Refusal.NOT_STARTED)
    if row.is_over:
        raise Refused(Refusal.GAME_OVER)


def check_playing(row: Game, player: uuid.UUID | None, game: int, ply: int | None = None) -> str:
    """The side of `player` in a game that is being played, and in which ply number `ply` is still to come."""
    side = check_seat(row, player, game)
    if ply is not None and ply < row.ply:
        raise Refused(Refusal.STALE_PLY)
    check_status(row)
    return side


_kept: dict[str, tuple[Game, Position]] = {}
_keeping = threading.Lock()


def keep(game: Game, position: Position) -> None:
    """Remember a game as it has just been committed: mostly nobody changes it before its next ply."""
    with _keeping:
        if len(_kept) >= _KEPT:
            del _kept[next(iter(_kept))]  # kept for the longest time
        _kept[game.room_id] = game, position


def kept(code: str) -> tuple[Game, Position] | None:
    """The current game of a room as it was kept, if it is, for the caller alone.

    It may be out of date: good enough to write by, since `change` compares, but not to refuse by. Names may be old.
    """
    with _keeping:
        return _kept.pop(code, None)


def keep_current(code: str, by: database.Writer) -> None:
    """Read the current game of a room, unless it is kept, and keep it. At most one query."""
    if code not in _kept and (game := Game.current(code, by)):
        keep(game, Position.parse(game.position))


def follow(code: str, after: dict[str, Any]) -> None:
    """Another process has written `after`: the game that is kept keeps up, if that is what they changed."""
    with _keeping:
        there = _kept.pop(code, None)
        if there and (there[0].pk, there[0].version + 1) == (after["id"], after["version"]):
            game = there[0]
            vars(game).update(after)
            _kept[code] = game, Position.parse(game.position)


followers.append(follow)


class Update(NamedTuple):
    """A compare-and-set that is worked out: new values for a game, unless somebody has changed it since it was read."""

    statement: str
    values: tuple[Any, ...]
    after: dict[str, Any]
    """What other processes `follow`."""


def update(game: Game, after: dict[str, Any]) -> Update:
    """Give `game` the values `after`, and say how to write them. If that fails, the row is of no more use.

    Of columns only: who sits where is for `change`.
    """
    planned = _planned(game, after)
    vars(game).update(after)
    return planned


class Change(NamedTuple):
    """An update with what is to be told of it, not yet written."""

    game: Game
    """As it will be."""
    position: Position
    message: Outgoing
    update: Update
    concerns_lobby: bool = True

    def record(self, by: database.Writer) -> bool:
        """Write it; False if somebody changed the game meanwhile. One statement."""
        return by.change(self.update.statement, self.update.values) > 0

    def tell(self) -> None:
        """Tell the room and the lobby, and keep the game for what comes next, after the commit."""
        broadcast.announce(self.game.room_id, self.message, news=self.update.after)
        database.after_commit(keep, self.game, self.position)  # last: what is written by it is told later
        if self.concerns_lobby:
            broadcast.lobby_changed(self.game.south_id, self.game.north_id)

    def write(self) -> bool:
        """Record it on this thread, and tell it."""
        if not self.record(database):
            return False
        self.tell()
        return True


def change(game: Game, **after: Any) -> bool:
    """Write `after` if nobody changed the game since it was read. The row follows on success."""
    planned = _planned(game, after)
    if not database.change(planned.statement, planned.values):
        return False
    _take_on(game, after)
    return True


def change_beside(row: Talk | Review, **after: Any) -> bool:
    """The same for what belongs to a room or a game and has a version of its own."""
    after["version"] = row.version + 1
    if not type(row).objects.filter(pk=row.pk, version=row.version).update(**after):
        return False
    _take_on(row, after)
    return True


def _planned(game: Game, after: dict[str, Any]) -> Update:
    # Written out, because compiling the update anew would cost Django several times what it costs the database.
    after["version"] = game.version + 1
    stored = [value if type(value) in _AS_THEY_ARE else _as_stored(name, value) for name, value in after.items()]
    statement = _update(tuple(after))
    after["id"] = game.id
    return Update(statement, (*stored, game.id, game.version), after)


def _take_on(row: Model, after: dict[str, Any]) -> None:
    for name, value in after.items():
        setattr(row, name, value)


def _as_stored(name: str, value: Any) -> Any:
    if isinstance(value, datetime):
        return database.stored(value)
    # Of a player a column holds the id.
    return _FIELDS[name].get_db_prep_save(value.pk if isinstance(value, Player) else value, database.connection())


def insertion(game: Game) -> tuple[str, tuple[Any, ...]]:
    """How to write a game that is not there yet: a statement and its values. Its id is known afterwards."""
    stored = [_as_stored(name, getattr(game, field.attname)) for name, field in _FIELDS.items() if name != "id"]
    return _INSERT, tuple(stored)


_COLUMNS = [str(field.column) for name, field in _FIELDS.items() if name != "id"]
_INSERT = f"INSERT INTO games_game ({', '.join(_COLUMNS)}) VALUES ({', '.join(['%s'] * len(_COLUMNS))})"  # noqa: S608  # names of columns


@functools.cache
def _update(names: tuple[str, ...]) -> str:
    columns = ", ".join(f"{_FIELDS[name].column} = %s" for name in names)
    return f"UPDATE games_game SET {columns} WHERE id = %s AND version = %s"  # noqa: S608  # names of columns


def begun(control: str, now: int) -> dict[str, Any]:
    """What changes when a game begins."""
    started = timed(clock.start(clock.by_key(control), now)) if control else {"turn_since": now}
    return {"status": Game.Status.PLAYING, "moved_at": database.instant(now), **started}


def exchanged(row: Game, now: int) -> dict[str, Any]:
    """What changes when the two players swap sides: all that belongs to a person, and whose clock runs."""
    return {
        "south": row.north,
        "north": row.south,
        "south_wins": row.north_wins,
        "north_wins": row.south_wins,
        "south_away": row.north_away,
        "north_away": row.south_away,
        **(timed(row.clock.press(now).exchanged()) if row.clock else {"turn_since": now}),
    }


def over(game: Game, ending: Game.Ending, winner: str, now: int) -> dict[str, Any]:
    """What changes when a game ends; an offer that nobody answered is gone."""
    return {
        "status": Game.Status.OVER,
        "ending": ending,
        "winner": winner,
        "offer": "",
        "over_at": database.instant(now),
        "south_away": None,
        "north_away": None,
        **(timed(game.clock.stop(now)) if game.clock else {}),
    }


def is_first_turn(row: Game, record: str, side: Side) -> bool:
    """Whether the turn of `side` after the plies of `record` is its first, which begins with a grace."""
    rules = rulesets.by_key(row.ruleset)
    return all(side_of(rules, symbol) is not side for symbol in record)


def timed(time: clock.Clock) -> dict[str, Any]:
    """The columns that hold a clock."""
    return {
        "south_left": time.south,
        "north_left": time.north,
        "turn_since": time.since,
        "deadline": time.deadline,
    }


def announce_anew(game: Game) -> None:
    """Tell the room its whole state and who sits where: another game has begun, or the two have changed places."""
    state = snapshot.of(game)
    seating = Seating(game.number, game.version, *state.seats.players())
    broadcast.announce(game.room_id, state, seating=seating)
    broadcast.lobby_changed(game.south_id, game.north_id)


def ended(game: Game) -> Ended:
    """The message that a game is over."""
    outcome = cast("OutcomeShape", snapshot.outcome(game, Position.parse(game.position)))
    return Ended(game=game.number, version=game.version, outcome=outcome, clock=snapshot.clock(game))


def announce_end(game: Game) -> None:
    """Tell the room, and the lobby, that a game is over."""
    broadcast.announce(game.room_id, ended(game))
    broadcast.lobby_changed(game.south_id, game.north_id)
