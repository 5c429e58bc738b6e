"""What every page does when something under it is missing. Nothing about mancala."""

import logging
from collections.abc import Callable

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.multipartparser import MultiPartParserError
from django.template.loader import render_to_string
from redis import RedisError

RETRY_S = 5

UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
    *("microphone", "midi", "payment", "usb"),
)
"""What of a device no page here asks for, nor lets anything in it ask for."""

_log = logging.getLogger(__name__)


class DatabaseAway:
    """A page whose database is busy, full or away, or its cache, says so, asks to come back, and is one log line."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing more where nothing is missing."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer in place of a view that met no database, or no cache where it needs one."""
        if not isinstance(exception, OperationalError | InterfaceError | RedisError):
            return None
        what = "the cache" if isinstance(exception, RedisError) else "the database"
        room = request.resolver_match.kwargs.get("code", "") if request.resolver_match else ""
        _log.error("%s %s: %s did not answer: %r", request.method, request.path, what, exception, extra={"room": room})
        return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_S)})


class ReadableForm:
    """A form that cannot be read is a 400, before Django's own middleware stumbles over it again and again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Read the form, if there is one."""
        try:
            request.POST  # noqa: B018
        except (BadRequest, SuspiciousOperation, MultiPartParserError):
            return HttpResponseBadRequest()
        except (LookupError, UnicodeError):  # a charset that is none, or reads nothing
            return HttpResponseBadRequest()
        return self._get_response(request)


class PermissionsPolicy:
    """Every page gives away what of the device it does not need."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the header."""
        response = self._get_response(request)
        response["Permissions-Policy"] = ", ".join(f"{feature}=()" for feature in UNUSED)
        return response
