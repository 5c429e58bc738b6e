"""The moves of a game, swapping sides, and giving it up."""

import uuid
from typing import Any

from games import database, snapshot
from games.actions.clocks import judged, prepared
from games.actions.row import (
    Change,
    announce_anew,
    announce_end,
    change,
    check_playing,
    exchanged,
    is_first_turn,
    over,
    timed,
    update,
)
from games.models import Game
from games.protocol import Refusal, Refused
from games.rules import ruleset as rulesets
from games.rules.position import Position, Side
from games.rules.sowing import IllegalSowing, Sowing
from games.rules.transcript import letter, swap_letter


def play(code: str, player: uuid.UUID | None, *, game: int, ply: int, pit: int) -> Sowing:
    """Sow `pit` as ply number `ply` of game number `game`. A ply already recorded can never be sown again.

    One read, one write.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`, `not_your_turn`, `illegal_pit`.
    """
    while True:
        sowing, sown = _sown(*_to_move(code, player, game, ply), pit)
        if sown.write():
            return sowing


def prepare(code: str, player: uuid.UUID | None, *, game: int, ply: int, pit: int) -> Change | None:
    """What `play` would write, by the row that this process wrote last. No query: it may be asked for on any thread.

    None if there is no such row, or if there is anything to refuse by it, for it may be out of date: then `play`.
    """

    def plan(row: Game, position: Position, now: int) -> Change:
        _check_to_move(row, position, player, game, ply)
        return _sown(row, position, now, pit)[1]

    return prepared(code, plan)


def _sown(row: Game, position: Position, now: int, pit: int) -> tuple[Sowing, Change]:
    """What it does to sow. Raises `Refused`."""
    rules = rulesets.by_key(row.ruleset)
    try:
        sowing = rules.sow(position, pit)
    except IllegalSowing as error:
        raise Refused(Refusal.ILLEGAL_PIT) from error
    after = _recorded(row, letter(pit), now)
    after["position"] = str(sowing.after)
    if row.offer and not _stands(row, position.turn.letter):
        after["offer"] = ""
    if outcome := rules.outcome(sowing.after):
        ending = Game.Ending.MAJORITY if sowing.after.in_play else Game.Ending.PLAYED_OUT
        after |= over(row, ending, outcome.winner.value if outcome.winner else "", now)
    elif sowing.after.turn is not position.turn:
        after |= _next_turn(row, now)
    planned = update(row, after)  # before it is told, by the row as it will be
    return sowing, Change(row, sowing.after, snapshot.sown(row, sowing, rules), planned)


def swap(code: str, player: uuid.UUID | None, *, game: int, ply: int) -> Game:
    """Take South's side, as ply number `ply` of game number `game`: by the pie rule, instead of North's first sowing.

    The people change places; stones and turn stay.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`, `not_your_turn`; `illegal_pit`
            where sides cannot be swapped.
    """
    while True:
        row, position, now = _to_move(code, player, game, ply)
        rules = rulesets.by_key(row.ruleset)
        if not snapshot.may_swap(row, rules, position):
            raise Refused(Refusal.ILLEGAL_PIT)
        if change(row, **_recorded(row, swap_letter(rules), now), **exchanged(row, now), offer=""):
            announce_anew(row)
            return row


def resign(code: str, player: uuid.UUID | None, *, game: int) -> Game:
    """Give up game number `game`; the other side wins.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`.
    """
    while True:
        row, now = judged(code)
        side = check_playing(row, player, game)
        if change(row, **over(row, Game.Ending.RESIGNED, Side(side).opponent.letter, now)):
            announce_end(row)
            return row


def _to_move(code: str, player: uuid.UUID | None, game: int, ply: int) -> tuple[Game, Position, int]:
    """The game in which it is up to `player` to make ply number `ply`, its position, and the moment; in time."""
    row, now = judged(code)
    position = Position.parse(row.position)
    _check_to_move(row, position, player, game, ply)
    return row, position, now


def _check_to_move(row: Game, position: Position, player: uuid.UUID | None, game: int, ply: int) -> None:
    side = check_playing(row, player, game, ply)
    if ply != row.ply:
        raise Refused(Refusal.STALE_PLY)
    if position.turn.letter != side:
        raise Refused(Refusal.NOT_YOUR_TURN)


def _recorded(row: Game, symbol: str, now: int) -> dict[str, Any]:
    """What changes with every ply."""
    recorded = {"transcript": row.transcript + symbol, "ply": row.ply + 1, "moved_at": database.instant(now)}
    if time := row.clock:
        recorded["times"] = f"{row.times}{time.south}/{time.north} "
    return recorded


def _next_turn(row: Game, now: int) -> dict[str, Any]:
    """What changes with the turn: the clock is pressed."""
    time = row.clock
    if time is None:
        return {"turn_since": now}
    return timed(time.press(now, is_first=is_first_turn(row, row.transcript, row.turn.opponent)))


def _stands(row: Game, side: str) -> bool:
    """Whether what is offered still is when `side` sows: a draw of one's own. The other plays on by sowing."""
    there = snapshot.offer(row)
    return there is not None and there.kind == "draw" and there.side == side
