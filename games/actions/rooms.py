"""Who sits where: guests, rooms and seats."""

import secrets
import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from games import broadcast, clock, lists, presence, snapshot
from games.actions.row import announce_end, begun, change, over
from games.computers import Computer
from games.models import CODE_ALPHABET, CODE_LENGTH, Game, Player, Room
from games.protocol import Refusal, Refused, Renamed, Seats
from games.rules import ruleset as rulesets
from games.rules.position import Side
from games.topics import Seating

IDLE_DAYS = 14
"""After so many days without a move a game is one that nobody goes on with."""

WAITING_DAYS = 1
"""After so many days a room where no game has begun is one where nobody will."""

_CODE_TRIES = 5
_AT_HAND = timedelta(days=1)  # so long people may still look at a game that is over


def keep_guest(guest: uuid.UUID, name: str) -> Player:
    """The row of a guest, written if there is none yet. The name is a clean one."""
    player, _ = Player.objects.get_or_create(pk=guest, defaults={"name": name})
    return player


def rename(guest: uuid.UUID, name: str) -> Player:
    """Give a guest a (clean) name and tell the rooms where they sit."""
    player, _ = Player.objects.update_or_create(pk=guest, defaults={"name": name})
    concerned: set[uuid.UUID | None] = {player.pk}
    for game in Game.objects.seated().at_hand_of(player.pk, timezone.now() - _AT_HAND):
        concerned |= {game.south_id, game.north_id}
        seats = snapshot.seats(game)
        for shape in dict.fromkeys((seats.S, seats.N)):
            if shape:
                broadcast.announce(game.room_id, Renamed(player=shape))
    broadcast.lobby_changed(*concerned)
    return player


def open_room(  # noqa: PLR0913  # the choices of a room
    host: Player,
    *,
    ruleset: str,
    control: str = "",
    side: Side | None = None,
    public: bool = False,
    shared: bool = False,
    against: Computer | None = None,
) -> Game:
    """A new room and its first game, with `host` seated (`side` None: by lot).

    It begins if `shared`, with the host on both sides, or `against` a computer.

    Raises:
        UnknownRuleset, UnknownControl: `ruleset` or `control`, which may be empty, is no key.
    """
    rules = rulesets.by_key(ruleset)
    if control:
        clock.by_key(control)
    side = side or secrets.choice(tuple(Side))
    visibility = Room.Visibility.PUBLIC if public else Room.Visibility.PRIVATE
    with transaction.atomic():
        room = _room(ruleset=rules.key, visibility=visibility, host=host)
        seated: dict[str, Any] = {_column(side.letter): host}
        if shared:
            seated = {"south": host, "north": host, **begun(control, snapshot.moment())}
        if against:
            machine, _ = Player.objects.get_or_create(
                pk=against.id, defaults={"name": against.name, "kind": Player.Kind.COMPUTER}
            )
            seated |= {_column(side.opponent.letter): machine, **begun(control, snapshot.moment())}
        game = Game.objects.create(room=room, ruleset=rules.key, control=control, position=str(rules.start()), **seated)
        broadcast.lobby_changed(host.pk)
    return game


def play_anyone(player: Player, *, ruleset: str, control: str = "", side: Side | None = None) -> Game:
    """Sit down opposite whoever waits in public for such a game; else wait in public, in one room however often asked.

    `side` is the one to sit on; None: either.

    Raises:
        UnknownRuleset, UnknownControl: as `open_room` does.
    """
    key = rulesets.by_key(ruleset).key
    own = None
    for game in lists.waiting_for(key, control):
        seat = game.seat_of(player.pk)
        if side and side.letter != (seat or game.free_seat):
            continue
        if seat:
            own = game
        elif _sit(game, player):
            return game
    return own or open_room(player, ruleset=key, control=control, side=side, public=True)


def take_seat(code: str, player: Player) -> Game:
    """Seat a player on the free side of the current game of a room; whoever sits there already stays.

    The game begins when the second player sits.

    Raises:
        Refused: `no_such_room`; `seats_taken`, `game_over`.
    """
    return _sit_down(code, player, both=False)


def take_both(code: str, player: Player) -> Game:
    """Seat a player who waits on the other side too: two people play on one device.

    Raises:
        Refused: `no_such_room`; `not_seated`; `game_over`; `seats_taken` once somebody else sits there.
    """
    return _sit_down(code, player, both=True)


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
        if change(game, **{_column(side): None}):
            _announce_seat(game, side, before)
            return game


def close_idle(*, moved_before: datetime, opened_before: datetime) -> tuple[int, int]:
    """Delete rooms where no game ever began and nobody is, and end games that nobody goes on with: how many of each.

    A game ended so has no winner, and the series of its room does not count it. What somebody changes meanwhile stays.
    """
    waiting = Game.objects.unbegun_since(opened_before)
    rooms = sum(_delete_room(game) for game in waiting if not presence.is_attended(game.room_id))
    games = 0
    for game in Game.objects.seated().unmoved_since(moved_before):
        if change(game, **over(game, Game.Ending.ABANDONED, "", snapshot.moment())):
            announce_end(game)
            games += 1
    return rooms, games


def _sit_down(code: str, player: Player, *, both: bool) -> Game:
    while True:
        game = snapshot.current_game(code)
        seat = game.seat_of(player.pk)
        if both and seat is None:
            raise Refused(Refusal.NOT_SEATED)
        if seat and (game.is_shared or not both):
            return game
        if game.is_over:
            raise Refused(Refusal.GAME_OVER)
        if game.free_seat is None:
            raise Refused(Refusal.SEATS_TAKEN)
        if _sit(game, player):
            return game


def _sit(game: Game, player: Player) -> bool:
    """Take the free seat of a game as it was read; False if somebody changed it meanwhile."""
    side = game.free_seat
    if side is None:
        return False
    before = snapshot.seats(game)
    after: dict[str, Any] = {_column(side): player}
    if before.S or before.N:  # the second to sit down begins the game
        after |= begun(game.control, snapshot.moment())
    if not change(game, **after):
        return False
    _announce_seat(game, side, before)
    return True


def _announce_seat(game: Game, side: str, before: Seats) -> None:
    now = snapshot.seats(game)
    seating = Seating(game.number, game.version, *now.players())
    broadcast.announce(game.room_id, snapshot.seated(game, side), seating=seating)
    # Whoever comes or goes may give the other's name a mark, or take it away.
    opposite, was = (now.N, before.N) if side == "S" else (now.S, before.S)
    if opposite and opposite != was:
        broadcast.announce(game.room_id, Renamed(player=opposite))
    broadcast.lobby_changed(*before.players(), *now.players())


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
