"""What the two players of a game offer each other: a draw, to take back, another game."""

import uuid
from typing import cast

from django.db import transaction
from django.utils import timezone

from games import broadcast, snapshot
from games.actions.row import announce_end, change, check_seat, check_status, over
from games.models import Game
from games.protocol import Offered, OfferKind, OfferShape, Refusal, Refused, Seat
from games.rules import ruleset as rulesets, transcript


def offer(code: str, player: uuid.UUID | None, *, game: int, kind: OfferKind) -> Game:
    """Offer the other player a draw, to take back, or another game. What both offer is agreed.

    What is asked for by who holds both seats is agreed at once; to take back is then the latest turn.

    Raises:
        Refused: `no_such_room`, `not_seated`, `stale_ply`; `not_started`, `game_over`, `not_over` where this cannot be
            offered; `nothing_to_take_back`; `offer_open` while something else is offered.
    """
    while True:
        row = snapshot.current_game(code)
        side = check_seat(row, player, game)
        if row.is_shared:
            side = _latest(row) or side
        _check_offer(row, side, kind)
        if row.is_shared:
            if agreed := _agree(row, OfferShape(id=row.version + 1, kind=kind, side=cast("Seat", side))):
                return agreed
            continue
        there = snapshot.offer(row)
        if there and there.kind != kind:
            raise Refused(Refusal.OFFER_OPEN)
        if there and there.side == side:
            return row
        if there:
            if agreed := _agree(row, there):
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
        row = snapshot.current_game(code)
        side = check_seat(row, player, game)
        there = snapshot.offer(row)
        if there is None or there.id != number or (accept and there.side == side):
            raise Refused(Refusal.OFFER_GONE)
        if accept:
            if agreed := _agree(row, there):
                return agreed
        elif change(row, offer=""):
            declined = there.side != side
            broadcast.announce(code, Offered(game=row.number, version=row.version, offer=None, declined=declined))
            return row


def _check_offer(row: Game, side: str, kind: OfferKind) -> None:
    """Refuse to offer what cannot be had now."""
    if kind == "rematch":
        if not row.is_over:
            raise Refused(Refusal.NOT_OVER)
        return
    check_status(row)
    if kind == "takeback" and _turn_of(row, side) is None:
        raise Refused(Refusal.NOTHING_TO_TAKE_BACK)


def _agree(row: Game, there: OfferShape) -> Game | None:
    """Do what was offered; None if somebody changed the game meanwhile."""
    if there.kind == "draw":
        if not change(row, **over(Game.Ending.AGREED, "")):
            return None
        announce_end(row)
        return row
    if there.kind == "takeback":
        return _take_back(row, there.side)
    return _rematch(row)


def _take_back(row: Game, side: str) -> Game | None:
    record = row.transcript[: _turn_of(row, side)]
    position = transcript.position(rulesets.by_key(row.ruleset), record)
    if not change(row, transcript=record, position=str(position), ply=len(record), offer="", moved_at=timezone.now()):
        return None
    broadcast.announce(row.room_id, snapshot.of(row))
    broadcast.lobby_changed(row.south_id, row.north_id)
    return row


def _turn_of(row: Game, side: str) -> int | None:
    """The ply at which the last turn of `side` began, its extra turns included; None if it has had none."""
    began = None
    before = ""
    for ply, sowing in enumerate(transcript.replay(rulesets.by_key(row.ruleset), row.transcript)):
        if sowing.side.value == side != before:
            began = ply
        before = sowing.side.value
    return began


def _latest(row: Game) -> str | None:
    """The side that has sown last; None before the first sowing."""
    side = None
    for sowing in transcript.replay(rulesets.by_key(row.ruleset), row.transcript):
        side = sowing.side.value
    return side


def _rematch(row: Game) -> Game | None:
    """The next game of the room: the same ruleset, sides swapped, but on one device Sun stays Sun."""
    won = {"S": row.south_wins, "N": row.north_wins, "": row.draws}
    if row.ending != Game.Ending.ABANDONED:
        won[row.winner] += 1
    south, north = ("S", "N") if row.is_shared else ("N", "S")
    start = rulesets.by_key(row.ruleset).start()
    with transaction.atomic():
        if not change(row, offer=""):
            return None
        game = Game.objects.create(
            room_id=row.room_id,
            number=row.number + 1,
            ruleset=row.ruleset,
            position=str(start),
            south=row.north,
            north=row.south,
            status=Game.Status.PLAYING,
            moved_at=timezone.now(),
            south_wins=won[south],
            north_wins=won[north],
            draws=won[""],
        )
        state = snapshot.of(game)
        seating = broadcast.Seating(game.number, game.version, *state.seats.players())
        broadcast.announce(row.room_id, state, seating=seating)
        broadcast.lobby_changed(row.south_id, row.north_id)
    return game
