"""The lobby, rooms and who one is: parse, call, answer. Never a rule or a write of their own."""

import re
import uuid
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from msgspec import json, to_builtins

from games import actions, board_view, bots, caps, clock, history, lists, pages, players, qr, snapshot
from games.actions.handover import GOOD_MINUTES
from games.forms import CONTROLS, JoinForm, NameForm, OpenRoomForm, is_code, tidy_code
from games.models import Game, Room
from games.protocol import Refusal, Refused
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Side

_EARLIER = re.compile("[0-9]{1,4}")
"""The number of a ply in an address."""

_SORRY = {
    Refusal.SEATS_TAKEN: _("Both seats are taken. You can still watch this game."),
    Refusal.GAME_OVER: _("This game is over."),
    Refusal.STALE_PLY: _("The game has begun. To leave it, resign."),
    Refusal.NOT_SEATED: _("You are watching this game."),
}


def sign_in(request: HttpRequest) -> HttpResponse:
    """Where operators come in, and nobody tries passwords without end."""
    if request.method == "POST" and not caps.may_sign_in(caps.address_of(request)):
        return pages.too_much(request)
    return admin.site.login(request)


def of_room(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view of a room, which is found by whoever knows its code, and not by trying."""

    @wraps(view)
    def answer(request: HttpRequest, code: str, **place: int) -> HttpResponseBase:
        address = caps.address_of(request)
        if caps.is_guessing(address) and not _plays_in(code, players.known(request)):
            return pages.too_much(request, "guessing")
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


@pages.posted
def open_room(request: HttpRequest) -> HttpResponse:
    """Open a room and sit down in it, on one device on both sides; with anyone, play at once where somebody waits."""
    form = OpenRoomForm(request.POST)
    if not form.is_valid():
        return _lobby(request, open_form=form, status=400)
    if not caps.may_open_room(caps.address_of(request)):
        return pages.too_much(request, "rooms")
    choice = form.cleaned_data
    wish = {name: choice[name] for name in ("ruleset", "control", "side")}
    if choice["visibility"] == Room.Visibility.PUBLIC:
        game = actions.play_anyone(pages.player(request), **wish)
    else:
        game = actions.open_room(
            pages.player(request), **wish, shared=choice["visibility"] == form.SHARED, against=choice["against"]
        )
    if game.computer:
        bots.look_after(game.room_id)
    return redirect("room", code=game.room_id)


@pages.posted
def join(request: HttpRequest) -> HttpResponse:
    """Find a room by its code, however it was typed."""
    address = caps.address_of(request)
    if caps.is_guessing(address):
        return pages.too_much(request, "guessing")
    form = JoinForm(request.POST)
    if form.is_valid():
        code = form.cleaned_data["code"]
        if Game.objects.of_room(code).exists():
            return redirect("room", code=code)
        caps.missed(address)
        form.add_error("code", _("No game has this code. Ask your friend for the link once more."))
    return _lobby(request, join_form=form, status=400)


@pages.posted
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
    return pages.page(request, "games/games.html", known, context)


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
    return pages.page(request, "games/another_device.html", guest.id, context)


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
        return pages.page(request, "games/go_on_gone.html", known, gone, status=410 if error.is_past else 404)
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
    return pages.page(request, "games/go_on.html", known, context)


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
        "rules_name": rulesets.name_of(rules),
        "pits": rules.pits,
        "stones": rules.stones,
        "majority": "+majority" in rules.key,
        "pie": rules.pie,
        "visibility": game.room.visibility,
    }
    return render(request, "games/room.html", context)


@pages.posted
def take_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Sit down."""
    try:
        actions.take_seat(code, pages.player(request))
    except Refused as refused:
        _explain(request, refused)
    return redirect("room", code=code)


@pages.posted
def take_both(request: HttpRequest, code: str) -> HttpResponse:
    """Sit down on the other side too, to play on one device."""
    try:
        actions.take_both(code, pages.player(request))
    except Refused as refused:
        if refused.refusal is Refusal.SEATS_TAKEN:
            messages.info(request, _("Your friend has just sat down. You play with them now."))
        else:
            _explain(request, refused)
    return redirect("room", code=code)


@pages.posted
def leave_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Stand up again before the game has begun."""
    try:
        actions.leave_seat(code, pages.player(request))
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


def _lobby(request: HttpRequest, *, status: int = 200, **forms: object) -> HttpResponse:
    known = players.known(request)  # a newcomer is given an identity next, and has no games to look for
    guest = players.guest(request)
    context = {
        "player": guest.id,
        "player_name": guest.name,
        "lobby": lists.lobby_without(guest.id),
        "mine": lists.mine(known),
        "controls": [clock.by_key(key) for key in CONTROLS],
        "has_played": history.exists(known),
        "open_form": OpenRoomForm(initial={"side": "random"}),  # two who choose nothing fit each other
        "join_form": JoinForm(),
        "name_form": NameForm(initial={"name": guest.name}),
        **forms,
    }
    return pages.page(request, "games/lobby.html", known, context, status=status)


def _missing(request: HttpRequest, code: str) -> HttpResponse:
    known = players.known(request)
    context = {"player_name": players.guest(request).name, "code": code}
    return pages.page(request, "games/missing.html", known, context, status=404)


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
