"""The pages that teach: the lesson, the rules, puzzles, whole games to step through. Never a rule of their own."""

import logging
import uuid

from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from msgspec import to_builtins

from games import actions, board_view, lesson, pages, players
from games.forms import ReplayForm
from games.models import Solved
from games.puzzles import PUZZLES, Puzzle
from games.rules import ruleset as rulesets

_log = logging.getLogger(__name__)


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    """A lesson for beginners."""
    steps = lesson.lesson()
    return pages.page(request, "games/how_to_play.html", players.known(request), _lesson(steps[0], steps=steps))


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """One ruleset in plain words, with examples of what is special about it."""
    if name not in lesson.EXAMPLES:
        raise Http404
    steps = lesson.examples(name)
    context = {**_lesson(steps[0], steps=steps), "rules": name}
    return pages.page(request, f"games/rules/{name}.html", players.known(request), context)


@require_safe
def sample_game(request: HttpRequest) -> HttpResponse:
    """The game printed in a rule sheet, to step through."""
    context = _replay(lesson.SAMPLE_KEY, lesson.SAMPLE_GAME)
    return pages.page(request, "games/sample_game.html", players.known(request), context)


@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest) -> HttpResponse:
    """Paste a record, to step through its game. Nothing is kept: the game is in the address it leads to."""
    known = players.known(request)
    if request.method != "POST":
        return pages.page(request, "games/paste.html", known, {"form": ReplayForm()})
    form = ReplayForm(request.POST)
    if not form.is_valid():
        return pages.page(request, "games/paste.html", known, {"form": form}, status=400)
    return redirect("replay", *form.record)


@require_safe
def replay(request: HttpRequest, key: str, plies: str) -> HttpResponse:
    """A game that an address holds, to step through."""
    known = players.known(request)
    form = ReplayForm.of_address(key, plies)
    if not form.is_valid():
        return pages.page(request, "games/paste.html", known, {"form": form}, status=404)
    if form.record != (key, plies):
        return redirect("replay", *form.record)
    context = {**_replay(key, plies), "key": key, "plies": plies}
    return pages.page(request, "games/replay.html", known, context)


@require_safe
@never_cache
def puzzles(request: HttpRequest) -> HttpResponse:
    """All puzzles, and which of them the reader has solved."""
    known = players.known(request)
    return pages.page(request, "games/puzzles.html", known, {**_progress(known), "rulesets": rulesets.NAMES})


@require_safe
@never_cache
def puzzle(request: HttpRequest, number: int) -> HttpResponse:
    """A puzzle to solve."""
    known = players.known(request)
    this = lesson.task(_puzzle(number))
    context = {
        **_lesson(this, puzzle=this),
        **_progress(known),
        "puzzle": _puzzle(number),
        "number": number,
        "following": number + 1 if number < len(PUZZLES) else None,
    }
    return pages.page(request, "games/puzzle.html", known, context)


@pages.posted
def solve(request: HttpRequest, number: int) -> HttpResponse:
    """Keep that a puzzle is solved. Its page says so already."""
    actions.solve(pages.player(request), _puzzle(number).name)
    return HttpResponse(status=204)


def _puzzle(number: int) -> Puzzle:
    """The puzzle of this number, counted from 1; raises Http404."""
    if not 1 <= number <= len(PUZZLES):
        raise Http404
    return PUZZLES[number - 1]


def _progress(known: uuid.UUID | None) -> dict[str, object]:
    try:
        solved = Solved.objects.names_of(known)
    except DatabaseError as error:  # to think about a puzzle needs no database
        _log.warning("puzzles of a reader not read: %r", error)
        solved = frozenset()
    count = sum(puzzle.name in solved for puzzle in PUZZLES)
    return {"puzzles": PUZZLES, "solved": solved, "count": count}


def _lesson(first: lesson.Step | lesson.Task, **page: object) -> dict[str, object]:
    """What a page that teaches needs: the board of its first step, and `page` for its script."""
    welcome = first.welcome
    return {
        "snapshot": welcome.snapshot,
        "you": welcome.you,
        "board": board_view.board(welcome.snapshot, welcome.you),
        "page": to_builtins(page),
        "rulesets": rulesets.NAMES,
    }


def _replay(key: str, plies: str) -> dict[str, object]:
    """What a page needs that steps through a game."""
    game, rules = lesson.game(key, plies), lesson.studied(rulesets.by_key(key))
    return {**_lesson(game, game=game, rules=rules), "moves": lesson.moves(key, plies), "score": lesson.score(game)}
