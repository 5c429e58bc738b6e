"""Which pages may open a websocket: those of our own origins. Knows nothing about what is said over it."""

import logging
from typing import Any

from channels.security.websocket import OriginValidator

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
