"""The kernel, compiled by numba or as it stands. Not what is asked of it.

Compiling takes some ten seconds, in a process of its own, once: what comes of it is kept in NUMBA_CACHE_DIR if that is
set, else beside kernel.py, else in a folder of the caller's.
"""

import os
import subprocess
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

from games.engine import kernel
from games.engine.board import of
from games.rules.ruleset import by_key

_COPY = "games.engine.kernel_compiled"
"""As what the copy of the kernel that is compiled is loaded: the plain one stays."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The functions of kernel.py, and what makes the numbers they take."""

    name: str
    search: Callable[..., int]
    fill: Callable[..., None]
    numbers: Callable[[Sequence[int]], kernel.Numbers]
    """As `board` and `state`."""
    zeros: Callable[[int], kernel.Numbers]
    """As `memory`."""
    bytes_: Callable[[bytearray | memoryview], kernel.Numbers]
    """As `ending`."""
    most_endings: int
    """How many values of endings are found in less than a minute."""
    slots: int
    """How many positions the memory holds, an even number."""


PLAIN = Kernel(
    name="plain",
    search=kernel.search,
    fill=kernel.fill,
    numbers=list,
    zeros=lambda count: array("q", bytes(8 * count)),
    bytes_=lambda held: memoryview(held).cast("b"),
    most_endings=100_000,
    slots=1 << 18,
)
"""Unlike the compiled one it holds the GIL."""


def load(folder: Path) -> Kernel | None:
    """The compiled kernel, made first if need be; None without numba. Takes its time: nobody should wait for it.

    Args:
        folder: Where what is compiled may be kept if not beside the kernel.
    """
    try:
        stamp = _place(folder) / f"kernel-{_fingerprint()}.compiled"
    except PackageNotFoundError:
        return None
    if not stamp.exists():
        subprocess.run(  # noqa: S603  of our own
            [sys.executable, "-m", __spec__.name, str(folder.absolute())], check=True, cwd=Path(__file__).parents[2]
        )
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    return _load(folder)


def _load(folder: Path) -> Kernel:
    import numba  # noqa: PLC0415  takes half a second, and 80 MB
    import numpy as np  # noqa: PLC0415

    if _place(folder) == folder:
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # read from the environment
    copy = _copy()
    copy.FETCHES, copy.fetch = True, _fetch()  # type: ignore[attr-defined]
    for name in ("mark", "place", "sow", "rank", "_guess", "settle", "search", "fill"):
        setattr(copy, name, numba.njit(nogil=True, cache=True)(getattr(copy, name)))
    compiled = Kernel(
        name="compiled",
        search=copy.search,
        fill=copy.fill,
        numbers=lambda values: np.array(values, dtype=np.int64),
        zeros=lambda count: np.zeros(count, dtype=np.int64),
        bytes_=lambda held: np.frombuffer(held, dtype=np.int8),
        most_endings=87_000_000,
        slots=1_500_000,  # 24 MB, so that a process of the site with all of it stays below 350
    )
    _call(compiled)
    return compiled


def _fetch() -> Any:
    """What `kernel.fetch` is when compiled: the instruction of the processor, which waits for nothing."""
    from llvmlite import ir  # type: ignore[import-untyped]  # noqa: PLC0415  as numba
    from numba.core import cgutils, types  # noqa: PLC0415
    from numba.extending import intrinsic  # noqa: PLC0415

    word = ir.IntType(32)
    to_read, to_keep, data = word(0), word(3), word(1)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(numbers.data, [arguments[1]]), cgutils.voidptr_t)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch.p0", (), kind)
        builder.call(prefetch, [place, to_read, to_keep, data])
        return context.get_dummy_value()

    @intrinsic
    def fetch(_: Any, numbers: Any, at: Any) -> Any:
        return types.void(numbers, at), generate

    return fetch


def _copy() -> ModuleType:
    """The kernel's module once more, under a name of its own, as it is written: what measures coverage rewrites it."""
    copy = ModuleType(_COPY)
    sys.modules[_COPY] = copy  # where what is kept looks for it
    path = Path(kernel.__file__)
    exec(compile(path.read_bytes(), path, "exec"), copy.__dict__)  # noqa: S102  our own
    return copy


def _call(compiled: Kernel) -> None:
    """Have everything compiled, or taken from what is kept: numba does so at the first call."""
    ruleset = by_key("classic-1x1")
    board = of(ruleset, ruleset.start(), endings=10)
    ending = compiled.bytes_(bytearray([128]) * board.endings)
    numbers = compiled.numbers(board.numbers)
    compiled.fill(0, board.endings, numbers, ending)
    state = compiled.numbers([0] * kernel.STATE)
    state[kernel.LIMIT] = 1000
    compiled.search(1, 1, 2, 0, 0, 9, 0, numbers, ending, compiled.zeros(64), state)


def _place(folder: Path) -> Path:
    """Where what is compiled is kept."""
    beside = Path(kernel.__file__).parent
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return beside / "__pycache__" if os.access(beside, os.W_OK) else folder


def _fingerprint() -> str:
    """Changes with all that has the kernel compiled anew."""
    source = Path(kernel.__file__).read_bytes()
    return sha256(source + f"{version('numba')} {version('numpy')} {sys.version}".encode()).hexdigest()[:16]


if __name__ == "__main__":
    os.nice(10)  # the site goes first
    _load(Path(sys.argv[1]))
