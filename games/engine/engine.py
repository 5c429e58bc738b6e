"""What a position and its pits are worth, exactly or within bounds. Not who asks, nor what for."""

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from games.engine import board as boards, book, compiled
from games.engine.board import Board
from games.engine.compiled import Kernel
from games.engine.endings import Endings
from games.engine.findings import Findings, PitValue
from games.engine.kernel import FOREVER, Numbers
from games.engine.search import UNLIMITED, Budget, Search, Stop
from games.rules.position import Position
from games.rules.ruleset import Ruleset

_WIDEST = 6  # pits a side: on wider boards so few endings are ranked that it does not pay
_SOME = 10_000_000  # endings whose values are found in seconds

_log = logging.getLogger(__name__)


class _Tools(NamedTuple):
    kernel: Kernel
    endings: Endings
    memory: Numbers


class Engine:
    """Searches positions; any number of threads may ask at once. Plain until `start` has had the kernel compiled."""

    def __init__(self, folder: Path, *, has_book: bool = True, most_endings: int | None = None) -> None:
        """Make an engine that keeps in `folder` what takes long to find; the folder need not be there yet.

        Of each ruleset and width it finds the values of at most so many endings, or of as many as the kernel can: of
        some first, which takes seconds.
        """
        self._folder, self._has_book, self._most_endings = folder, has_book, most_endings
        self._starting: threading.Thread | None = None
        self._tools = self._with(compiled.PLAIN)

    @property
    def is_compiled(self) -> bool:
        """Whether it is fast by now."""
        return self._tools.kernel is not compiled.PLAIN

    def start(self) -> threading.Thread:
        """Become fast, in the background: see `compile`."""
        self._starting = threading.Thread(target=self.compile, name="engine", daemon=True)
        self._starting.start()
        return self._starting

    def compile(self) -> None:
        """Have the kernel compiled, or take it from where it is kept. Without numba the engine stays as it is."""
        _log.info("the engine is plain until it is compiled")
        try:
            kernel = compiled.load(self._folder)
        except Exception:  # it works without
            _log.exception("the engine stays plain: it could not be compiled")
            return
        if kernel is None:
            _log.warning("the engine stays plain, some thirty times slower: numba is not installed")
            return
        self.use(kernel)
        _log.info("the engine is compiled")

    def prepare(self, ruleset: Ruleset, *, wholly: bool = True) -> None:
        """Be as fast as can be for a ruleset on its own board, once what was started in the background is done.

        With `wholly` that takes a minute the first time, else seconds: the values of fewer endings are found first.
        """
        if self._starting:
            self._starting.join()
        kernel, endings, _ = self._tools
        ranked = self._boards(kernel, ruleset, ruleset.start())
        for place, board in enumerate(ranked if wholly else ranked[:1]):
            if all(endings.held(more) is None for more in ranked[place:]):  # with more at hand nobody asks for fewer
                endings.found(board)

    def knows(self, ruleset: Ruleset, position: Position) -> bool:
        """Whether the value of every pit stands in the book; raises TooLarge."""
        return self._has_book and book.values(boards.of(ruleset, position, endings=0), position) is not None

    def solve(
        self, ruleset: Ruleset, position: Position, budget: Budget = UNLIMITED, *, stop: Stop | None = None
    ) -> Findings:
        """The value of every legal pit, as far as the budget goes; raises TooLarge."""
        *_, last = self.study(ruleset, position, budget, stop=stop)
        return last

    def best(
        self, ruleset: Ruleset, position: Position, budget: Budget = UNLIMITED, *, stop: Stop | None = None
    ) -> PitValue:
        """The best pit, the others being looked into only as far as it takes. ValueError: the game is over."""
        *_, last = self.study(ruleset, position, budget, stop=stop, every=False)
        return last.best

    def study(
        self,
        ruleset: Ruleset,
        position: Position,
        budget: Budget = UNLIMITED,
        *,
        stop: Stop | None = None,
        every: bool = True,
    ) -> Iterator[Findings]:
        """What is known after each depth, and at last after each pit; raises TooLarge.

        Args:
            ruleset: Its house rule `pie` does not matter: the position is taken as it lies.
            position: Of any board.
            budget: Begins when the first findings are asked for.
            stop: Ends it early.
            every: Whether the value of every pit is wanted, or only the best pit.
        """
        kernel, endings, memory = self._tools
        board, ending = boards.of(ruleset, position, endings=0), kernel.bytes_(bytearray(1))
        wanted: list[Board] = []
        for ranked in reversed(self._boards(kernel, ruleset, position)):
            if (held := endings.held(ranked)) is not None:
                board, ending = ranked, held
                break
            wanted.insert(0, ranked)
        endings.want(wanted)
        deep = self._has_book and budget.depth == FOREVER  # who looks less far ahead does not know the book either
        if deep and (known := book.values(board, position)):
            yield Findings(known, max(pit.low for pit in known), max(pit.high for pit in known), FOREVER, 0)
            return
        search = Search(kernel, board, ending, memory, ruleset, position)
        yield from search.run(budget, stop or Stop(), every=every)

    def _boards(self, kernel: Kernel, ruleset: Ruleset, position: Position) -> list[Board]:
        """The board of a position with some endings ranked, and with as many as can be."""
        if position.width > _WIDEST:
            return []
        most = kernel.most_endings if self._most_endings is None else min(kernel.most_endings, self._most_endings)
        ranked = [boards.of(ruleset, position, endings=count) for count in (min(_SOME, most), most)]
        return list(dict.fromkeys(board for board in ranked if board.ranked))

    def use(self, kernel: Kernel) -> None:
        """Search with this kernel from now on."""
        before, self._tools = self._tools, self._with(kernel)  # all at once: searches may begin at any time
        before.endings.end()

    def _with(self, kernel: Kernel) -> _Tools:
        return _Tools(kernel, Endings(kernel, self._folder), kernel.zeros(2 * kernel.slots))
