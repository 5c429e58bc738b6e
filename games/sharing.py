"""What others ask of a link: QR code, card, a room inside their page, icons. No session, no cookie, no row."""

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import condition, require_safe
from msgspec import to_builtins

from games import board_view, card, preferences, qr, snapshot
from games.forms import ReplayForm, is_code, tidy_code
from games.protocol import Refused
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position

_TABLE = "#dfe6dc"
"""The colour around the board by day, as in tokens.css."""

_MINUTE_S, _DAY_S = 60, 24 * 60 * 60


def _game_and_version(request: HttpRequest, code: str) -> str:
    """An ETag of the board in a room. Raises Http404."""
    try:
        return '"{}.{}"'.format(*snapshot.version(code))
    except Refused as refused:
        raise Http404 from refused


@require_safe
@cache_control(public=True, max_age=_DAY_S)
def qr_code(request: HttpRequest, code: str) -> HttpResponse:
    """The link to a room as a QR code."""
    _game_and_version(request, code)  # no code for a room that is not there
    link = request.build_absolute_uri(reverse("room", args=[code]))
    return HttpResponse(qr.draw(link), content_type="image/svg+xml")


@require_safe
@cache_control(public=True, max_age=_MINUTE_S)
@condition(etag_func=_game_and_version)
def card_picture(request: HttpRequest, code: str) -> HttpResponse:
    """The board of a room as a picture for link previews, as a spectator sees it."""
    position = Position.parse(snapshot.current_game(code).position)
    return HttpResponse(card.draw(position.stones), content_type="image/jpeg")


@require_safe
@cache_control(public=True, max_age=_DAY_S)
def replay_card(request: HttpRequest, key: str, plies: str) -> HttpResponse:
    """The last board of a game that an address holds, as a picture for link previews."""
    form = ReplayForm.of_address(key, plies)
    if not form.is_valid():
        raise Http404
    key, plies = form.record
    position = transcript.position(rulesets.by_key(key), plies)
    return HttpResponse(card.draw(position.stones), content_type="image/jpeg")


@require_safe
@never_cache
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # it knows only addresses without a place
def embed(request: HttpRequest, code: str) -> HttpResponse:
    """A room as any page may show it: read only, and the same for everybody, as whose browser it is does not matter."""
    tidy = tidy_code(code)
    if is_code(tidy) and tidy != code:
        return redirect("embed", code=tidy)
    context: dict[str, object] = {"preferences": {**preferences.read(""), "keys": "0"}}
    try:
        welcome = snapshot.welcome(code, None) if is_code(code) else None
    except Refused:
        welcome = None
    if welcome is None:
        return render(request, "games/embed.html", context, status=404)
    shown = board_view.worded(welcome.snapshot)
    context |= {"page": to_builtins(welcome), "snapshot": shown, "board": board_view.board(shown, None)}
    return render(request, "games/embed.html", context)


@require_safe
@cache_control(private=True, max_age=_DAY_S)
def manifest(request: HttpRequest) -> HttpResponse:
    """The site as an app on somebody's home screen."""
    icons = (
        ("icon.svg", "any", "image/svg+xml", "any"),
        ("icon-192.png", "192x192", "image/png", "any"),
        ("icon-512.png", "512x512", "image/png", "any"),
        ("icon-maskable.svg", "any", "image/svg+xml", "maskable"),
        ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
    )
    shape = {
        "id": "/",
        "name": _("Mancala with a friend"),
        "short_name": "Mancala",
        "description": _("Play Mancala with a friend: send a link and you are both at the board."),
        "lang": get_language(),
        "start_url": reverse("lobby"),
        "scope": "/",
        "display": "standalone",
        "background_color": _TABLE,
        "theme_color": _TABLE,
        "categories": ["games"],
        "icons": [
            {"src": static(f"img/{name}"), "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in icons
        ],
    }
    return JsonResponse(shape, content_type="application/manifest+json")


@require_safe
@cache_control(public=True, max_age=_DAY_S)
def icon(request: HttpRequest, name: str) -> HttpResponseRedirect:
    """Where a browser looks for an icon that no page named."""
    return redirect(static(f"img/{name}"))
