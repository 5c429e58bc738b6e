"""What the edges that show pages share: forms, pages beside the boards, and who asks. Never a page of its own."""

import logging
import uuid
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import actions, caps, lists, players
from games.models import Player

_FORMS = {"code": "room", "number": "puzzle"}
"""The page with the form, by what its address names."""

_log = logging.getLogger(__name__)


def posted(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A form's address. Whoever opens it, from the history or by hand, is led to where the form is."""

    @require_http_methods(["POST", "GET", "HEAD"])
    @wraps(view)
    def answer(request: HttpRequest, **place: Any) -> HttpResponse:
        if request.method == "POST":
            if not caps.may_post(caps.address_of(request)):
                return too_much(request)
            return view(request, **place)
        return HttpResponseRedirect(reverse(next((_FORMS[key] for key in place), "lobby"), kwargs=place))

    return answer


def too_much(request: HttpRequest, what: str = "") -> HttpResponse:
    """An address has asked for more than one may."""
    context = {"what": what, "minutes": caps.SECONDS // 60}
    answer = page(request, "games/too_much.html", players.known(request), context, status=429)
    answer["Retry-After"] = str(caps.SECONDS if what else 60)
    return answer


def page(
    request: HttpRequest, template: str, who: uuid.UUID | None, context: Mapping[str, object], *, status: int = 200
) -> HttpResponse:
    """A page beside the boards. Whoever is playing finds a way back there."""
    try:
        going_on = lists.going_on(who)
    except DatabaseError as error:  # a page about the rules needs no database
        _log.warning("games of a reader not read: %r", error)
        going_on = ()
    return render(request, template, {**context, "going_on": going_on}, status=status)


def player(request: HttpRequest) -> Player:
    """Who asks, as a row."""
    guest = players.guest(request)
    return actions.keep_guest(guest.id, guest.name)
