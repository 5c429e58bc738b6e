"""What the two players of a game offer each other: a draw, to take back, another game."""

import uuid
from typing import Any, cast

from django.db import transaction
from django.utils import timezone

from games import broadcast, database, snapshot
from games.actions.clocks import judged
from games.actions.row import (
    announce_anew,
    announce_end,
    begun,
    change,
    check_seat,
    check_status,
    is_first_turn,
    keep,
    over,
    timed,
)
from games.models import Game
from games.protocol import Offered, OfferKind, OfferShape, Refusal, Refused, Seat
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position


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
        if row.is_shared:
            if agreed := _at_once(row, side, kind, ply, now):
                return agreed
            continue
        _check_offer(row, side, kind)
        there = snapshot.offer(row)
        if there and there.kind != kind:
            raise Refused(Refusal.OFFER_OPEN)
        if there and there.side == side:
            return row
        if there:
            if agreed := _agree(row, there, now):
                return agreed
        elif change(row, offer=f"{kind} {side} {row.version + 1}"):
            broadcast.announce(code, Offered(game=row.number, version=row.version, offer=snapshot.offer(row)))
            return row


def answer(code: str, player: uuid.UUID | None, *, game: int, number: int, accept: bool) -> Game:
    """Accept offer `number` of game number `game`, or decline it; whoever made it withdraws it.

    Raises:
        Refused: `no_such_room`, `not_seated`, `stale_ply`; `offer_gone`, also for whoever would accept an own offer.
    """
    while True:
        row, now = judged(code)
        side = check_seat(row, player, game)
        there = snapshot.offer(row)
        if there is None or there.id != number or (accept and there.side == side):
            raise Refused(Refusal.OFFER_GONE)
        if accept:
            if agreed := _agree(row, there, now):
                return agreed
        elif change(row, offer=""):
            declined = there.side != side
            broadcast.announce(code, Offered(game=row.number, version=row.version, offer=None, declined=declined))
            return row


def _at_once(row: Game, side: str, kind: OfferKind, ply: int | None, now: int) -> Game | None:
    """Do what who holds both seats asks for; None if somebody changed the game meanwhile."""
    if kind == "takeback" and ply not in {None, row.ply}:
        raise Refused(Refusal.STALE_PLY)
    side = _latest(row) or side
    _check_offer(row, side, kind)
    return _agree(row, OfferShape(id=row.version + 1, kind=kind, side=cast("Seat", side)), now)


def _check_offer(row: Game, side: str, kind: OfferKind) -> None:
    """Refuse to offer what cannot be had now."""
    if kind == "rematch":
        if not row.is_over:
            raise Refused(Refusal.NOT_OVER)
        return
    check_status(row)
    if kind == "takeback" and _turn_of(row, side) is None:
        raise Refused(Refusal.NOTHING_TO_TAKE_BACK)


def _agree(row: Game, there: OfferShape, now: int) -> Game | None:
    """Do what was offered; None if somebody changed the game meanwhile."""
    if there.kind == "draw":
        if not change(row, **over(row, Game.Ending.AGREED, "", now)):
            return None
        announce_end(row)
        return row
    if there.kind == "takeback":
        return _take_back(row, there.side, now)
    return _rematch(row, now)


def _take_back(row: Game, side: str, now: int) -> Game | None:
    ply = _turn_of(row, side)
    record = row.transcript[:ply]
    position = transcript.position(rulesets.by_key(row.ruleset), record)
    after = {"transcript": record, "position": str(position), "ply": len(record), "offer": ""}
    if not change(row, **after, moved_at=timezone.now(), **_time_at(row, position, record, now)):
        return None
    broadcast.announce(row.room_id, snapshot.of(row))
    broadcast.lobby_changed(row.south_id, row.north_id)
    return row


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


def _rematch(row: Game, now: int) -> Game | None:
    """The next game of the room, by the same rules. Whoever did not begin the last begins; on one device Sun does."""
    won = {"S": row.south_wins, "N": row.north_wins, "": row.draws}
    if row.ending != Game.Ending.ABANDONED:
        won[row.winner] += 1
    rules = rulesets.by_key(row.ruleset)
    start = rules.start()
    people = [(row.south, won["S"]), (row.north, won["N"])]
    if not transcript.is_swapped(rules, row.transcript) and not row.is_shared:
        people.reverse()
    (south, south_wins), (north, north_wins) = people
    with transaction.atomic():
        if not change(row, offer=""):
            return None
        game = Game.objects.create(
            room_id=row.room_id,
            number=row.number + 1,
            ruleset=row.ruleset,
            control=row.control,
            position=str(start),
            south=south,
            north=north,
            south_wins=south_wins,
            north_wins=north_wins,
            draws=won[""],
            **begun(row.control, now),
        )
        database.after_commit(keep, game, start)
        announce_anew(game)
    return game
