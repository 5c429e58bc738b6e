"""Live games between two people are theirs: who plays one is not helped, nor is anybody with its board."""

import uuid
from datetime import timedelta

from django.utils import timezone

from games.models import Game
from games.rules import ruleset as rulesets
from games.rules.position import Position

_LIVE = timedelta(days=1)  # since its last ply: a game that lies for longer could be claimed, and holds up nothing
_OPENING = 6  # plies: so far a board is everybody's

_Rows = tuple[tuple[int, ...], tuple[int, ...]]


def rival_game(player: uuid.UUID | None) -> Game | None:
    """A live game of `player` against a person: until it is over nobody helps them. One query, for nobody none."""
    if player is None:
        return None
    return Game.objects.of_player(player).between_people(timezone.now() - _LIVE).first()


def is_on_a_live_board(position: Position) -> bool:
    """Whether it lies on the board of a live game between people, or would after one ply there. One query.

    What counts are the pits, from the side to move: turned round, with other stores or by other rules it is the same.
    """
    asked = _rows(position)
    live = Game.objects.between_people(timezone.now() - _LIVE).filter(ply__gte=_OPENING)
    for key, text in live.values_list("ruleset", "position"):
        board = Position.parse(text)
        if board.width != position.width or board.in_play < position.in_play:
            continue
        rules = rulesets.by_key(key)
        if asked == _rows(board) or any(asked == _rows(rules.sow(board, pit).after) for pit in rules.legal_pits(board)):
            return True
    return False


def _rows(position: Position) -> _Rows:
    return position.row(position.turn), position.row(position.turn.opponent)
