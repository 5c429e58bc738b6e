"""Kalah: one lap, and a last stone in an own empty pit captures. Not the end of the game: see tworank.py."""

from dataclasses import dataclass

from games.rules.position import Hole, Position
from games.rules.sowing import Kind, Transfer
from games.rules.tworank import TwoRank, gather, lap


@dataclass(frozen=True, slots=True)
class Kalah(TwoRank):
    """The game of the three rule sheets; its fields are the rules on which they differ."""

    both_stores: bool = False
    """Stones are sown into the opponent's store too."""
    empty_capture: bool = True
    """The last stone is captured even if there is nothing opposite to take with it."""

    def _skip(self, position: Position) -> Hole | None:
        return None if self.both_stores else position.store(position.turn.opponent)

    def _is_plain(self, position: Position, last: Hole) -> bool:
        side = position.turn
        return last != position.store(side) and (position.stones[last] > 0 or last not in position.pits(side))

    def _lay(self, position: Position, pit: Hole, stones: list[int]) -> tuple[tuple[Transfer, ...], Hole]:
        side = position.turn
        transfers = lap(pit, self._skip(position), stones)
        last = transfers[-1].target
        # A full lap that ends in the pit it began in ends in an empty pit too: it was emptied by the sowing.
        if stones[last] == 1 and last in position.pits(side):
            opposite = position.opposite(last)
            if stones[opposite] or self.empty_capture:
                transfers += gather(Kind.CAPTURE, (last, opposite), position.store(side), stones)
        return transfers, last
