"""Kalah: one lap, and a last stone in an own empty pit captures. Not the end of the game: see tworank.py."""

from dataclasses import dataclass

from games.rules.position import Hole, Position
from games.rules.sowing import Kind, Prospect, Transfer
from games.rules.tworank import TwoRank, gather, lap

_CAPTURE = Kind.CAPTURE  # finding a member in its class takes longer than comparing it


@dataclass(frozen=True, slots=True)
class Kalah(TwoRank):
    """The game of the three rule sheets; its fields are the rules on which they differ."""

    both_stores: bool = False
    """Stones are sown into the opponent's store too."""
    empty_capture: bool = True
    """The last stone is captured even if there is nothing opposite to take with it."""

    def _skip(self, position: Position) -> Hole | None:
        return None if self.both_stores else position.store(position.turn.opponent)

    def _short(self, position: Position, plain: Prospect) -> Prospect:
        stones, last, way = position.stones, plain.last, plain.way
        if stones[last]:
            return plain
        opposite = position.opposite(last)
        across = stones[opposite] + (opposite in way)
        taken = self._taken(position, last, across)
        return Prospect(plain.pit, last, False, 1 + across, way, taken) if taken else plain

    def _lay(self, position: Position, pit: Hole, stones: list[int]) -> tuple[tuple[Transfer, ...], Hole]:
        side = position.turn
        transfers = lap(pit, self._skip(position), stones)
        last = transfers[-1].target
        # A full lap that ends in the pit it began in ends in an empty pit too: it was emptied by the sowing.
        if stones[last] == 1 and (taken := self._taken(position, last, stones[position.opposite(last)])):
            transfers += gather(_CAPTURE, taken, position.store(side), stones)
        return transfers, last

    def _taken(self, position: Position, last: Hole, across: int) -> tuple[Hole, ...]:
        """The pits that are emptied by a last stone alone in `last`, with `across` stones in the pit across from it."""
        if last not in position.pits(position.turn):
            return ()
        if across:
            return last, position.opposite(last)
        return (last,) if self.empty_capture else ()
