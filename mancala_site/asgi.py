"""The ASGI application: pages through Django, websockets through Channels, and before them what needs neither."""

import gc
import os
from collections.abc import Mapping
from typing import Any

import django
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpResponseBadRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mancala_site.settings")
django.setup(set_prefix=False)  # before anything that imports models

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from games.routing import websocket_urlpatterns  # noqa: E402
from mancala_site.doors import OwnOrigin  # noqa: E402
from mancala_site.operations import OperatorAnswers  # noqa: E402
from mancala_site.sessions import ReadSessions  # noqa: E402
from mancala_site.static_answers import StaticAnswers  # noqa: E402


class Pages(ASGIHandler):
    """Django, for which an address that cannot be read is a 400 and no failure of ours."""

    def create_request(self, scope: Mapping[str, Any], body_file: Any) -> tuple[Any, Any]:
        """The request, or an answer in its place."""
        try:
            return super().create_request(scope, body_file)
        except SuspiciousOperation:
            return None, HttpResponseBadRequest()


sockets = ReadSessions(URLRouter(websocket_urlpatterns))  # type: ignore[arg-type]  # the stubs know only views

# A page elsewhere may not open a socket with our visitor's cookie: a foreign or missing Origin gets a 403.
application = ProtocolTypeRouter(
    {"http": OperatorAnswers(StaticAnswers(Pages())), "websocket": OwnOrigin(sockets, settings.WEBSOCKET_ORIGINS)},
)

# What is loaded by now stays: not to be looked through again whenever enough has been made.
gc.collect()
gc.freeze()
gc.enable()
gc.set_threshold(50_000, 10, 10)
