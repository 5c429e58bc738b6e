"""Going over games that are over: which are looked into here, one at a time. What is found is noted through actions.

Whoever opens a review asks for it here, again with each heartbeat. One process at a time works at a game; if that one
ends in the middle, another goes on with what is left.
"""

import logging
import threading
import uuid
from contextlib import suppress
from functools import partial

from games import actions, hindsight, snapshot, thinking
from games.engine.board import TooLarge
from games.engine.engine import Engine
from games.engine.findings import Findings
from games.engine.review import best_line, loss, review
from games.hindsight import Finished, Known
from games.models import Game
from games.protocol import Review, ReviewState
from games.rules import ruleset as rulesets, transcript
from games.rules.ruleset import Ruleset
from games.rules.sowing import Sowing

_AT_MOST_WAIT = 8
"""Games of a process: the last of them is begun some minutes later."""

_SECONDS = 60.0  # for a game
_LINE_SECONDS = 2.0  # for what was better than one ply
_QUICK = 12  # stones left in the pits: such positions are known in no time, and are noted together
_FEW = 24  # stones on a board that any engine sees through at once

_log = logging.getLogger(__name__)
_asked: set[int] = set()
_asking = threading.Lock()


def ask(code: str, number: int, player: uuid.UUID | None, held: int | None = None) -> Review | None:
    """What is known of a game that is over; what is not will be found out. None: no more than is `held` already.

    Raises `Refused` as `hindsight.find` does.
    """
    found = hindsight.find(code, number, player)
    state = of(found)
    return None if held == found.version and state != "waiting" else hindsight.shape(found, state)


def of(found: Finished) -> ReviewState:
    """How far such a game is. If it is not looked into anywhere, it will be here."""
    if found.done:
        return "done"
    if found.until > snapshot.moment():  # somebody is at it
        return "looking"
    return "looking" if _look_into(found.game) else "waiting"


def _look_into(game: Game) -> bool:
    """Have a game looked into when its turn comes; False: too many wait."""
    with _asking:
        if game.pk in _asked:
            return True
        if len(_asked) >= _AT_MOST_WAIT:
            return False
        _asked.add(game.pk)
    thinking.thinkers().in_peace(partial(_look, game))
    return True


def _look(game: Game) -> None:
    with thinking.apart("a review was broken off", game.room_id):  # whoever waits asks again
        work_out(game, thinking.courteous())
    with _asking:
        _asked.discard(game.pk)


def work_out(game: Game, engine: Engine) -> None:
    """Find out what is not known of a game, and note it, unless somebody else is at it. Takes a minute at most."""
    ruleset = rulesets.by_key(game.ruleset)
    if sum(ruleset.start().stones) > _FEW:
        with suppress(TooLarge):  # as it will be below
            engine.prepare(ruleset, wholly=False)
    row = actions.begin_review(game)
    if row is None:
        return
    known = {ply for ply, there in enumerate(row.plies) if there}
    sowings = tuple(transcript.replay(ruleset, game.transcript))
    found: dict[int, Known] = {}
    try:
        for ply, findings in review(engine, ruleset, game.transcript, known=known, seconds=_SECONDS):
            better = _better(engine, ruleset, sowings[ply], findings, game.transcript[:ply])
            found[ply] = hindsight.known(findings, better)
            thinking.thinkers().give_way()
            if ply and sowings[ply - 1].before.in_play > _QUICK:
                if not actions.note_review(game, row, found):
                    return
                found = {}
    except TooLarge:
        _log.info("a board is too large to be looked into: %s", game.ruleset, extra={"room": game.room_id})
    actions.note_review(game, row, found, done=True)


def _better(engine: Engine, ruleset: Ruleset, sowing: Sowing, findings: Findings, before: str) -> str:
    """The letters of what is surely better than what was done, if anything is: the best there is, and what follows."""
    may_swap = transcript.may_swap(ruleset, before, sowing.before)
    at_least, _ = loss(findings, sowing.pit, may_swap=may_swap and not sowing.is_swap)
    if not at_least:
        return ""
    best = max(findings.pits, key=lambda value: value.low)
    if may_swap and not sowing.is_swap and -findings.high > best.low:
        first, after = transcript.swap_letter(ruleset), sowing.before
    else:
        first, after = transcript.letter(best.pit), ruleset.sow(sowing.before, best.pit).after
    return first + best_line(engine, ruleset, after, seconds=_LINE_SECONDS)
