"""What somebody has played: the finished games of a player, as their page lists them. Never writes."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.core.paginator import Page, Paginator

from games import snapshot
from games.models import Game
from games.rules.position import Position, Side

PAGE = 20
"""Games on one page."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game as one of its players sees it."""

    room: str
    number: int
    ruleset: str
    plies: str
    opponent: str
    """Empty: two played on one device."""
    result: str
    """`won`, `lost`, `draw`, or `none`: nobody went on with it. On one device, `sun` or `moon` for who won."""
    ending: str
    own: int
    theirs: int
    """Stones in the two stores."""
    over_at: datetime


def page(player: uuid.UUID | None, number: str) -> Page[Any]:
    """A page of the finished games of a player, who need not have a row, the latest first.

    `number` is what an address says: no number is the first page, one too large the last. Two queries, for nobody none.
    """
    games = Game.objects.seated().finished_of(player) if player else Game.objects.none()
    found: Page[Any] = Paginator(games, PAGE).get_page(number)
    found.object_list = [_played(game, cast("uuid.UUID", player)) for game in found.object_list]
    return found


def exists(player: uuid.UUID | None) -> bool:
    """Whether a player has finished a game. One query, for nobody none."""
    return player is not None and Game.objects.finished_of(player).exists()


def _played(game: Game, player: uuid.UUID) -> PlayedGame:
    you = Side.SOUTH if game.is_shared else Side(game.seat_of(player))
    seats = snapshot.seats(game)
    opponent = seats.of(you.opponent.value)
    position = Position.parse(game.position)
    return PlayedGame(
        room=game.room_id,
        number=game.number,
        ruleset=game.ruleset,
        plies=game.transcript,
        opponent=opponent.name if opponent and not game.is_shared else "",
        result=_result(game, you),
        ending=game.ending,
        own=position.stones[position.store(you)],
        theirs=position.stones[position.store(you.opponent)],
        over_at=cast("datetime", game.over_at),  # the database refuses a game that is over without it
    )


def _result(game: Game, you: Side) -> str:
    if game.ending == Game.Ending.ABANDONED:
        return "none"
    if not game.winner:
        return "draw"
    if game.is_shared:
        return "sun" if game.winner == "S" else "moon"
    return "won" if game.winner == you.letter else "lost"
