"""What every page does when something under it is missing. Nothing about mancala."""

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

RETRY_S = 5

_log = logging.getLogger(__name__)


class DatabaseAway:
    """A page whose database is busy, full or away says so, asks to come back, and is one line in the log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing more where nothing is missing."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer in place of a view that met no database."""
        if not isinstance(exception, OperationalError | InterfaceError):
            return None
        _log.error("%s %s: the database did not answer: %r", request.method, request.path, exception)
        return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_S)})
