"""Ways past ASGI: into a websocket, for frames that are made once and sent to many, and out of it. What servers share.

ASGI takes a text at a time for each socket, which would be encoded, framed and scheduled anew for every one; and it
hands over what comes through a queue and a task.
"""

from collections.abc import Callable
from typing import Any, Protocol

OUTLET_BYTES = 65_536
"""How much may wait for the network on one websocket before its client gets a fresh state instead of all it missed."""


Hear = Callable[[bytes], bool]
"""Is given a short text before which nothing waits, and says whether it has dealt with it."""


class Outlet(Protocol):
    """What the application is offered."""

    hear: Hear | None
    """Set by the application; what it has not dealt with comes to it through ASGI."""

    @property
    def pending(self) -> int:
        """How many bytes wait here for the network; none where nobody waits for them any more."""

    @property
    def is_full(self) -> bool:
        """Whether more waits here for the network than anybody should be behind."""
        return self.pending > OUTLET_BYTES

    def write(self, frame: bytes) -> bool:
        """Send a frame now, or as soon as the network takes it, in its order; to a socket that goes away, nothing.

        False, and nothing is sent either, if it is full.
        """


def offer(scope: Any, outlet: Outlet) -> None:
    """Put an outlet into the scope of its socket, where consumers look for it."""
    scope["extensions"] = {**scope.get("extensions", {}), "mancala.outlet": outlet}


def withdraw(scope: Any) -> None:
    """The socket is gone: whoever holds its scope no longer holds the outlet, which holds the socket."""
    scope["extensions"].pop("mancala.outlet", None)
