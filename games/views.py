"""Pages and forms: parse, call, answer. Never a rule or a write of their own."""

import logging
import re
import uuid
from collections.abc import Callable, Mapping
from functools import wraps
from urllib.parse import urlencode

from django.contrib import messages
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from msgspec import json, to_builtins

from games import actions, board_view, bots, caps, clock, history, lesson, players, qr, snapshot
from games.actions.handover import GOOD_MINUTES
from games.forms import CONTROLS, JoinForm, NameForm, OpenRoomForm, ReplayForm, is_code, tidy_code
from games.models import Game, Player, Room
from games.protocol import Refusal, Refused
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Side

_EARLIER = re.compile("[0-9]{1,4}")
"""The number of a ply in an address."""

_log = logging.getLogger(__name__)

_SORRY = {
    Refusal.SEATS_TAKEN: _("Both seats are taken. You can still watch this game."),
    Refusal.GAME_OVER: _("This game is over."),
    Refusal.STALE_PLY: _("The game has begun. To leave it, resign."),
    Refusal.NOT_SEATED: _("You are watching this game."),
}


def _posted(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A form's address. Whoever opens it, from the history or by hand, is led to where the form is."""

    @require_http_methods(["POST", "GET", "HEAD"])
    @wraps(view)
    def answer(request: HttpRequest, **place: str) -> HttpResponse:
        if request.method == "POST":
            if not caps.may_post(caps.address_of(request)):
                return _too_much(request)
            return view(request, **place)
        return HttpResponseRedirect(reverse("room" if place else "lobby", kwargs=place))

    return answer


def of_room(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view of a room, which is found by whoever knows its code, and not by trying."""

    @wraps(view)
    def answer(request: HttpRequest, code: str, **place: int) -> HttpResponseBase:
        address = caps.address_of(request)
        if caps.is_guessing(address) and not _plays_in(code, players.known(request)):
            return _too_much(request, "guessing")
        try:
            response = view(request, code=code, **place)
        except Http404:
            caps.missed(address)
            raise
        if response.status_code == 404:  # noqa: PLR2004  not found
            caps.missed(address)
        return response

    return answer


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """Start a game, join one, or watch one."""
    return _lobby(request)


@_posted
def open_room(request: HttpRequest) -> HttpResponse:
    """Open a room and sit down in it, on one device on both sides; with anyone, play at once where somebody waits."""
    form = OpenRoomForm(request.POST)
    if not form.is_valid():
        return _lobby(request, open_form=form, status=400)
    if not caps.may_open_room(caps.address_of(request)):
        return _too_much(request, "rooms")
    choice = form.cleaned_data
    wish = {name: choice[name] for name in ("ruleset", "control", "side")}
    if choice["visibility"] == Room.Visibility.PUBLIC:
        game = actions.play_anyone(_player(request), **wish)
    else:
        game = actions.open_room(
            _player(request), **wish, shared=choice["visibility"] == form.SHARED, against=choice["against"]
        )
    if game.computer:
        bots.look_after(game.room_id)
    return redirect("room", code=game.room_id)


@_posted
def join(request: HttpRequest) -> HttpResponse:
    """Find a room by its code, however it was typed."""
    address = caps.address_of(request)
    if caps.is_guessing(address):
        return _too_much(request, "guessing")
    form = JoinForm(request.POST)
    if form.is_valid():
        code = form.cleaned_data["code"]
        if Game.objects.of_room(code).exists():
            return redirect("room", code=code)
        caps.missed(address)
        form.add_error("code", _("No game has this code. Ask your friend for the link once more."))
    return _lobby(request, join_form=form, status=400)


@_posted
def rename(request: HttpRequest) -> HttpResponse:
    """Choose a name."""
    form = NameForm(request.POST)
    if not form.is_valid():
        return _lobby(request, name_form=form, status=400)
    actions.rename(players.guest(request).id, form.cleaned_data["name"])
    return HttpResponseRedirect(_own_path(request, request.POST.get("next", "/")))


@require_safe
@never_cache
def games(request: HttpRequest) -> HttpResponse:
    """The reader's finished games, page by page."""
    known = players.known(request)
    context = {"played": history.page(known, request.GET.get("page", ""))}
    return _page(request, "games/games.html", known, context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def another_device(request: HttpRequest) -> HttpResponse:
    """How to go on on another device; once posted, with a link that makes that one the same person."""
    guest = players.guest(request)
    context: dict[str, object] = {"player_name": guest.name, "minutes": GOOD_MINUTES}
    if request.method == "POST":
        query = urlencode({"key": actions.hand_over(guest)})  # in a query, which nobody here logs
        link = request.build_absolute_uri(f"{reverse('go_on')}?{query}")
        context |= {"link": link, "qr": qr.draw(link).decode()}
    return _page(request, "games/another_device.html", guest.id, context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def go_on(request: HttpRequest) -> HttpResponse:
    """Where such a link leads. Opening it asks first, as the preview of a chat opens it too; the answer uses it up."""
    known = players.known(request)
    is_answer = request.method == "POST"
    key = (request.POST if is_answer else request.GET).get("key", "")
    try:
        guest = actions.take_over(key) if is_answer else actions.handed_over(key)
    except actions.NoHandover as error:
        gone = {"is_past": error.is_past, "minutes": GOOD_MINUTES}
        return _page(request, "games/go_on_gone.html", known, gone, status=410 if error.is_past else 404)
    if is_answer:
        players.become(request, guest)
        messages.success(request, _("Hello again! Here you are %(name)s, too.") % {"name": guest.name})
        return redirect("lobby")
    has_games = known is not None and Game.objects.of_player(known).exists()
    context = {
        "guest": guest,
        "key": key,
        "is_same": guest.id == known,
        "own_name": players.guest(request).name if has_games else "",
    }
    return _page(request, "games/go_on.html", known, context)


@require_safe
@never_cache
def room(request: HttpRequest, code: str) -> HttpResponse:
    """A room: play or watch, or look at an earlier ply of the game. Opening it takes no seat."""
    tidy = tidy_code(code)
    if not is_code(tidy):
        return _missing(request, code)
    if tidy != code:
        return redirect("room", code=tidy)
    try:
        game = snapshot.current_game(code)
    except Refused:
        return _missing(request, code)
    guest = players.guest(request)
    welcome = snapshot.welcome_to(game, guest.id)
    seated = game.seat_of(guest.id) is not None
    rules = rulesets.by_key(game.ruleset)
    moment = snapshot.moment()
    page, shown = to_builtins(welcome) | {"now": moment}, board_view.worded(welcome.snapshot)
    current = shown
    board = now = board_view.board(shown, welcome.you)
    ply = request.GET.get("ply", "")
    if _EARLIER.fullmatch(ply) and int(ply) < game.ply:
        shown = snapshot.earlier(shown, int(ply))
        board = board_view.board(shown, welcome.you)
        page |= {"at": shown.ply, "record": to_builtins(snapshot.record(game))}
    context = {
        "player_name": guest.name,
        "page": page,
        "snapshot": current,
        "shown": shown,
        "you": welcome.you,
        "seated": seated,
        "both": seated and game.is_shared,
        "alone": seated and game.computer,
        "board": board,
        "now": now,
        "left": {side.letter: time.shown(side, moment) for side in Side} if (time := game.clock) else None,
        "free_seat": game.free_seat,
        "host_name": str(game.south or game.north or ""),
        "room_url": request.build_absolute_uri(request.path),
        "code_display": f"{code[:4]}-{code[4:]}",
        "rules_name": rules.key.rpartition("-")[0],
        "pits": rules.pits,
        "stones": rules.stones,
        "majority": "+majority" in rules.key,
        "pie": rules.pie,
        "visibility": game.room.visibility,
    }
    return render(request, "games/room.html", context)


@_posted
def take_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Sit down."""
    try:
        actions.take_seat(code, _player(request))
    except Refused as refused:
        _explain(request, refused)
    return redirect("room", code=code)


@_posted
def take_both(request: HttpRequest, code: str) -> HttpResponse:
    """Sit down on the other side too, to play on one device."""
    try:
        actions.take_both(code, _player(request))
    except Refused as refused:
        if refused.refusal is Refusal.SEATS_TAKEN:
            messages.info(request, _("Your friend has just sat down. You play with them now."))
        else:
            _explain(request, refused)
    return redirect("room", code=code)


@_posted
def leave_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Stand up again before the game has begun."""
    try:
        actions.leave_seat(code, _player(request))
    except Refused as refused:
        _explain(request, refused)
        return redirect("room", code=code)
    messages.info(request, _("You have left the game. Its link still works."))
    return redirect("lobby")


@require_safe
@never_cache
def state(request: HttpRequest, code: str) -> HttpResponse:
    """The snapshot of a room as JSON, for whoever cannot open a socket."""
    try:
        shape = snapshot.read(code)
    except Refused as refused:
        return JsonResponse({"refused": refused.refusal.value}, status=404)
    return HttpResponse(shape.text(), content_type="application/json")


@require_safe
@never_cache
def record_json(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The record of a game for programs."""
    return HttpResponse(json.encode(snapshot.record(_game(code, number))), content_type="application/json")


@require_safe
@never_cache
def record_text(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The record of a game for people: every ply with its board."""
    game = _game(code, number)
    seats = snapshot.seats(game)
    south, north = (seat.name if seat else "nobody" for seat in (seats.S, seats.N))
    if game.is_shared:
        south, north = f"{south} (Sun)", f"{north} (Moon)"
    winner, loser = (north, south) if game.winner == "N" else (south, north)
    endings: dict[str, str] = {
        Game.Ending.RESIGNED: f"{winner} wins, {loser} resigned",
        Game.Ending.TIMED_OUT: f"{winner} wins on time",
        Game.Ending.CLAIMED: f"{winner} wins, claimed" if game.winner else "draw, claimed",
        Game.Ending.AGREED: "draw, agreed",
        Game.Ending.ABANDONED: "nobody wins, abandoned",
    }
    rules = rulesets.by_key(game.ruleset)
    text = transcript.record(rules, game.transcript, south=south, north=north, ending=endings.get(game.ending, ""))
    if game.transcript:
        path = reverse("replay", args=[game.ruleset, game.transcript])
        text += f"\nReplay: {request.build_absolute_uri(path)}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    """A lesson for beginners."""
    steps = lesson.lesson()
    return _page(request, "games/how_to_play.html", players.known(request), _lesson(steps[0], steps=steps))


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """One ruleset in plain words, with examples of what is special about it."""
    if name not in lesson.EXAMPLES:
        raise Http404
    steps = lesson.examples(name)
    context = {**_lesson(steps[0], steps=steps), "rules": name}
    return _page(request, f"games/rules/{name}.html", players.known(request), context)


@require_safe
def sample_game(request: HttpRequest) -> HttpResponse:
    """The game printed in a rule sheet, to step through."""
    context = _replay(lesson.SAMPLE_KEY, lesson.SAMPLE_GAME)
    return _page(request, "games/sample_game.html", players.known(request), context)


@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest) -> HttpResponse:
    """Paste a record, to step through its game. Nothing is kept: the game is in the address it leads to."""
    known = players.known(request)
    if request.method != "POST":
        return _page(request, "games/paste.html", known, {"form": ReplayForm()})
    form = ReplayForm(request.POST)
    if not form.is_valid():
        return _page(request, "games/paste.html", known, {"form": form}, status=400)
    return redirect("replay", key=form.cleaned_data["ruleset"], plies=form.cleaned_data["plies"])


@require_safe
def replay(request: HttpRequest, key: str, plies: str) -> HttpResponse:
    """A game that an address holds, to step through."""
    known = players.known(request)
    form = ReplayForm.of_address(key, plies)
    if not form.is_valid():
        return _page(request, "games/paste.html", known, {"form": form}, status=404)
    if form.cleaned_data["plies"] != plies:
        return redirect("replay", key=key, plies=form.cleaned_data["plies"])
    context = {**_replay(key, plies), "key": key, "plies": plies}
    return _page(request, "games/replay.html", known, context)


def _lobby(request: HttpRequest, *, status: int = 200, **forms: object) -> HttpResponse:
    known = players.known(request)  # a newcomer is given an identity next, and has no games to look for
    guest = players.guest(request)
    context = {
        "player": guest.id,
        "player_name": guest.name,
        "lobby": snapshot.lobby_without(guest.id),
        "mine": snapshot.mine(known),
        "controls": [clock.by_key(key) for key in CONTROLS],
        "has_played": history.exists(known),
        "open_form": OpenRoomForm(initial={"side": "random"}),  # two who choose nothing fit each other
        "join_form": JoinForm(),
        "name_form": NameForm(initial={"name": guest.name}),
        **forms,
    }
    return _page(request, "games/lobby.html", known, context, status=status)


def _lesson(first: lesson.Step, **page: object) -> dict[str, object]:
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
    game = lesson.game(key, plies)
    return {**_lesson(game, game=game), "moves": lesson.moves(key, plies), "score": lesson.score(game)}


def _missing(request: HttpRequest, code: str) -> HttpResponse:
    known = players.known(request)
    context = {"player_name": players.guest(request).name, "code": code}
    return _page(request, "games/missing.html", known, context, status=404)


def _too_much(request: HttpRequest, what: str = "") -> HttpResponse:
    """An address has asked for more than one may."""
    context = {"what": what, "minutes": caps.SECONDS // 60}
    page = _page(request, "games/too_much.html", players.known(request), context, status=429)
    page["Retry-After"] = str(caps.SECONDS if what else 60)
    return page


def _page(
    request: HttpRequest, template: str, who: uuid.UUID | None, context: Mapping[str, object], *, status: int = 200
) -> HttpResponse:
    """A page beside the boards. Whoever is playing finds a way back there."""
    try:
        going_on = snapshot.going_on(who)
    except DatabaseError as error:  # a page about the rules needs no database
        _log.warning("games of a reader not read: %r", error)
        going_on = ()
    return render(request, template, {**context, "going_on": going_on}, status=status)


def _player(request: HttpRequest) -> Player:
    guest = players.guest(request)
    return actions.keep_guest(guest.id, guest.name)


def _plays_in(code: str, player: uuid.UUID | None) -> bool:
    return player is not None and is_code(code) and Game.objects.of_player(player).filter(room_id=code).exists()


def _game(code: str, number: int) -> Game:
    game = Game.objects.seated().filter(room_id=code, number=number).first()
    if game is None:
        raise Http404
    return game


def _explain(request: HttpRequest, refused: Refused) -> None:
    """Say why something was refused on the page that comes next. An unknown room's page says so itself."""
    if refused.refusal in _SORRY:
        messages.warning(request, _SORRY[refused.refusal])


def _own_path(request: HttpRequest, path: str) -> str:
    """`path` if it stays on this site; else the lobby."""
    return path if url_has_allowed_host_and_scheme(path, allowed_hosts={request.get_host()}) else "/"
