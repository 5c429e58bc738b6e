"""What the kernel says of a position, plain and compiled."""

from games.engine import board as boards, compiled
from games.engine.board import Board
from games.engine.compiled import Kernel
from games.engine.kernel import LIMIT, NODES, STATE, UNKNOWN
from games.rules.position import Position
from games.rules.ruleset import Ruleset

_GOALS = (-2, 1)
_DEPTH = 3


def both_say(kernel: Kernel, ruleset: Ruleset, position: Position) -> tuple[list[int], list[int]]:
    """The answers of the plain and of the compiled kernel, and how many positions each has looked at."""
    return _says(compiled.PLAIN, ruleset, position), _says(kernel, ruleset, position)


def endings_of(kernel: Kernel, board: Board) -> list[int]:
    """The values of all endings of a board."""
    ending = kernel.bytes_(bytearray([UNKNOWN & 255]) * board.endings)
    kernel.fill(0, board.endings, kernel.numbers(board.numbers), ending)
    return [int(ending[place]) for place in range(board.endings)]


def _says(kernel: Kernel, ruleset: Ruleset, position: Position) -> list[int]:
    board = boards.of(ruleset, position, endings=0)
    numbers, state, memory = kernel.numbers(board.numbers), kernel.numbers([0] * STATE), kernel.zeros(1 << 10)
    state[LIMIT] = 100
    if not ruleset.legal_pits(position):
        return []
    mine = position.stones[position.store(position.turn)] if board.is_counted else 0
    row = (*board.rows(position), position.in_play, mine)
    tools = (numbers, kernel.bytes_(bytearray(1)), memory, state)
    return [*(int(kernel.search(*row, goal, _DEPTH, 0, *tools)) for goal in _GOALS), int(state[NODES])]
