"""Who may open a websocket or send a form: pages of our own origins. Knows nothing about what is said by them."""

import logging
from typing import Any

from channels.security.websocket import OriginValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

_log = logging.getLogger(__name__)


class OwnOrigin(OriginValidator):
    """Refuses all others with a 403 and one line that names the variable."""

    def valid_origin(self, parsed_origin: Any) -> bool:
        """Whether a page of this origin may open a socket."""
        if super().valid_origin(parsed_origin):
            return True
        origin = parsed_origin.geturl()[:200] if parsed_origin else "no origin"
        _log.warning(
            "a page of %r may not open sockets here: set PUBLIC_URL if that is how people reach the site", origin
        )
        return False


@require_safe
def stripped(request: HttpRequest, path: str) -> HttpResponse:
    """What a proxy has made a page of by dropping headers gets a 426 and one line that names the fix."""
    if "Sec-WebSocket-Key" in request.headers:  # which no proxy drops, and nobody sends who wants a page
        _log.warning(
            "a websocket came without its Upgrade header: the proxy has to pass it on, as deploy/nginx.conf does"
        )
    answer = "Here are websockets only. A proxy that leads here has to pass on the headers Upgrade and Connection.\n"
    return HttpResponse(answer, status=426, content_type="text/plain", headers={"Upgrade": "websocket"})


def refused_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """What looks forged is mostly an old page, a browser without cookies, or a site that is not set up."""
    is_from_elsewhere = "checking failed" in reason  # of the headers Origin or Referer
    return render(request, "403_csrf.html", {"is_from_elsewhere": is_from_elsewhere}, status=403)
