"""What our rulesets share: start, legal pits, end and sweep. Not how the stones run: that is each ruleset's own."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import cycle, islice

from games.rules.position import Hole, Position, Side
from games.rules.sowing import IllegalSowing, Kind, Outcome, Prospect, Sowing, Transfer


@dataclass(frozen=True, slots=True)
class TwoRank(ABC):
    """A game of two rows of pits and two stores, won by the fuller store.

    The size of the board is taken from the position, so a problem set up on any board can be played on.
    """

    key: str
    pits: int
    """Per side, at the start."""
    stones: int
    """Per pit, at the start."""
    majority: bool = False
    """House rule: the game ends as soon as a store holds more than half of all stones."""
    pie: bool = False
    """House rule: North may take South's side instead of its first sowing. It is held in the transcript."""

    def start(self) -> Position:
        """The position every game begins with."""
        row = (self.stones,) * self.pits + (0,)
        return Position(row + row, Side.SOUTH)

    def legal_pits(self, position: Position) -> tuple[Hole, ...]:
        """The pits the side to move may sow, from its left to its right; none when the game is over."""
        stones = position.stones
        if self._is_over(stones):
            return ()
        return tuple([pit for pit in position.pits(position.turn) if stones[pit]])

    def sow(self, position: Position, pit: Hole) -> Sowing:
        """Play one ply; raises IllegalSowing."""
        side, before = position.turn, position.stones
        if pit not in position.pits(side) or not before[pit] or self._is_over(before):
            raise IllegalSowing(f"hole {pit} cannot be sown in {position}")
        stones = list(before)
        transfers, last = self._lay(position, pit, stones)
        turn = side if last == position.store(side) else side.opponent
        after = tuple(stones)
        if self._is_over(after):
            turn = side.opponent
            if not self._has_majority(after):
                for owner in Side:
                    transfers += gather(Kind.SWEEP, position.pits(owner), position.store(owner), stones)
                after = tuple(stones)
        return Sowing(position, pit, transfers, Position(after, turn))

    def prospects(self, position: Position) -> tuple[Prospect, ...]:
        """What every legal pit would bring, from the side's left to its right; nothing when the game is over."""
        stones, skip, store = position.stones, self._skip(position), position.store(position.turn)
        full = len(stones) - 1
        found = []
        for pit in self.legal_pits(position):
            hand = stones[pit]
            _, plain, home = _lap(full + 1, pit, skip, hand)
            prospect = None
            if plain.last == store:
                if 1 < hand < full and not self.majority:  # the own row is not empty then, and the game goes on
                    prospect = home
            elif hand < full:
                prospect = self._short(position, plain)
            found.append(prospect or self._prospect(position, pit, plain.way))
        return tuple(found)

    def _prospect(self, position: Position, pit: Hole, way: tuple[Hole, ...]) -> Prospect:
        stones = list(position.stones)
        transfers, last = self._lay(position, pit, stones)
        extra_turn = last == position.store(position.turn) and not self._is_over(tuple(stones))
        captures = [transfer for transfer in transfers if transfer.kind is Kind.CAPTURE]
        captured, taken = sum(transfer.stones for transfer in captures), tuple(transfer.source for transfer in captures)
        return Prospect(pit, last, extra_turn, captured, way, taken)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        stones, half = position.stones, position.width + 1
        if not self._is_over(stones):
            return None
        south, north = stones[:half], stones[half:]
        score = (south[-1], north[-1]) if self._has_majority(stones) else (sum(south), sum(north))
        winner = None if score[0] == score[1] else Side.SOUTH if score[0] > score[1] else Side.NORTH
        return Outcome(winner, score)

    def _is_over(self, stones: tuple[int, ...]) -> bool:
        half = len(stones) // 2
        empty = _empty_row(half - 1)  # comparing is quicker than looking for a stone
        return stones[: half - 1] == empty or stones[half:-1] == empty or (self.majority and self._has_majority(stones))

    def _has_majority(self, stones: tuple[int, ...]) -> bool:
        return self.majority and 2 * max(stones[len(stones) // 2 - 1], stones[-1]) > sum(stones)

    @abstractmethod
    def _skip(self, position: Position) -> Hole | None:
        """The hole into which the side to move sows nothing."""

    @abstractmethod
    def _short(self, position: Position, plain: Prospect) -> Prospect | None:
        """What less than a full lap that does not end in the store brings; `plain` if nothing more happens.

        None: it has to be sown to be known.
        """

    @abstractmethod
    def _lay(self, position: Position, pit: Hole, stones: list[int]) -> tuple[tuple[Transfer, ...], Hole]:
        """Move `stones` as sowing `pit` does: the transfers made, and the hole where the last sown stone fell."""


def lap(pit: Hole, skip: Hole | None, stones: list[int]) -> tuple[Transfer, ...]:
    """Pick up what lies in `pit` and sow it, one stone a hole, never into `skip`."""
    transfers, plain, _ = _lap(len(stones), pit, skip, stones[pit])
    stones[pit] = 0
    for target in plain.way:
        stones[target] += 1
    return transfers


def gather(kind: Kind, holes: Iterable[Hole], store: Hole, stones: list[int]) -> tuple[Transfer, ...]:
    """Put all that lies in `holes` into `store`."""
    transfers = tuple(Transfer(kind, hole, store, stones[hole]) for hole in holes if stones[hole])
    for transfer in transfers:
        stones[transfer.source] = 0
        stones[store] += transfer.stones
    return transfers


@lru_cache(10_000)  # building them again would be most of the work of a sowing
def _lap(holes: int, pit: Hole, skip: Hole | None, hand: int) -> tuple[tuple[Transfer, ...], Prospect, Prospect]:
    """One stone into each hole all the way round, the pit itself last: no rule of ours leaves it out; and again.

    The stones sown, and what such a lap brings where nothing but that happens, or an extra turn.
    """
    circuit = [hole for hole in ((pit + step) % holes for step in range(1, holes + 1)) if hole != skip]
    way = tuple(islice(cycle(circuit), hand))
    plain = Prospect(pit, way[-1], False, 0, way, ())
    return tuple(Transfer(Kind.SOW, pit, hole, 1) for hole in way), plain, plain._replace(extra_turn=True)


@cache  # there are few sizes
def _empty_row(pits: int) -> tuple[int, ...]:
    return (0,) * pits
