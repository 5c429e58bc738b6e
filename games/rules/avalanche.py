"""Avalanche: relay sowing, and no captures. Not the end of the game: see tworank.py."""

from dataclasses import dataclass

from games.rules.position import Hole, Position
from games.rules.sowing import Prospect, Transfer
from games.rules.tworank import TwoRank, lap


@dataclass(frozen=True, slots=True)
class Avalanche(TwoRank):
    """A last stone that meets others picks them up and sows on, on either side of the board.

    A ply ends in an empty pit or in the own store. It always ends: stones only go forward, and every time round the
    board leaves one more of them in the store.
    """

    def _skip(self, position: Position) -> Hole | None:
        return position.store(position.turn.opponent)

    def _short(self, position: Position, plain: Prospect) -> Prospect | None:
        return None if position.stones[plain.last] else plain

    def _lay(self, position: Position, pit: Hole, stones: list[int]) -> tuple[tuple[Transfer, ...], Hole]:
        store, skip = position.store(position.turn), self._skip(position)
        transfers = lap(pit, skip, stones)
        while (last := transfers[-1].target) != store and stones[last] > 1:
            transfers += lap(last, skip, stones)
        return transfers, last
