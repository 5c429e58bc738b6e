"""The rules of `classic-6x4` on a bare list, as a relay of two screens of code would have them. Not games/rules."""

import json
from dataclasses import dataclass

START = (4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0)
PITS = {"S": range(6), "N": range(7, 13)}
STORE = {"S": 6, "N": 13}
OPPONENT = {"S": "N", "N": "S"}


def sow(stones, side, pit):
    """The stones, the side to move and whether the game is over after `pit`; None if it cannot be sown."""
    if pit not in PITS[side] or not stones[pit]:
        return None
    stones = list(stones)
    hand, stones[pit], hole = stones[pit], 0, pit
    while hand:
        hole = (hole + 1) % 14
        if hole != STORE[OPPONENT[side]]:
            stones[hole] += 1
            hand -= 1
    if hole in PITS[side] and stones[hole] == 1:
        stones[STORE[side]] += 1 + stones[12 - hole]
        stones[hole] = stones[12 - hole] = 0
    over = not any(stones[:6]) or not any(stones[7:13])
    if over:
        for owner, pits in PITS.items():
            stones[STORE[owner]] += sum(stones[each] for each in pits)
            for each in pits:
                stones[each] = 0
    return stones, side if hole == STORE[side] else OPPONENT[side], over


@dataclass
class Game:
    """The current game of a room."""

    game: int = 1
    ply: int = 0
    stones: tuple[int, ...] = START
    turn: str = "S"
    over: bool = False

    def after(self, seat, message):
        """The game after what `seat` wants; None if that is not allowed now."""
        if message.get("again"):
            return Game(game=self.game + 1) if self.over else None
        if self.over or message["ply"] != self.ply or seat != self.turn:
            return None
        sown = sow(self.stones, seat, message["pit"])
        return Game(self.game, self.ply + 1, *sown) if sown else None

    def text(self):
        return json.dumps(vars(self), separators=(",", ":"))
