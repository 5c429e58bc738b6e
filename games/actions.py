"""Every write to players, rooms and games: check, write, announce. Never HTTP, never sockets.

A game is one row, changed by compare-and-set on its version. Whoever loses a race reads again: either the request
still makes sense, or it is refused.
"""

import secrets
import uuid
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from games import broadcast, snapshot
from games.models import CODE_ALPHABET, CODE_LENGTH, Game, Player, Room
from games.protocol import Ended, Offered, OfferKind, OfferShape, ReactionKind, Refusal, Refused, Renamed, Seats
from games.reactions import may_react
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position, Side
from games.rules.sowing import IllegalSowing, Sowing
from games.rules.transcript import letter

_CODE_TRIES = 5
_FIELDS = {field.name: field for field in Game._meta.concrete_fields}  # noqa: SLF001  # Django's public name


def keep_guest(guest: uuid.UUID, name: str) -> Player:
    """The row of a guest, written if there is none yet. The name is a clean one."""
    player, _ = Player.objects.get_or_create(pk=guest, defaults={"name": name})
    return player


def rename(guest: uuid.UUID, name: str) -> Player:
    """Give a guest a (clean) name and tell the rooms where they sit."""
    player, _ = Player.objects.update_or_create(pk=guest, defaults={"name": name})
    concerned: set[uuid.UUID | None] = {player.pk}
    for game in Game.objects.seated().unfinished_of(player.pk):
        concerned |= {game.south_id, game.north_id}
        seats = snapshot.seats(game)
        for shape in (seats.S, seats.N):
            if shape:
                broadcast.announce(game.room_id, Renamed(player=shape))
    broadcast.lobby_changed(*concerned)
    return player


def open_room(host: Player, *, ruleset: str, side: Side | None = None, public: bool = False) -> Game:
    """A new room and its first game, with `host` seated (`side` None: by lot).

    Raises:
        UnknownRuleset: `ruleset` is no key.
    """
    rules = rulesets.by_key(ruleset)
    side = side or secrets.choice(tuple(Side))
    visibility = Room.Visibility.PUBLIC if public else Room.Visibility.PRIVATE
    with transaction.atomic():
        room = _room(ruleset=rules.key, visibility=visibility, host=host)
        game = Game.objects.create(
            room=room, ruleset=rules.key, position=str(rules.start()), **{_column(side.value): host}
        )
        broadcast.lobby_changed(host.pk)
    return game


def play_anyone(player: Player, *, ruleset: str, side: Side | None = None) -> Game:
    """Sit down opposite whoever waits in public for such a game; else wait in public, in one room however often asked.

    `side` is the one to sit on; None: either.

    Raises:
        UnknownRuleset: `ruleset` is no key.
    """
    key = rulesets.by_key(ruleset).key
    own = None
    for game in snapshot.waiting_for(key):
        seat = game.seat_of(player.pk)
        if side and side.value != (seat or game.free_seat):
            continue
        if seat:
            own = game
        elif _sit(game, player):
            return game
    return own or open_room(player, ruleset=key, side=side, public=True)


def take_seat(code: str, player: Player) -> Game:
    """Seat a player on the free side of the current game of a room; whoever sits there already stays.

    The game begins when the second player sits.

    Raises:
        Refused: `no_such_room`; `seats_taken`, `game_over`.
    """
    while True:
        game = snapshot.current_game(code)
        if game.seat_of(player.pk):
            return game
        if game.is_over:
            raise Refused(Refusal.GAME_OVER)
        if game.free_seat is None:
            raise Refused(Refusal.SEATS_TAKEN)
        if _sit(game, player):
            return game


def leave_seat(code: str, player: Player) -> Game:
    """Stand up again before the game has begun. The link stays good.

    Raises:
        Refused: `no_such_room`; `not_seated`; `game_over`, or `stale_ply` once the game has begun.
    """
    while True:
        game = snapshot.current_game(code)
        side = game.seat_of(player.pk)
        if side is None:
            raise Refused(Refusal.NOT_SEATED)
        if game.status != Game.Status.OPEN:
            raise Refused(Refusal.GAME_OVER if game.is_over else Refusal.STALE_PLY)
        before = snapshot.seats(game)
        if _change(game, **{_column(side): None}):
            _announce_seat(game, side, before)
            return game


def close_idle(*, moved_before: datetime, opened_before: datetime) -> tuple[int, int]:
    """Delete rooms where no game ever began and nobody is, and end games that nobody goes on with: how many of each.

    A game ended so has no winner, and the series of its room does not count it. What somebody changes meanwhile stays.
    """
    waiting = Game.objects.unbegun_since(opened_before)
    rooms = sum(_delete_room(game) for game in waiting if not snapshot.is_attended(game.room_id))
    games = 0
    for game in Game.objects.seated().unmoved_since(moved_before):
        if _change(game, **_over(Game.Ending.ABANDONED, "")):
            _announce_end(game)
            games += 1
    return rooms, games


def play(code: str, player: uuid.UUID | None, *, game: int, ply: int, pit: int) -> Sowing:
    """Sow `pit` as ply number `ply` of game number `game`. A ply already recorded can never be sown again.

    One read and one write.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`, `not_your_turn`, `illegal_pit`.
    """
    while True:
        row = snapshot.current_game(code)
        side = _check_playing(row, player, game, ply)
        if ply != row.ply:
            raise Refused(Refusal.STALE_PLY)
        position = Position.parse(row.position)
        if position.turn.value != side:
            raise Refused(Refusal.NOT_YOUR_TURN)
        rules = rulesets.by_key(row.ruleset)
        try:
            sowing = rules.sow(position, pit)
        except IllegalSowing as error:
            raise Refused(Refusal.ILLEGAL_PIT) from error
        change: dict[str, Any] = {
            "transcript": row.transcript + letter(pit),
            "position": str(sowing.after),
            "ply": ply + 1,
            "moved_at": timezone.now(),
            "offer": row.offer if _stands(row, side) else "",
        }
        if outcome := rules.outcome(sowing.after):
            left = any(sowing.after.stones[pit] for side in Side for pit in sowing.after.pits(side))
            ending = Game.Ending.MAJORITY if left else Game.Ending.PLAYED_OUT
            change |= _over(ending, outcome.winner.value if outcome.winner else "")
        if _change(row, **change):
            broadcast.announce(code, snapshot.sown(row, sowing, rules))
            broadcast.lobby_changed(row.south_id, row.north_id)
            return sowing


def resign(code: str, player: uuid.UUID | None, *, game: int) -> Game:
    """Give up game number `game`; the other side wins.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`.
    """
    while True:
        row = snapshot.current_game(code)
        side = _check_playing(row, player, game)
        if _change(row, **_over(Game.Ending.RESIGNED, Side(side).opponent.value)):
            _announce_end(row)
            return row


def offer(code: str, player: uuid.UUID | None, *, game: int, kind: OfferKind) -> Game:
    """Offer the other player a draw, to take back, or another game. What both offer is agreed.

    Raises:
        Refused: `no_such_room`, `not_seated`, `stale_ply`; `not_started`, `game_over`, `not_over` where this cannot be
            offered; `nothing_to_take_back`; `offer_open` while something else is offered.
    """
    while True:
        row = snapshot.current_game(code)
        side = _check_seat(row, player, game)
        _check_offer(row, side, kind)
        there = snapshot.offer(row)
        if there and there.kind != kind:
            raise Refused(Refusal.OFFER_OPEN)
        if there and there.side == side:
            return row
        if there:
            if agreed := _agree(row, there):
                return agreed
        elif _change(row, offer=f"{kind} {side} {row.version + 1}"):
            broadcast.announce(code, Offered(game=row.number, version=row.version, offer=snapshot.offer(row)))
            return row


def answer(code: str, player: uuid.UUID | None, *, game: int, number: int, accept: bool) -> Game:
    """Accept offer `number` of game number `game`, or decline it; whoever made it withdraws it.

    Raises:
        Refused: `no_such_room`, `not_seated`, `stale_ply`; `offer_gone`, also for whoever would accept an own offer.
    """
    while True:
        row = snapshot.current_game(code)
        side = _check_seat(row, player, game)
        there = snapshot.offer(row)
        if there is None or there.id != number or (accept and there.side == side):
            raise Refused(Refusal.OFFER_GONE)
        if accept:
            if agreed := _agree(row, there):
                return agreed
        elif _change(row, offer=""):
            declined = there.side != side
            broadcast.announce(code, Offered(game=row.number, version=row.version, offer=None, declined=declined))
            return row


def react(code: str, player: uuid.UUID | None, *, kind: ReactionKind) -> None:
    """Say something to everybody in a room: a player or a spectator. Nothing is written.

    Raises:
        Refused: `no_such_room`; `not_seated` for a browser without an identity; `too_fast`.
    """
    row = snapshot.current_game(code)
    if player is None:
        raise Refused(Refusal.NOT_SEATED)
    if not may_react(code, player):
        raise Refused(Refusal.TOO_FAST)
    broadcast.announce(code, snapshot.reacted(row, player, kind))


def _stands(row: Game, side: str) -> bool:
    """Whether what is offered still is when `side` sows: a draw of one's own. The other plays on by sowing."""
    there = snapshot.offer(row)
    return there is not None and there.kind == "draw" and there.side == side


def _sit(game: Game, player: Player) -> bool:
    """Take the free seat of a game as it was read; False if somebody changed it meanwhile."""
    side = game.free_seat
    if side is None:
        return False
    before = snapshot.seats(game)
    change: dict[str, Any] = {_column(side): player}
    if before.S or before.N:  # the second to sit down begins the game
        change |= {"status": Game.Status.PLAYING, "moved_at": timezone.now()}
    if not _change(game, **change):
        return False
    _announce_seat(game, side, before)
    return True


def _check_offer(row: Game, side: str, kind: OfferKind) -> None:
    """Refuse to offer what cannot be had now."""
    if kind == "rematch":
        if not row.is_over:
            raise Refused(Refusal.NOT_OVER)
        return
    _check_status(row)
    if kind == "takeback" and _turn_of(row, side) is None:
        raise Refused(Refusal.NOTHING_TO_TAKE_BACK)


def _agree(row: Game, there: OfferShape) -> Game | None:
    """Do what was offered; None if somebody changed the game meanwhile."""
    if there.kind == "draw":
        if not _change(row, **_over(Game.Ending.AGREED, "")):
            return None
        _announce_end(row)
        return row
    if there.kind == "takeback":
        return _take_back(row, there.side)
    return _rematch(row)


def _take_back(row: Game, side: str) -> Game | None:
    record = row.transcript[: _turn_of(row, side)]
    position = transcript.position(rulesets.by_key(row.ruleset), record)
    if not _change(row, transcript=record, position=str(position), ply=len(record), offer="", moved_at=timezone.now()):
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


def _rematch(row: Game) -> Game | None:
    """The next game of the room: the same ruleset, sides swapped."""
    won = {"S": row.south_wins, "N": row.north_wins, "": row.draws}
    if row.ending != Game.Ending.ABANDONED:
        won[row.winner] += 1
    start = rulesets.by_key(row.ruleset).start()
    with transaction.atomic():
        if not _change(row, offer=""):
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
            south_wins=won["N"],
            north_wins=won["S"],
            draws=won[""],
        )
        state = snapshot.of(game)
        seating = broadcast.Seating(game.number, game.version, *state.seats.players())
        broadcast.announce(row.room_id, state, seating=seating)
        broadcast.lobby_changed(row.south_id, row.north_id)
    return game


def _check_seat(row: Game, player: uuid.UUID | None, game: int) -> str:
    """The side of `player` in the current game, which has to be number `game`."""
    side = row.seat_of(player)
    if side is None:
        raise Refused(Refusal.NOT_SEATED)
    if game != row.number:
        raise Refused(Refusal.STALE_PLY)
    return side


def _check_status(row: Game) -> None:
    """Refuse unless the game is being played."""
    if row.status == Game.Status.OPEN:
        raise Refused(Refusal.NOT_STARTED)
    if row.is_over:
        raise Refused(Refusal.GAME_OVER)


def _check_playing(row: Game, player: uuid.UUID | None, game: int, ply: int | None = None) -> str:
    """The side of `player` in a game that is being played, and in which ply number `ply` is still to come."""
    side = _check_seat(row, player, game)
    if ply is not None and ply < row.ply:
        raise Refused(Refusal.STALE_PLY)
    _check_status(row)
    return side


def _change(game: Game, **change: Any) -> bool:
    """Compare-and-set: write `change` if nobody changed the game since it was read. The row follows on success.

    Written out, because compiling the update anew would cost Django several times what it costs the database.
    """
    change["version"] = game.version + 1
    fields = [_FIELDS[name] for name in change]
    values = [
        field.get_db_prep_save(_plain(value), connection) for field, value in zip(fields, change.values(), strict=True)
    ]
    columns = ", ".join(f"{field.column} = %s" for field in fields)
    sql = f"UPDATE games_game SET {columns} WHERE id = %s AND version = %s"  # noqa: S608  # names of columns
    with connection.cursor() as cursor:
        cursor.execute(sql, [*values, game.pk, game.version])
        if not cursor.rowcount:
            return False
    for name, value in change.items():
        setattr(game, name, value)
    return True


def _plain(value: Any) -> Any:
    """What a column holds of a value: of a player, the id."""
    return value.pk if isinstance(value, Player) else value


def _over(ending: Game.Ending, winner: str) -> dict[str, Any]:
    """What changes when a game ends; an offer that nobody answered is gone."""
    return {
        "status": Game.Status.OVER,
        "ending": ending,
        "winner": winner,
        "offer": "",
        "over_at": timezone.now(),
    }


def _announce_seat(game: Game, side: str, before: Seats) -> None:
    now = snapshot.seats(game)
    seating = broadcast.Seating(game.number, game.version, *now.players())
    broadcast.announce(game.room_id, snapshot.seated(game, side), seating=seating)
    # Whoever comes or goes may give the other's name a mark, or take it away.
    opposite, was = (now.N, before.N) if side == "S" else (now.S, before.S)
    if opposite and opposite != was:
        broadcast.announce(game.room_id, Renamed(player=opposite))
    broadcast.lobby_changed(*before.players(), *now.players())


def _announce_end(game: Game) -> None:
    outcome = snapshot.outcome(game, Position.parse(game.position))
    if outcome:
        broadcast.announce(game.room_id, Ended(game=game.number, version=game.version, outcome=outcome))
    broadcast.lobby_changed(game.south_id, game.north_id)


def _delete_room(game: Game) -> bool:
    """Compare-and-delete: remove a room with its only game, unless somebody changed the game since it was read."""
    with transaction.atomic():
        deleted, _ = Game.objects.filter(pk=game.pk, version=game.version).delete()
        if deleted:
            Room.objects.filter(pk=game.room_id).delete()
            broadcast.lobby_changed(game.south_id, game.north_id)
    return bool(deleted)


def _room(**columns: Any) -> Room:
    """A new room under a code that the database finds unique."""
    for tries_left in reversed(range(_CODE_TRIES)):
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
        try:
            with transaction.atomic():
                return Room.objects.create(code=code, **columns)
        except IntegrityError:
            if not tries_left:
                raise
    raise AssertionError  # the loop returns or raises


def _column(side: str) -> str:
    return "south" if side == "S" else "north"
