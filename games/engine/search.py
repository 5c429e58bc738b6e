"""One search: deeper and deeper, until all is proved or the budget is spent. Not how it looks ahead: kernel.py."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

from games.engine.board import Board
from games.engine.compiled import Kernel
from games.engine.findings import Findings, PitValue
from games.engine.kernel import FOREVER, LIMIT, NODES, STATE, STOPPED, Numbers
from games.rules.position import Position, Side
from games.rules.ruleset import Ruleset

_NO_LIMIT = 1 << 62


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop, whatever comes first; without any of these a search goes on until all is proved."""

    seconds: float | None = None
    nodes: int | None = None
    """Positions looked at."""
    depth: int = FOREVER
    """Sowings ahead."""


UNLIMITED = Budget()


class Stop:
    """Ends searches from another thread, those to come as well."""

    def __init__(self) -> None:
        self._is_set = False
        self._searches: list[Search] = []

    @property
    def is_set(self) -> bool:
        """Whether they have been ended."""
        return self._is_set

    def set(self) -> None:
        """End them; they still say what they have found."""
        self._is_set = True
        for search in tuple(self._searches):
            search.stop()

    def watch(self, search: "Search") -> None:
        """Take on one more."""
        self._searches.append(search)
        if self._is_set:
            search.stop()

    def leave(self, search: "Search") -> None:
        """It is over."""
        self._searches.remove(search)


class Search:
    """The search of one position, and what it has found."""

    def __init__(  # noqa: PLR0913  made in one place
        self,
        kernel: Kernel,
        board: Board,
        ending: Numbers,
        memory: Numbers,
        ruleset: Ruleset,
        position: Position,
    ) -> None:
        self._call = kernel.search
        self._numbers, self._ending, self._memory = kernel.numbers(board.numbers), ending, memory
        self._state = kernel.numbers([0] * STATE)
        self._whole = _Asked.of(ruleset, position, position.turn, board)
        if outcome := ruleset.outcome(position):
            south, north = outcome.score
            self._whole.low = self._whole.high = south - north if position.turn is Side.SOUTH else north - south
        self._pits = {
            pit: _Asked.of(ruleset, ruleset.sow(position, pit).after, position.turn, board)
            for pit in ruleset.legal_pits(position)
        }

    def run(self, budget: Budget, stop: Stop, *, every: bool) -> Iterator[Findings]:
        """What is known after each depth, and at last after each pit."""
        self._state[LIMIT] = _NO_LIMIT if budget.nodes is None else budget.nodes
        clock = threading.Timer(budget.seconds or 0, self.stop)
        clock.daemon = True
        stop.watch(self)
        try:
            if budget.seconds is not None:
                clock.start()
            yield from self._deepen(budget.depth, every=every)
        finally:
            clock.cancel()
            stop.leave(self)

    def stop(self) -> None:
        """End it, from any thread."""
        self._state[STOPPED] = 1

    def _deepen(self, deepest: int, *, every: bool) -> Iterator[Findings]:
        if not self._pits:
            yield self._findings(deepest)
            return
        depth = 0
        # Step by step, for a first idea of a value: the more stones, the more a better idea saves.
        shallow = self._whole.left // 2
        for depth in (*range(2, min(shallow, deepest), 2), deepest):
            if depth == FOREVER:
                self._value_whole()
            for _ in self._value_pits(depth, every=every):
                if depth == FOREVER:
                    yield self._findings(depth)
            if self._state[STOPPED]:
                break
            if depth != FOREVER:
                yield self._findings(depth)
            if self._is_settled(every=every):
                return
        if self._state[STOPPED]:
            yield self._findings(depth)

    def _value_whole(self) -> None:
        """The position before its pits: to ask for the value of one that is not the best is to ask for more."""
        self._whole.guess = max(pit.guess for pit in self._pits.values())
        self._value(self._whole, FOREVER)
        for pit in self._pits.values():
            pit.high = min(pit.high, self._whole.high)
            pit.guess = min(pit.guess, pit.high)

    def _value_pits(self, depth: int, *, every: bool) -> Iterator[None]:
        """The best first: the others are then looked at only as far as it takes to see that they are not better."""
        ahead = self._whole.low - 1 if depth == FOREVER and not every else None
        for pit in sorted(self._pits.values(), key=lambda pit: -pit.guess):
            if self._state[STOPPED]:
                return
            if every or ahead is None or self._is_better(pit, ahead, depth):
                self._value(pit, depth)
            ahead = pit.guess if ahead is None else max(ahead, pit.guess)
            if not self._state[STOPPED]:
                yield

    def _is_settled(self, *, every: bool) -> bool:
        if every:
            return all(pit.low == pit.high for pit in self._pits.values())
        best = max(self._pits.values(), key=lambda pit: pit.low, default=None)
        return best is None or all(pit is best or pit.high <= best.low for pit in self._pits.values())

    def _value(self, pit: "_Asked", depth: int) -> None:
        """Close in on a value, beginning with what it was last thought to be."""
        low, high, near = pit.low, pit.high, pit.guess
        while low < high:
            goal = max(near, low + 1)
            near = self._ask(pit, goal, depth)
            if self._state[STOPPED]:
                return
            if near >= goal:
                low = near
            else:
                high = near
        pit.guess = low

    def _is_better(self, pit: "_Asked", value: int, depth: int) -> bool:
        """If it is not, it is not to look as good either: what is known of it then is only that it is no better."""
        if pit.high > value:
            bound = self._ask(pit, value + 1, depth)
            if self._state[STOPPED]:
                return False
            if bound > value:
                pit.guess = bound
                return True
        pit.guess = min(pit.guess, value - 1)
        return False

    def _ask(self, pit: "_Asked", goal: int, depth: int) -> int:
        """A bound of a value: one that reaches the goal, or one that says it is not reached."""
        asked = goal - pit.lead if pit.sign > 0 else 1 - goal - pit.lead
        answer = int(
            self._call(
                pit.me, pit.you, pit.left, pit.mine, asked, depth - 1 if depth < FOREVER else depth, 0,
                self._numbers, self._ending, self._memory, self._state,
            )
        )  # fmt: skip
        bound = pit.sign * (pit.lead + (answer >> 1))
        if answer & 1 and not self._state[STOPPED]:
            if bound >= goal:
                pit.low = bound
            else:
                pit.high = bound
        return bound

    def _findings(self, depth: int) -> Findings:
        pits = tuple(
            PitValue(pit, asked.low, asked.high, max(asked.low, min(asked.high, asked.guess)))
            for pit, asked in self._pits.items()
        )
        low = max([self._whole.low, *(pit.low for pit in pits)])
        high = min([self._whole.high, max((pit.high for pit in pits), default=self._whole.high)])
        return Findings(pits, low, high, depth, int(self._state[NODES]))


@dataclass(slots=True)
class _Asked:
    """A position that the kernel is asked about, and what is known of its value to the side that asks."""

    me: int
    you: int
    left: int
    mine: int
    sign: int
    """Whether the side that asks is to move, 1 or -1."""
    lead: int
    """Of the side to move."""
    low: int
    high: int
    guess: int

    @classmethod
    def of(cls, ruleset: Ruleset, position: Position, side: Side, board: Board) -> "_Asked":
        """A position that `side` asks about."""
        sign = 1 if position.turn is side else -1
        ahead = lead(position, position.turn)
        over = ruleset.outcome(position) is not None
        left = position.in_play
        spread = 0 if over else left
        now = sign * ahead
        mine = position.stones[position.store(position.turn)] if board.is_counted else 0
        return cls(*board.rows(position), left, mine, sign, ahead, now - spread, now + spread, now)


def lead(position: Position, side: Side) -> int:
    """How many stones more a side has in its store than the other."""
    return position.stones[position.store(side)] - position.stones[position.store(side.opponent)]
