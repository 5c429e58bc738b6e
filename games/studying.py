"""The solver: its page, and the same for programs. Parse, ask, answer."""

import re
from collections.abc import Mapping
from itertools import count, takewhile
from typing import NamedTuple
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from msgspec import json, to_builtins

from games import board_view, caps, pages, players, solver
from games.forms import PITS, STONES
from games.rules import ruleset as rulesets
from games.rules.position import Position
from games.solver import Answer, Fault, Question, Unsolved, Worth

STATUS = {Fault.PLAYING: 409, Fault.ON_A_BOARD: 409, Fault.TOO_OFTEN: 429, Fault.BUSY: 503}
"""Of an answer that is none; every other fault is a 400."""
_RETRY_S = {Fault.TOO_OFTEN: 10, Fault.BUSY: 3}
_SECONDS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3})?")
_MINUS = "\N{MINUS SIGN}"
_NEAR = 10  # stones: bounds further apart say less than a guess
_AT_FIRST = 1.0  # seconds until a page comes; its script asks for more

PHRASES = {
    "S": _("Sun"),
    "N": _("Moon"),
    "wins": _("{name} wins by {n}"),
    "least": _("{name} wins by at least {n}"),
    "draw": _("A draw"),
    "open": _("Not settled yet: from {low} to {high}"),
    "about": _("Not settled yet: about {n}"),
    "best.wins": _("{name} wins by {n} with best play"),
    "best.least": _("{name} wins by at least {n} with best play"),
    "best.draw": _("A draw with best play"),
    "over.wins": _("Game over. {name} won, {n} to {m}."),
    "over.draw": _("Game over. A draw, {n} each."),
    "extra": _("Extra turn"),
    "capture": _("Captures {n}"),
    "pit": _("Pit {letter}"),
    "asking": _("Thinking…"),
    "slow": _("The solver is slow just now: values take longer."),
    "lost": _("No connection. The values will come when it is back."),
    Fault.MALFORMED.value: _("This is no position: every pit holds a whole number of stones."),
    Fault.ROWS.value: _("The two rows must have the same number of pits."),
    Fault.TOO_LARGE.value: _("These are too many stones to work out."),
    Fault.RULESET.value: _("Nobody knows these rules."),
    Fault.SECONDS.value: _("The solver thinks for five seconds at most."),
    Fault.PLAYING.value: _("You are playing a game. The solver waits until it is over."),
    Fault.ON_A_BOARD.value: _("Two people are playing this very position. The solver waits until they are done."),
    Fault.TOO_OFTEN.value: _("Too many positions came from your network. Please try again in a minute."),
    Fault.BUSY.value: _("Many people are asking just now. Please try again in a moment."),
}
"""What the page says, and its script as well: {names} are filled in."""


class Told(NamedTuple):
    """A pit of an answer in words, as its page has it."""

    worth: Worth
    short: str
    """On the board."""
    words: str
    address: str
    """Of the position after it."""


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Any position to set up and walk through; its address holds it, and is the way back to it."""
    asked = request.GET
    if "do" in asked:
        return HttpResponseRedirect(_set_up(asked))
    answer, fault = None, None
    question = Question(rulesets.by_key("classic-6x4"), rulesets.by_key("classic-6x4").start())
    try:
        if "position" in asked or "rules" in asked:
            question = _named(asked.get("rules", "classic"), asked.get("position", str(question.position)))
            answer = _answer(request, question, _seconds(asked.get("seconds") or str(_AT_FIRST)))
    except Unsolved as unsolved:
        fault = unsolved.fault
    ruleset, position = question
    rules = rulesets.name_of(ruleset)
    context = {
        "board": board_view.of_position(position),
        "rules": rules,
        "names": rulesets.NAMES,
        "pits": sorted({*PITS, position.width}),
        "start_stones": str(_start_stones(position)),
        "turn": position.turn.letter,
        "answer": answer,
        "verdict": _verdict(answer) if answer else gettext(PHRASES[fault.value]) if fault else "",
        "told": [_told(rules, position, worth) for worth in answer.pits] if answer else [],
        "longer": f"{_address(rules, str(position))}&seconds={solver.MOST_SECONDS:g}",
        "phrases": {key: gettext(words) for key, words in PHRASES.items()},
        "page": {
            "rules": rules,
            "position": str(position),
            "answer": to_builtins(answer) if answer else None,
            "fault": fault.value if fault else None,
            "api": reverse("api_solve"),
            "most": solver.MOST_SECONDS,
        },
    }
    status = _status(fault) if fault else 200
    response = pages.page(request, "games/solver.html", players.known(request), context, status=status)
    _wait(response, fault)
    return response


@require_safe
@never_cache
def solve(request: HttpRequest) -> HttpResponse:
    """What the moves of a position are worth, as JSON. Pages anywhere may ask."""
    asked = request.GET
    try:
        seconds = _seconds(asked.get("seconds") or str(solver.SECONDS))
        answer = _answer(request, solver.question(asked.get("ruleset", ""), asked.get("position", "")), seconds)
        response = HttpResponse(json.encode(answer), content_type="application/json")
    except Unsolved as unsolved:
        body = json.encode({"refused": unsolved.fault.value})
        response = HttpResponse(body, content_type="application/json", status=_status(unsolved.fault))
        _wait(response, unsolved.fault)
    response["Access-Control-Allow-Origin"] = "*"  # and no credentials: a page elsewhere asks as nobody
    return response


def _named(rules: str, position: str) -> Question:
    """A question of the page, which has no house rules. Raises Unsolved."""
    if rules not in rulesets.NAMES:
        raise Unsolved(Fault.RULESET)
    return solver.question(rules, position)


def _answer(request: HttpRequest, question: Question, seconds: float) -> Answer:
    """Raises Unsolved."""
    if not caps.may_solve(caps.address_of(request)):
        raise Unsolved(Fault.TOO_OFTEN)
    solver.check(question, players.known(request))
    return solver.answer(question, seconds, address=caps.address_of(request))


def _seconds(text: str) -> float:
    if not _SECONDS.fullmatch(text) or not 0 < float(text) <= solver.MOST_SECONDS:
        raise Unsolved(Fault.SECONDS)
    return float(text)


def _status(fault: Fault) -> int:
    return STATUS.get(fault, 400)


def _wait(response: HttpResponse, fault: Fault | None) -> None:
    """Say when to come back, if that helps."""
    if fault in _RETRY_S:
        response["Retry-After"] = str(_RETRY_S[fault])


# A position from the form -------------------------------------------------------------------------


def _set_up(asked: Mapping[str, str]) -> str:
    """The address that the form stands for: what its numbers say, or a new board, by the button that was pressed."""
    rules = asked.get("rules", "")
    pits, stones = _digit(asked.get("pits", ""), PITS[0]), _digit(asked.get("stones", ""), STONES[1])
    turn = "N" if asked.get("turn") == "N" else "S"
    half = pits + 1
    typed = [_count(asked[name]) for name in takewhile(asked.__contains__, (f"h{hole}" for hole in count()))]
    holes = typed if len(typed) == 2 * half else [str(stones)] * 2 * half
    do = asked["do"]
    if do == "start" or holes is not typed:
        holes = ([str(stones)] * pits + ["0"]) * 2
    elif do == "clear":
        holes = ["0"] * 2 * half
    elif do == "round":
        holes, turn = holes[half:] + holes[:half], "S" if turn == "N" else "N"
    return _address(rules, f"{','.join(holes[:half])}/{','.join(holes[half:])} {turn}")


def _digit(text: str, otherwise: int) -> int:
    return int(text) if re.fullmatch("[1-9]", text) else otherwise


def _count(text: str) -> str:
    return str(int(text)) if re.fullmatch("[0-9]{1,3}", text) else text[:4] or "0"


def _address(rules: str, position: str) -> str:
    return f"{reverse('solver')}?rules={quote(rules)}&position={quote(position, safe=',/')}"


# An answer in words -------------------------------------------------------------------------------


def _told(rules: str, position: Position, worth: Worth) -> Told:
    words = [_worth("", position.turn.letter, worth)]
    words += [gettext(PHRASES["extra"])] if worth.extra_turn else []
    words += [_say("capture", n=worth.captured)] if worth.captured else []
    return Told(worth, short(worth.low, worth.high, worth.guess), ". ".join(words), _address(rules, worth.after))


def short(low: int, high: int, guess: int) -> str:
    """A value as it stands on the board.

    >>> values = (4, 4, 4), (0, 0, 0), (-6, -6, -6), (2, 9, 3), (-9, -2, -2), (-3, 5, 1)
    >>> [short(*value).replace(_MINUS, "-") for value in values]
    ['+4', '0', '-6', '≥ +2', '≤ -2', '≈ +1']
    """
    if low == high:
        return _signed(low)
    return f"≥ {_signed(low)}" if low > 0 else f"≤ {_signed(high)}" if high < 0 else f"≈ {_signed(guess)}"


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", _MINUS) if value else "0"


def _verdict(answer: Answer) -> str:
    if answer.outcome:
        n, m = sorted(answer.outcome.score, reverse=True)
        winner = answer.outcome.winner
        return _say("over.wins", name=gettext(PHRASES[winner]), n=n, m=m) if winner else _say("over.draw", n=n)
    return _worth("best.", answer.turn or "", answer)


def _worth(kind: str, mover: str, value: Worth | Answer) -> str:
    """A value in words; `kind` is "best." for a whole position."""
    low, high, other = value.low, value.high, "N" if mover == "S" else "S"
    if low == high == 0:
        return _say(f"{kind}draw")
    if low > 0 or high < 0:
        name, n = (mover, low) if low > 0 else (other, -high)
        how = "wins" if low == high else "least"
        return _say(f"{kind}{how}", name=gettext(PHRASES[name]), n=n)
    if high - low <= _NEAR:
        return _say("open", low=_signed(low), high=_signed(high))
    return _say("about", n=_signed(value.guess))


def _say(key: str, **values: object) -> str:
    return gettext(PHRASES[key]).format(**values)


def _start_stones(position: Position) -> int:
    """With how many stones in a pit such a game began, as far as one can tell; one of those on offer."""
    return max(STONES[0], min(STONES[-1], sum(position.stones) // (2 * position.width)))
