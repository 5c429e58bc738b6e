"""The values of all positions with few stones: found once in the background, kept on disk. Not how they are ranked."""

import logging
import mmap
import os
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from errno import ENOSPC
from pathlib import Path
from shutil import disk_usage
from zlib import crc32

from games.engine.board import Board
from games.engine.compiled import PLAIN, Kernel
from games.engine.courtesy import step_back
from games.engine.kernel import UNKNOWN, Numbers

_MOST_BYTES = 100 << 20
"""How much of the files is mapped into memory at once."""
_SPARE_BYTES = 256 << 20
"""How much of the disk stays free: the database comes first."""
_LEFT_S = 600  # nobody writes for so long
_AT_ONCE = 10_000  # are found, then it is asked whether more are wanted
_PIECE = 1 << 20
_CHECK = 4

_log = logging.getLogger(__name__)


class _Over(Exception):
    """Nobody wants what is being found any more."""


class Endings:
    """The values of endings, by ruleset and width of the board."""

    def __init__(self, kernel: Kernel, folder: Path) -> None:
        self._kernel, self._folder = kernel, folder
        self._known: dict[Board, Numbers] = {}
        self._wanted: list[Board] = []
        self._sound: set[Board] = set()  # whose file has been looked through
        self._lock = threading.Lock()
        self._is_over = False

    def held(self, board: Board) -> Numbers | None:
        """The values, if they are at hand."""
        return self._known.get(board)

    def want(self, boards: Iterable[Board]) -> None:
        """Have the values of these at hand later: some seconds, or a minute. One after the other, in this order."""
        with self._lock:
            wanted = [board for board in boards if board not in self._wanted and board not in self._known]
            is_idle = not self._wanted
            self._wanted += wanted
            if wanted and is_idle:
                threading.Thread(target=self._find_wanted, name="endings", daemon=True).start()

    def found(self, board: Board) -> Numbers:
        """The values, however long they take."""
        known = self._known.get(board)
        if known is None:
            known = self._read(board)
            if known is None:
                found = self._find(board)
                known = self._read(board) if self._write(board, found) else None  # what is mapped, all processes share
                known = found if known is None else known
            with self._lock:
                self._known = {other: held for other, held in self._known.items() if not _is_part(other, board)}
                while self._known and sum(held.endings for held in (*self._known, board)) > _MOST_BYTES:
                    del self._known[next(iter(self._known))]
                self._known[board] = known
        return known

    def end(self) -> None:
        """Look for no more of them: others take their place."""
        self._is_over = True

    def _find_wanted(self) -> None:
        if self._kernel is not PLAIN:
            step_back()
        while True:
            board = self._wanted[0]
            try:
                self.found(board)
            except _Over:
                return
            except Exception:  # they are asked for again
                _log.exception("the endings of %s on %d pits were not found", board.name, board.width)
            with self._lock:
                del self._wanted[0]
                if not self._wanted:
                    return

    def _find(self, board: Board) -> Numbers:
        held, unknown = mmap.mmap(-1, board.endings), bytes([UNKNOWN & 255]) * _PIECE
        while room := min(_PIECE, board.endings - held.tell()):  # at once it would take so long that games stand still
            held.write(unknown[:room])
        ending, numbers = self._kernel.bytes_(memoryview(held)), self._kernel.numbers(board.numbers)
        for begin in range(0, board.endings, _AT_ONCE):
            if self._is_over:
                raise _Over
            self._kernel.fill(begin, min(begin + _AT_ONCE, board.endings), numbers, ending)
        return ending

    def _read(self, board: Board) -> Numbers | None:
        try:
            with self._path(board).open("rb") as file:
                held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        except (OSError, ValueError):  # not there, or empty
            return None
        view = memoryview(held)
        is_whole = len(view) == board.endings + _CHECK
        if is_whole and board not in self._sound:
            is_whole = crc32(view[:-_CHECK]).to_bytes(_CHECK, "big") == view[-_CHECK:]
        if not is_whole:
            _log.warning("%s is damaged, and is made anew", self._path(board))
            return None
        self._sound.add(board)
        return self._kernel.bytes_(view[: board.endings])

    def _write(self, board: Board, ending: Numbers) -> bool:
        path, view = self._path(board), memoryview(ending).cast("B")  # type: ignore[arg-type]
        fresh = path.with_suffix(f".{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _make_room(path, len(view))
            with fresh.open("wb", buffering=0) as file:
                for begin in range(0, len(view), _PIECE):
                    file.write(view[begin : begin + _PIECE])
                    os.fsync(file.fileno())  # what is left to the system is written when a game waits for the disk
                file.write(crc32(view).to_bytes(_CHECK, "big"))
            fresh.replace(path)
        except OSError as error:
            _log.warning("endings are not kept: %s", error)
            with suppress(OSError):
                fresh.unlink()
            return False
        return True

    def _path(self, board: Board) -> Path:
        return self._folder / "endings" / f"{board.name}-{board.width}-{board.ranked}.values"


def _is_part(other: Board, board: Board) -> bool:
    """Whether all that one has stands in the other, too."""
    return (other.name, other.width) == (board.name, board.width) and other.ranked < board.ranked


def _make_room(path: Path, size: int) -> None:
    """Remove what others left who did not come to an end; raises OSError where the disk is nearly full."""
    for left in path.parent.glob(f"{path.stem}.*[0-9]"):
        if left.stat().st_mtime < time.time() - _LEFT_S:
            left.unlink(missing_ok=True)
    if disk_usage(path.parent).free < size + _SPARE_BYTES:
        raise OSError(ENOSPC, "the disk is left to others")
