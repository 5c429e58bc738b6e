"""What the two players of a game offer each other: a draw, to take back, another game."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from django.db import transaction

from games import database, snapshot
from games.actions.clocks import judged, prepared
from games.actions.row import (
    Change,
    Update,
    announce_anew,
    begun,
    check_seat,
    check_status,
    ended,
    insertion,
    is_first_turn,
    keep,
    over,
    timed,
    update,
)
from games.models import Game
from games.protocol import Offered, OfferKind, OfferShape, Refusal, Refused, Seat
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position


@dataclass(slots=True)
class Rematch:
    """The next game of a room, not yet written."""

    game: Game
    """As it will be; once it is written, with its id and the names that people have by then."""
    insertion: tuple[str, tuple[Any, ...]]
    """Of that game: worked out, because what was written may be rolled back with others, and written again."""
    update: Update
    """Of the last game."""

    def record(self, by: database.Writer) -> bool:
        """Write it; False if somebody changed the last game meanwhile."""
        if not by.change(self.update.statement, self.update.values):
            return False
        by.change(*self.insertion)
        self.game = cast("Game", Game.current(self.game.room_id, by))
        return True

    def tell(self) -> None:
        """Tell the room and the lobby, and keep the game for what comes next, after the commit."""
        announce_anew(self.game)
        database.after_commit(keep, self.game, Position.parse(self.game.position))  # last, as for a change

    def write(self) -> bool:
        """Record it on this thread, and tell it."""
        with transaction.atomic():
            if not self.record(database):
                return False
            self.tell()
            return True


Entry: TypeAlias = Change | Rematch


def offer(code: str, player: uuid.UUID | None, *, game: int, kind: OfferKind, ply: int | None = None) -> Game:
    """Offer the other player a draw, to take back, or another game. What both offer is agreed.

    What is asked for by who holds both seats is agreed at once; to take back is then the latest turn, and only if ply
    number `ply` is the next: a double tap takes back one turn.

    Raises:
        Refused: `no_such_room`, `not_seated`, `stale_ply`; `not_started`, `game_over`, `not_over` where this cannot be
            offered; `nothing_to_take_back`; `offer_open` while something else is offered.
    """
    while True:
        row, now = judged(code)
        side = check_seat(row, player, game)
        entry = _at_once(row, side, kind, ply, now) if row.is_shared else _offering(row, side, kind, now)
        if entry is None:
            return row
        if entry.write():
            return entry.game


def prepare_offer(
    code: str,
    player: uuid.UUID | None,
    *,
    game: int,
    kind: OfferKind,
    ply: int | None = None,
) -> Entry | None:
    """What `offer` would write, by the row that this process wrote last, as `prepare` does for a ply; None likewise."""
    return _prepared(code, lambda row, now: _offering(row, check_seat(row, player, game), kind, now))


def answer(code: str, player: uuid.UUID | None, *, game: int, number: int, accept: bool) -> Game:
    """Accept offer `number` of game number `game`, or decline it; whoever made it withdraws it.

    Raises:
        Refused: `no_such_room`, `not_seated`, `stale_ply`; `offer_gone`, also for whoever would accept an own offer.
    """
    while True:
        row, now = judged(code)
        entry = _answering(row, check_seat(row, player, game), number, accept, now)
        if entry.write():
            return entry.game


def prepare_answer(code: str, player: uuid.UUID | None, *, game: int, number: int, accept: bool) -> Entry | None:
    """The same for `answer`."""
    return _prepared(code, lambda row, now: _answering(row, check_seat(row, player, game), number, accept, now))


def _prepared(code: str, plan: Callable[[Game, int], Entry | None]) -> Entry | None:
    def plan_by_columns(row: Game, _: Position, now: int) -> Entry | None:
        if row.is_shared or row.offer.startswith("takeback"):
            return None  # with a turn that is taken back people are named, and the names of that row may be old
        return plan(row, now)

    return prepared(code, plan_by_columns)


def _offering(row: Game, side: str, kind: OfferKind, now: int) -> Entry | None:
    """What it does to offer; None if it is offered already. Raises `Refused`."""
    _check_offer(row, side, kind)
    there = snapshot.offer(row)
    if there is None:
        return _on_the_table(row, f"{kind} {side} {row.version + 1}")
    if there.kind != kind:
        raise Refused(Refusal.OFFER_OPEN)
    return None if there.side == side else _agreed(row, there, now)


def _answering(row: Game, side: str, number: int, accept: bool, now: int) -> Entry:
    """What it does to answer. Raises `Refused`."""
    there = snapshot.offer(row)
    if there is None or there.id != number or (accept and there.side == side):
        raise Refused(Refusal.OFFER_GONE)
    return _agreed(row, there, now) if accept else _on_the_table(row, "", declined=there.side != side)


def _on_the_table(row: Game, offer: str, *, declined: bool = False) -> Change:
    planned = update(row, {"offer": offer})
    message = Offered(game=row.number, version=row.version, offer=snapshot.offer(row), declined=declined)
    return Change(row, Position.parse(row.position), message, planned, concerns_lobby=False)


def _at_once(row: Game, side: str, kind: OfferKind, ply: int | None, now: int) -> Entry:
    """What it does if who holds both seats asks. Raises `Refused`."""
    if kind == "takeback" and ply not in {None, row.ply}:
        raise Refused(Refusal.STALE_PLY)
    side = _latest(row) or side
    _check_offer(row, side, kind)
    return _agreed(row, OfferShape(id=row.version + 1, kind=kind, side=cast("Seat", side)), now)


def _check_offer(row: Game, side: str, kind: OfferKind) -> None:
    """Refuse to offer what cannot be had now."""
    if kind == "rematch":
        if not row.is_over:
            raise Refused(Refusal.NOT_OVER)
        return
    check_status(row)
    if kind == "takeback" and _turn_of(row, side) is None:
        raise Refused(Refusal.NOTHING_TO_TAKE_BACK)


def _agreed(row: Game, there: OfferShape, now: int) -> Entry:
    """What was offered."""
    if there.kind == "draw":
        planned = update(row, over(row, Game.Ending.AGREED, "", now))
        return Change(row, Position.parse(row.position), ended(row), planned)
    if there.kind == "takeback":
        return _taken_back(row, there.side, now)
    return _rematch(row, now)


def _taken_back(row: Game, side: str, now: int) -> Change:
    ply = _turn_of(row, side)
    record = row.transcript[:ply]
    position = transcript.position(rulesets.by_key(row.ruleset), record)
    after = {"transcript": record, "position": str(position), "ply": len(record), "offer": ""}
    planned = update(row, {**after, "moved_at": database.instant(now), **_time_at(row, position, record, now)})
    return Change(row, position, snapshot.of(row), planned)


def _time_at(row: Game, position: Position, record: str, now: int) -> dict[str, Any]:
    """The clock as the turn after the plies of `record` began, from now on."""
    if row.clock is None:
        return {"turn_since": now}
    times = row.times.split()
    south, north = map(int, times[len(record)].split("/"))
    is_first = is_first_turn(row, record, position.turn)
    time = row.clock.back(south, north, position.turn, now, is_first=is_first)
    return {**timed(time), "times": "".join(f"{both} " for both in times[: len(record)])}


def _turn_of(row: Game, side: str) -> int | None:
    """The ply at which the last turn of `side` began, its extra turns included; None if it has had none.

    What came before the players swapped sides counts for nobody.
    """
    began = None
    before = ""
    for ply, sowing in enumerate(transcript.replay(rulesets.by_key(row.ruleset), row.transcript)):
        if sowing.is_swap:
            began, before = None, ""
            continue
        if sowing.side.letter == side != before:
            began = ply
        before = sowing.side.letter
    return began


def _latest(row: Game) -> str | None:
    """The side that has sown last; None before the first sowing."""
    if not row.transcript:
        return None
    return str(transcript.side_of(rulesets.by_key(row.ruleset), row.transcript[-1]).letter)


def _rematch(row: Game, now: int) -> Rematch:
    """The next game of the room, by the same rules. Whoever did not begin the last begins; on one device Sun does."""
    won = {"S": row.south_wins, "N": row.north_wins, "": row.draws}
    if row.ending != Game.Ending.ABANDONED:
        won[row.winner] += 1
    rules = rulesets.by_key(row.ruleset)
    people = [(row.south, won["S"]), (row.north, won["N"])]
    if not transcript.is_swapped(rules, row.transcript) and not row.is_shared:
        people.reverse()
    (south, south_wins), (north, north_wins) = people
    game = Game(
        room_id=row.room_id,
        number=row.number + 1,
        ruleset=row.ruleset,
        control=row.control,
        position=str(rules.start()),
        south=south,
        north=north,
        south_wins=south_wins,
        north_wins=north_wins,
        draws=won[""],
        created_at=database.instant(now),
        **begun(row.control, now),
    )
    return Rematch(game, insertion(game), update(row, {"offer": ""}))
