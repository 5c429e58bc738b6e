"""Computers at the board: they think beside the sockets, and play through actions as anybody does.

A room where one plays is looked after by every process that has to do with it: that opened it, holds a socket there, or
sweeps. Whenever something is announced there, it is looked whether the computer is to do something. Several processes
may think about the same ply; it is played once, because a game is changed by compare-and-set.
"""

import random
import threading
import time
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.utils import timezone

from games import actions, broadcast, computers, snapshot, thinking
from games.engine.board import TooLarge
from games.engine.kernel import FOREVER
from games.engine.search import Budget
from games.models import Game
from games.protocol import OfferShape, Outgoing, Refusal, Refused, Sown
from games.rules import ruleset as rulesets
from games.rules.position import Hole, Position
from games.rules.ruleset import Ruleset
from games.rules.sowing import Prospect

_LOOKED_AFTER = 10_000  # rooms of a process; of those that it has forgotten the sweeper thinks
_LATE = timedelta(seconds=6)  # after so long without a reply somebody else thinks about it
_LATELY = timedelta(days=1)  # and after so long nobody, until somebody comes to look
_AT_ONCE = 100  # rooms found by one sweep

_PAUSE_S = (0.5, 1.2)  # between what was shown and the next sowing, by chance: a person thinks too
_STONE_S = 0.13  # how long a stone that is sown is shown
_MOST_SHOWN_S = 3.0

_CARELESS = {1: 1.0, 2: 0.5, 3: 0.25, 4: 0.1, 5: 0.0}
"""How often each level sows anything."""

_AHEAD = {3: Budget(depth=2, seconds=1.0), 4: Budget(depth=6, seconds=1.5), 5: Budget(seconds=2.5)}
"""How far a level looks when it takes care; the others sow what brings most at once."""

_FOR_EQUALS = Budget(seconds=0.2)  # to find what is as good as the best: always the same is dull

_EXTRA_TURN = 2  # what an extra turn is worth in stones to those who look no further


# Thinking -----------------------------------------------------------------------------------------


def choose(level: int, ruleset: Ruleset, position: Position, chance: random.Random) -> Hole:
    """The pit that a computer of this level sows; ValueError if there is none to sow."""
    prospects = ruleset.prospects(position)
    if not prospects:
        raise ValueError(f"nothing can be sown in {position}")
    if len(prospects) == 1:
        return prospects[0].pit
    if chance.random() < _CARELESS[level]:
        return chance.choice(prospects).pit
    if level not in _AHEAD:
        return _at_sight(prospects, chance)
    try:
        return _ahead(ruleset, position, _AHEAD[level], chance)
    except TooLarge:
        return _at_sight(prospects, chance)


def _at_sight(prospects: tuple[Prospect, ...], chance: random.Random) -> Hole:
    """What brings most at once."""
    return max(prospects, key=lambda one: (one.captured + _EXTRA_TURN * one.extra_turn, chance.random())).pit


def _ahead(ruleset: Ruleset, position: Position, budget: Budget, chance: random.Random) -> Hole:
    """What is best as far as the budget goes; of equals, any. Raises TooLarge."""
    if budget.depth < FOREVER:
        pits = thinking.solve(ruleset, position, budget).pits
        return max(pits, key=lambda pit: (pit.guess, pit.low, chance.random())).pit
    best = thinking.best(ruleset, position, budget)  # all the time for this: what else is as good takes far longer
    others = thinking.solve(ruleset, position, _FOR_EQUALS).pits if best.is_exact else ()
    return chance.choice([pit.pit for pit in others if pit.low >= best.low] or [best.pit])


def _agrees(game: Game, there: OfferShape) -> bool:
    """Whether a computer accepts an offer: to another game and to taking back always, to a draw if it is one."""
    if there.kind != "draw":
        return True
    try:
        findings = thinking.solve(rulesets.by_key(game.ruleset), Position.parse(game.position), Budget(seconds=1.0))
    except TooLarge:
        return False
    return findings.low == findings.high == 0


# Replying -----------------------------------------------------------------------------------------


def look_after(code: str) -> None:
    """A computer plays in this room: from now on it replies to whatever is committed there; and now, if it is due."""
    _rooms[code] = None
    while len(_rooms) > _LOOKED_AFTER:
        _rooms.pop(next(iter(_rooms)), None)  # another thread may have been here
    _agenda.remind(code, _pause())


def sweep() -> int:
    """Think in the rooms where a computer has been due for long: whoever thought there is gone. How many they are."""
    now = timezone.now()
    due = list(Game.objects.awaiting_computer(now - _LATE, now - _LATELY)[:_AT_ONCE])
    for code in due:
        _agenda.put(code, 0.0)
    return len(due)


def reply(code: str) -> None:
    """Do what the computer in a room is due to do, if anything. Runs for as long as it thinks."""
    try:
        game = snapshot.current_game(code)
    except Refused:
        _rooms.pop(code, None)
        return
    side = game.computer
    if side is None:
        _rooms.pop(code, None)
        return
    player = game.south_id if side == "S" else game.north_id
    there = snapshot.offer(game)
    try:
        if there and there.side != side:
            actions.answer(code, player, game=game.number, number=there.id, accept=_agrees(game, there))
        elif game.status == Game.Status.PLAYING and game.turn.letter == side:
            position = Position.parse(game.position)
            level = computers.level_of(player) or 1
            pit = choose(level, rulesets.by_key(game.ruleset), position, random.SystemRandom())
            offered = snapshot.offer(snapshot.current_game(code))
            if offered and offered.side != side:  # while it thought
                _agenda.put(code, 0.0)
                return
            actions.play(code, player, game=game.number, ply=game.ply, pit=pit)
    except Refused as refused:  # somebody else was quicker, or the other has taken back
        if refused.refusal is Refusal.UNAVAILABLE:
            _agenda.put(code, _pause())


def _pause(stones: int = 0) -> float:
    """How long a computer waits, in seconds, so that what was sown is shown first."""
    shown = min(_MOST_SHOWN_S, stones * _STONE_S)
    return (shown + random.uniform(*_PAUSE_S)) * settings.COMPUTER_PACE / 100  # noqa: S311  not a secret


def _witness(topic: str, message: Outgoing) -> None:
    if topic in _rooms:
        moved = message.transfers if isinstance(message, Sown) else ()
        _agenda.put(topic, _pause(sum(len(targets) for *_, targets in moved)))


class _Agenda:
    """The rooms to think in, and when. One thread waits, others think: see thinking.py."""

    def __init__(self) -> None:
        self._due: dict[str, float] = {}
        self._thinking: set[str] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def put(self, code: str, seconds: float) -> None:
        """Think in a room so many seconds from now; what was put down for it before is void."""
        with self._changed:
            self._due.pop(code, None)
            self.remind(code, seconds)

    def remind(self, code: str, seconds: float) -> None:
        """The same where nothing is put down yet: whoever looks in, however often, puts nothing off."""
        with self._changed:
            self._due.setdefault(code, time.monotonic() + seconds)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="computers", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        while True:
            thinking.thinkers().soon(partial(self._think, self._next()))

    def _next(self) -> str:
        """Wait for a room that is due and where nobody is thinking."""
        with self._changed:
            while True:
                now = time.monotonic()
                free = [(at, code) for code, at in self._due.items() if code not in self._thinking]
                at, code = min(free, default=(None, ""))
                if at is not None and at <= now:
                    del self._due[code]
                    self._thinking.add(code)
                    return code
                self._changed.wait(None if at is None else at - now)

    def _think(self, code: str) -> None:
        with thinking.apart("a computer could not play", code):  # the sweeper comes back to it
            reply(code)
        with self._changed:
            self._thinking.discard(code)
            self._changed.notify()


_rooms: dict[str, None] = {}
_agenda = _Agenda()
broadcast.witnesses.append(_witness)
