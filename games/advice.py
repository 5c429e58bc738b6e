"""A hint for whoever plays a computer, or on one device: the best pit, and why. Nobody is helped against a person."""

import uuid
from typing import NamedTuple

from games import fairness, snapshot, thinking
from games.engine.board import TooLarge
from games.engine.search import Budget
from games.models import Game
from games.protocol import Advice, Refusal, Refused
from games.rules import ruleset as rulesets
from games.rules.position import Hole, Position
from games.rules.ruleset import Ruleset

_BUDGET = Budget(seconds=1.5)
_WORTH_SAVING = 2  # stones


class Question(NamedTuple):
    """A position that somebody may be helped with."""

    game: int
    ply: int
    ruleset: Ruleset
    position: Position


def question(code: str, player: uuid.UUID | None, *, game: int, ply: int) -> Question:
    """What `player` asks in a room when ply number `ply` of game number `game` comes next.

    Raises:
        Refused: `no_such_room`, `not_seated`, `stale_ply`, `not_started`, `game_over`, `not_your_turn`; `no_advice` in
            a game against a person, while another one is going on, and with a board that lies in one.
    """
    row = snapshot.current_game(code)
    side = row.seat_of(player)
    if side is None:
        raise Refused(Refusal.NOT_SEATED)
    if not (row.is_shared or row.computer) or fairness.rival_game(player):
        raise Refused(Refusal.NO_ADVICE)
    if row.status == Game.Status.OPEN:
        raise Refused(Refusal.NOT_STARTED)
    if row.is_over:
        raise Refused(Refusal.GAME_OVER)
    if (game, ply) != (row.number, row.ply):
        raise Refused(Refusal.STALE_PLY)
    if side != row.turn.letter:
        raise Refused(Refusal.NOT_YOUR_TURN)
    position = Position.parse(row.position)
    if fairness.is_on_a_live_board(position):
        raise Refused(Refusal.NO_ADVICE)
    return Question(game, ply, rulesets.by_key(row.ruleset), position)


def answer(asked: Question) -> Advice:
    """The best pit, as far as a second of thinking goes. Runs for that long."""
    game, ply, ruleset, position = asked
    pit, wins = _best(ruleset, position)
    after = ruleset.sow(position, pit).after
    if after.turn is position.turn or ruleset.outcome(after):
        return Advice(game=game, ply=ply, pit=pit, wins=wins)
    saves, prepares = _saved(ruleset, position, after), _prepares(ruleset, position, after)
    return Advice(game=game, ply=ply, pit=pit, wins=wins, saves=saves, prepares=prepares)


def _best(ruleset: Ruleset, position: Position) -> tuple[Hole, int | None]:
    """The best pit, and by how many stones it wins, if it does and that is proved."""
    try:
        findings = thinking.solve(ruleset, position, _BUDGET)
    except TooLarge:
        most = max(ruleset.prospects(position), key=lambda prospect: (prospect.extra_turn, prospect.captured))
        return most.pit, None
    wins = findings.low if findings.low == findings.high and findings.low > 0 else None
    return findings.best.pit, wins


def _saved(ruleset: Ruleset, position: Position, after: Position) -> int:
    """How many stones the other side could have captured at once, if they are fewer now that it is to move; else 0."""
    feared = _threat(ruleset, Position(position.stones, after.turn))
    return feared if feared - _threat(ruleset, after) >= _WORTH_SAVING else 0


def _prepares(ruleset: Ruleset, position: Position, after: Position) -> bool:
    """Whether the side has a pit for an extra turn, should the other one leave it alone, and had none before."""
    then = Position(after.stones, position.turn)
    return _extra_turn(ruleset, then) and not _extra_turn(ruleset, position)


def _extra_turn(ruleset: Ruleset, position: Position) -> bool:
    return any(prospect.extra_turn for prospect in ruleset.prospects(position))


def _threat(ruleset: Ruleset, position: Position) -> int:
    return max((prospect.captured for prospect in ruleset.prospects(position)), default=0)
