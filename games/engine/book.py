"""The opening book: positions that take long, solved beforehand. Not how: `python -m tools.opening_book`."""

import json
from functools import cache
from pathlib import Path

from games.engine.board import Board
from games.engine.findings import PitValue
from games.rules.position import Position

PATH = Path(__file__).with_name("book.json")
"""By ruleset, the pits of the mover and of the other: what the mover will yet win with each pit that can be sown."""


def values(board: Board, position: Position) -> tuple[PitValue, ...] | None:
    """The value of every legal pit, if the position stands in the book."""
    if board.is_counted:
        return None  # then it would matter what lies in the stores
    known = _book().get(board.name, {}).get(line(position))
    if known is None:
        return None
    ahead = position.stones[position.store(position.turn)] - position.stones[position.store(position.turn.opponent)]
    pits = (pit for pit in position.pits(position.turn) if position.stones[pit])
    return tuple(PitValue(pit, *(ahead + value,) * 3) for pit, value in zip(pits, known, strict=True))


def line(position: Position) -> str:
    """How a position stands in the book.

    >>> line(Position.parse("4,0,5/4,1,1 N"))
    '4 1/4 0'
    """
    rows = (position.row(side) for side in (position.turn, position.turn.opponent))
    return "/".join(" ".join(map(str, row)) for row in rows)


@cache
def _book() -> dict[str, dict[str, list[int]]]:
    return json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
