"""The ASGI application: pages through Django, websockets through Channels, and before them what needs neither."""

import gc
import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mancala_site.settings")
pages = get_asgi_application()  # before anything that imports models

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import SessionMiddlewareStack  # noqa: E402
from django.conf import settings  # noqa: E402

from games.routing import websocket_urlpatterns  # noqa: E402
from mancala_site.doors import OwnOrigin  # noqa: E402
from mancala_site.operations import OperatorAnswers  # noqa: E402
from mancala_site.static_answers import StaticAnswers  # noqa: E402

sockets = SessionMiddlewareStack(URLRouter(websocket_urlpatterns))  # type: ignore[arg-type]  # the stubs know only views

# A page elsewhere may not open a socket with our visitor's cookie: a foreign or missing Origin gets a 403.
application = ProtocolTypeRouter(
    {"http": OperatorAnswers(StaticAnswers(pages)), "websocket": OwnOrigin(sockets, settings.WEBSOCKET_ORIGINS)},
)

# What is loaded by now stays: not to be looked through again whenever enough has been made.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 20, 20)
