"""The moves of a game, swapping sides, and giving it up."""

import uuid
from typing import Any

from django.utils import timezone

from games import broadcast, snapshot
from games.actions.row import announce_end, change, check_playing, exchanged, over
from games.models import Game
from games.protocol import Refusal, Refused
from games.rules import ruleset as rulesets
from games.rules.position import Position, Side
from games.rules.sowing import IllegalSowing, Sowing
from games.rules.transcript import letter, may_swap, swap_letter


def play(code: str, player: uuid.UUID | None, *, game: int, ply: int, pit: int) -> Sowing:
    """Sow `pit` as ply number `ply` of game number `game`. A ply already recorded can never be sown again.

    One read and one write.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`, `not_your_turn`, `illegal_pit`.
    """
    while True:
        row = snapshot.current_game(code)
        position = _to_move(row, player, game, ply)
        rules = rulesets.by_key(row.ruleset)
        try:
            sowing = rules.sow(position, pit)
        except IllegalSowing as error:
            raise Refused(Refusal.ILLEGAL_PIT) from error
        after: dict[str, Any] = {
            "transcript": row.transcript + letter(pit),
            "position": str(sowing.after),
            "ply": ply + 1,
            "moved_at": timezone.now(),
            "offer": row.offer if _stands(row, position.turn.value) else "",
        }
        if outcome := rules.outcome(sowing.after):
            left = any(sowing.after.stones[pit] for side in Side for pit in sowing.after.pits(side))
            ending = Game.Ending.MAJORITY if left else Game.Ending.PLAYED_OUT
            after |= over(ending, outcome.winner.value if outcome.winner else "")
        if change(row, **after):
            broadcast.announce(code, snapshot.sown(row, sowing, rules))
            broadcast.lobby_changed(row.south_id, row.north_id)
            return sowing


def swap(code: str, player: uuid.UUID | None, *, game: int, ply: int) -> Game:
    """Take South's side, as ply number `ply` of game number `game`: by the pie rule, instead of North's first sowing.

    The people change places; stones and turn stay.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`, `not_your_turn`; `illegal_pit`
            where sides cannot be swapped.
    """
    while True:
        row = snapshot.current_game(code)
        position = _to_move(row, player, game, ply)
        rules = rulesets.by_key(row.ruleset)
        if not may_swap(rules, row.transcript, position):
            raise Refused(Refusal.ILLEGAL_PIT)
        after = {
            "transcript": row.transcript + swap_letter(rules),
            "ply": ply + 1,
            "moved_at": timezone.now(),
            "offer": "",
        }
        if change(row, **after, **exchanged(row)):
            state = snapshot.of(row)
            seating = broadcast.Seating(row.number, row.version, *state.seats.players())
            broadcast.announce(code, state, seating=seating)
            broadcast.lobby_changed(row.south_id, row.north_id)
            return row


def resign(code: str, player: uuid.UUID | None, *, game: int) -> Game:
    """Give up game number `game`; the other side wins.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`.
    """
    while True:
        row = snapshot.current_game(code)
        side = check_playing(row, player, game)
        if change(row, **over(Game.Ending.RESIGNED, Side(side).opponent.value)):
            announce_end(row)
            return row


def _to_move(row: Game, player: uuid.UUID | None, game: int, ply: int) -> Position:
    """The position of a game in which it is up to `player` to make ply number `ply`."""
    side = check_playing(row, player, game, ply)
    if ply != row.ply:
        raise Refused(Refusal.STALE_PLY)
    position = Position.parse(row.position)
    if position.turn.value != side:
        raise Refused(Refusal.NOT_YOUR_TURN)
    return position


def _stands(row: Game, side: str) -> bool:
    """Whether what is offered still is when `side` sows: a draw of one's own. The other plays on by sowing."""
    there = snapshot.offer(row)
    return there is not None and there.kind == "draw" and there.side == side
