"""Boards drawn on one line, so that a test shows what it means. No rules.

`1 0 0 0 0 8 (0) / 1 0 0 0 0 0 (0)  S`: South's pits from its left to its right (its store), North's pits from North's
own left to right (its store), and who is to move, or `over`.
"""

import re

from games.rules.position import Position, Side
from games.rules.ruleset import by_key
from games.rules.transcript import hole

_BOARD = re.compile(r"([0-9 ]+) \(([0-9]+)\) / ([0-9 ]+) \(([0-9]+)\)  ([SN])")


def board(text: str) -> Position:
    """The position drawn in `text`."""
    south, south_store, north, north_store, turn = _BOARD.fullmatch(text).groups()
    stones = f"{south} {south_store} {north} {north_store}".split()
    return Position(tuple(map(int, stones)), Side(turn))


def drawn(position: Position, key: str = "classic-6x4") -> str:
    """The drawing of `position`; the rules of `key` say whether it is over."""
    half = position.width + 1
    rows = (position.stones[:half], position.stones[half:])
    south, north = (f"{' '.join(map(str, row[:-1]))} ({row[-1]})" for row in rows)
    return f"{south} / {north}  {'over' if by_key(key).outcome(position) else position.turn.value}"


def sow(text: str, letters: str, key: str = "classic-6x4") -> str:
    """The drawing after the pits of `letters` are sown one after the other."""
    position = board(text)
    for letter in letters:
        position = by_key(key).sow(position, hole(letter)).after
    return drawn(position, key)
