"""What is known of a finished game, as it is told: what each ply was worth, how well both sowed. Never writes."""

import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

from games import fairness
from games.engine.findings import Findings, PitValue
from games.engine.kernel import FOREVER
from games.engine.review import accuracy, loss, seats
from games.models import Game
from games.protocol import Mark, Marks, PlyShape, Refusal, Refused, Review, ReviewState
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Side
from games.rules.sowing import Sowing

Known = dict[str, Any]
"""What a row holds of a ply."""


class Finished(NamedTuple):
    """A game that is over, and what is known of it."""

    game: Game
    plies: tuple[Known | None, ...]
    done: bool
    until: int = 0
    """Till when somebody is believed to find out more, in ms since 1970."""

    @property
    def version(self) -> int:
        """How much is known: as many as there are plies known, and one more when that is all there will be."""
        return sum(map(bool, self.plies)) + self.done


def find(code: str, number: int, player: uuid.UUID | None) -> Finished:
    """A game that `player` may see reviewed. Three queries.

    Raises:
        Refused: `no_such_room`; `not_over` while it is played, and while `player` plays another person.
    """
    game = Game.objects.seated().select_related("review").filter(room_id=code, number=number).first()
    if game is None:
        raise Refused(Refusal.NO_SUCH_ROOM)
    if not game.is_over or fairness.rival_game(player):
        raise Refused(Refusal.NOT_OVER)
    return finished(game)


def finished(game: Game) -> Finished:
    """The same of a game at hand."""
    row = getattr(game, "review", None)
    plies = row.plies if row and row.plies else [None] * game.ply
    return Finished(game, tuple(plies), game.ply == 0 or bool(row and row.done), row.until if row else 0)


def shape(found: Finished, state: ReviewState) -> Review:
    """All that is known of a game."""
    shapes = values(found.game, found.plies)
    return Review(game=found.game.number, plies=shapes, marks=marks(found.game, shapes), state=state)


def known(findings: Findings, line: str) -> Known:
    """What a row holds of a ply."""
    pits = [[value.pit, value.low, value.high] for value in findings.pits]
    return {"low": findings.low, "high": findings.high, "pits": pits, "line": line}


def values(game: Game, plies: Sequence[Known | None]) -> tuple[PlyShape | None, ...]:
    """What each ply was worth, as far as it is known."""
    ruleset = rulesets.by_key(game.ruleset)
    shapes = []
    for ply, sowing in enumerate(transcript.replay(ruleset, game.transcript)):
        there = plies[ply]
        may_swap = ruleset.pie and transcript.may_swap(ruleset, game.transcript[:ply], sowing.before)
        shapes.append(_value(sowing, there, may_swap=may_swap) if there else None)
    return tuple(shapes)


def marks(game: Game, shapes: Sequence[PlyShape | None]) -> Marks:
    """How well each player sowed, by what is known of the plies."""
    who = seats(rulesets.by_key(game.ruleset), game.transcript)

    def mark(side: Side) -> Mark:
        own = [shape for seat, shape in zip(who, shapes, strict=True) if seat is side and shape and shape.choice]
        lost = [shape.lost[0] for shape in own if shape.lost[0] == shape.lost[1]]
        worth = accuracy(lost)
        return Mark(plies=len(lost), best=lost.count(0), accuracy=None if worth is None else round(worth))

    return Marks(S=mark(Side.SOUTH), N=mark(Side.NORTH))


def _value(sowing: Sowing, there: Known, *, may_swap: bool) -> PlyShape:
    pits = tuple(PitValue(pit, low, high, low) for pit, low, high in there["pits"])
    findings = Findings(pits, there["low"], there["high"], FOREVER, 0)
    low, high = findings.low, findings.high
    if sowing.side is Side.NORTH:
        low, high = -high, -low
    return PlyShape(
        low=low,
        high=high,
        lost=loss(findings, sowing.pit, may_swap=may_swap and not sowing.is_swap),
        choice=len(pits) > 1 or may_swap,
        line=there["line"],
    )
