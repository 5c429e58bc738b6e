"""What every move of a position is worth, for whoever asks; who is not told, and how many are thought for at once."""

import enum
import os
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import msgspec

from games import database, fairness, thinking
from games.engine.board import TooLarge
from games.engine.findings import Findings, PitValue
from games.engine.kernel import FOREVER
from games.engine.review import best_line
from games.engine.search import Budget
from games.protocol import Seat
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Hole, InvalidText, Position
from games.rules.ruleset import Ruleset, UnknownRuleset

SECONDS = 2.0
"""How long is thought about a position unless asked otherwise …"""
MOST_SECONDS = 5.0
"""… and at most."""

_STONES = 4  # in a key whose position says how many there are
_PATIENCE_S = 10  # how long somebody waits until it is their turn


class Fault(enum.Enum):
    """Why a question has no answer. Each stands in docs/api.md."""

    MALFORMED = "malformed"
    ROWS = "rows"
    TOO_LARGE = "too_large"
    RULESET = "ruleset"
    WIDTH = "width"
    SECONDS = "seconds"
    PLAYING = "playing"
    ON_A_BOARD = "on_a_board"
    TOO_OFTEN = "too_often"
    BUSY = "busy"


class Unsolved(Exception):
    """A question that is not answered."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class Question(NamedTuple):
    """A position, and the ruleset to play on by."""

    ruleset: Ruleset
    position: Position


class Worth(msgspec.Struct, frozen=True):
    """What sowing a pit is worth to the side to move, and what it brings at once."""

    pit: Hole
    letter: str
    low: int
    high: int
    exact: bool
    guess: int
    """Within both, by the deepest look so far."""
    best: bool
    """No other is better, as far as was looked."""
    last: Hole
    """Where its last stone falls."""
    extra_turn: bool
    captured: int
    after: str
    """The position then."""


class Ended(msgspec.Struct, frozen=True):
    """How a game that is over ended."""

    winner: Seat | None
    score: tuple[int, int]
    """South's and North's stones."""


class Answer(msgspec.Struct, frozen=True):
    """What is known of a position. Values are stones of the side to move less those of the other, in the end."""

    ruleset: str
    position: str
    turn: Seat | None
    """None when the game is over."""
    outcome: Ended | None
    low: int
    high: int
    guess: int
    """Within both, as that of a pit."""
    exact: bool
    """Whether the value is known, and that of every pit."""
    pits: tuple[Worth, ...]
    line: str
    """The plies of best play, as far as they are proved."""
    depth: int | None
    """How many plies ahead it was looked; None: to the end."""
    nodes: int
    compiled: bool
    """Whether the engine is as fast as it gets."""


def question(ruleset: str, position: str) -> Question:
    """The question that two texts ask; `ruleset` is a key, or a name for a board of the position's own width.

    Raises:
        Unsolved: `malformed`, `rows`, `ruleset`, `width`.
    """
    asked = _position(position)
    try:
        rules = rulesets.by_key(f"{ruleset}-{asked.width}x{_STONES}" if ruleset in rulesets.NAMES else ruleset)
    except UnknownRuleset as error:
        raise Unsolved(Fault.RULESET) from error
    if rules.pits != asked.width:
        raise Unsolved(Fault.WIDTH)
    return Question(rules, asked)


def check(asked: Question, player: uuid.UUID | None) -> None:
    """Whether `player` may be told. Two queries, for nobody one.

    Raises:
        Unsolved: `playing`, a live game against a person; `on_a_board`, what lies in any.
    """
    if fairness.rival_game(player):
        raise Unsolved(Fault.PLAYING)
    if fairness.is_on_a_live_board(asked.position):
        raise Unsolved(Fault.ON_A_BOARD)


def answer(asked: Question, seconds: float = SECONDS, *, address: str = "") -> Answer:
    """What is known after so many seconds, or after `SECONDS` if others wait. Waits itself, without the database.

    Of those who wait no more than half may come from one network address.

    Raises:
        Unsolved: `too_large`, `busy`.
    """
    database.let_go()
    if thinking.thinkers().is_busy:
        raise Unsolved(Fault.BUSY)
    with _line.turn(address) as others_wait:
        allowed = min(seconds, SECONDS) if others_wait else seconds
        return thinking.thinkers().soon(partial(_answer, asked, allowed)).result()


class Line:
    """Those who ask: some are thought for at once, as many more wait as may, and nobody for long."""

    def __init__(self, places: int, most_waiting: int) -> None:
        self._places = threading.BoundedSemaphore(places)
        self._most, self._lock = most_waiting, threading.Lock()
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def turn(self, address: str) -> Iterator[bool]:
        """Wait for one's turn; whether others wait then. Raises Unsolved: `busy`."""
        if not self._places.acquire(blocking=False) and not self._wait(address):
            raise Unsolved(Fault.BUSY)
        try:
            yield self._waiting.total() > 0
        finally:
            self._places.release()

    def _wait(self, address: str) -> bool:
        with self._lock:
            if self._waiting.total() >= self._most or self._waiting[address] >= max(1, self._most // 2):
                return False
            self._waiting[address] += 1
        try:
            return self._places.acquire(timeout=_PATIENCE_S)
        finally:
            with self._lock:
                self._waiting[address] -= 1
                self._waiting += Counter()  # keeps those who wait


_cores = os.cpu_count() or 1
_line = Line(max(1, _cores - 1), 4 * _cores)  # one core is left to the computers' replies and to hints


def _answer(asked: Question, seconds: float) -> Answer:
    ruleset, position = asked
    engine, end = thinking.courteous(), time.monotonic() + seconds
    try:
        found = engine.solve(ruleset, position, Budget(seconds=seconds))
        line = best_line(engine, ruleset, position, seconds=end - time.monotonic(), found=found)
    except TooLarge as error:
        raise Unsolved(Fault.TOO_LARGE) from error
    outcome = ruleset.outcome(position)
    return Answer(
        ruleset=ruleset.key,
        position=str(position),
        turn=None if outcome else position.turn.letter,
        outcome=Ended(outcome.winner.letter if outcome.winner else None, outcome.score) if outcome else None,
        low=found.low,
        high=found.high,
        guess=max(found.low, min(found.high, found.best.guess)) if found.pits else found.low,
        exact=found.is_exact,
        pits=tuple(_worth(asked, pit, found) for pit in found.pits),
        line=line,
        depth=None if found.depth == FOREVER else found.depth,
        nodes=found.nodes,
        compiled=engine.is_compiled,
    )


def _worth(asked: Question, value: PitValue, found: Findings) -> Worth:
    sowing = asked.ruleset.sow(asked.position, value.pit)
    return Worth(
        pit=value.pit,
        letter=transcript.letter(value.pit),
        low=value.low,
        high=value.high,
        exact=value.is_exact,
        guess=value.guess,
        best=value.low >= found.high or value == found.best,
        last=sowing.last,
        extra_turn=sowing.extra_turn,
        captured=sowing.captured,
        after=str(sowing.after),
    )


def _position(text: str) -> Position:
    try:
        return Position.parse(text)
    except InvalidText as error:
        south, _, north = text.partition("/")
        uneven = re.fullmatch("[0-9,]+/[0-9,]+ [SN]", text) and south.count(",") != north.count(",")
        raise Unsolved(Fault.ROWS if uneven else Fault.MALFORMED) from error
