"""A hint for whoever plays a computer, or on one device: the best pit, and why. Nobody is helped against a person."""

import uuid
from typing import NamedTuple

from games import snapshot, thinking
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
            a game against a person, and while another one is going on.
    """
    row = snapshot.current_game(code)
    side = row.seat_of(player)
    if side is None:
        raise Refused(Refusal.NOT_SEATED)
    if not (row.is_shared or row.computer) or snapshot.rival_game(player):
        raise Refused(Refusal.NO_ADVICE)
    if row.status == Game.Status.OPEN:
        raise Refused(Refusal.NOT_STARTED)
    if row.is_over:
        raise Refused(Refusal.GAME_OVER)
    if (game, ply) != (row.number, row.ply):
        raise Refused(Refusal.STALE_PLY)
    if side != row.turn.letter:
        raise Refused(Refusal.NOT_YOUR_TURN)
    return Question(game, ply, rulesets.by_key(row.ruleset), Position.parse(row.position))


def answer(asked: Question) -> Advice:
    """The best pit, as far as a second of thinking goes. Runs for that long."""
    game, ply, ruleset, position = asked
    pit, wins = _best(ruleset, position)
    return Advice(game=game, ply=ply, pit=pit, wins=wins, saves=_saved(ruleset, position, pit))


def _best(ruleset: Ruleset, position: Position) -> tuple[Hole, int | None]:
    """The best pit, and by how many stones it wins, if it does and that is proved."""
    try:
        findings = thinking.engine().solve(ruleset, position, _BUDGET)
    except TooLarge:
        most = max(ruleset.prospects(position), key=lambda prospect: (prospect.extra_turn, prospect.captured))
        return most.pit, None
    wins = findings.low if findings.low == findings.high and findings.low > 0 else None
    return findings.best.pit, wins


def _saved(ruleset: Ruleset, position: Position, pit: Hole) -> int:
    """How many stones the other side could capture at once, if they are fewer by sowing this pit; else 0."""
    after = ruleset.sow(position, pit).after
    if after.turn is position.turn or ruleset.outcome(after):
        return 0
    feared = _threat(ruleset, Position(position.stones, after.turn))
    return feared if feared - _threat(ruleset, after) >= _WORTH_SAVING else 0


def _threat(ruleset: Ruleset, position: Position) -> int:
    return max((prospect.captured for prospect in ruleset.prospects(position)), default=0)
