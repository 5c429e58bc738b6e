"""The solver: its page, and the same for programs. Parse, ask, answer."""

import re

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from msgspec import json

from games import caps, players, solver
from games.solver import Answer, Fault, Unsolved

STATUS = {Fault.PLAYING: 409, Fault.ON_A_BOARD: 409, Fault.TOO_OFTEN: 429, Fault.BUSY: 503}
"""Of an answer that is none; every other fault is a 400."""
_RETRY_S = {Fault.TOO_OFTEN: 10, Fault.BUSY: 3}
_SECONDS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3})?")


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
        response = HttpResponse(body, content_type="application/json", status=STATUS.get(unsolved.fault, 400))
        _wait(response, unsolved.fault)
    response["Access-Control-Allow-Origin"] = "*"  # and no credentials: a page elsewhere asks as nobody
    return response


def _answer(request: HttpRequest, question: solver.Question, seconds: float) -> Answer:
    """Raises Unsolved."""
    if not caps.may_solve(caps.address_of(request)):
        raise Unsolved(Fault.TOO_OFTEN)
    solver.check(question, players.known(request))
    return solver.answer(question, seconds)


def _seconds(text: str) -> float:
    if not _SECONDS.fullmatch(text) or not 0 < float(text) <= solver.MOST_SECONDS:
        raise Unsolved(Fault.SECONDS)
    return float(text)


def _wait(response: HttpResponse, fault: Fault) -> None:
    """Say when to come back, if that helps."""
    if fault in _RETRY_S:
        response["Retry-After"] = str(_RETRY_S[fault])
