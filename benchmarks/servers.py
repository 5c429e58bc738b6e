"""Every server that can be put under load: how to start it and what it speaks. Starts nothing itself."""

import sys
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Server:
    """A server as relay.py starts it, in the folder of the project.

    In `command` and `environment`, `{port}` is the port to listen on and `{folder}` a folder with prepared rooms.
    """

    name: str
    adapter: str
    """What it speaks, one of load/adapters.mjs."""
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    """REDIS_URL is added where it uses Redis."""
    redis: bool = False
    beside: str = ""
    """The name of the peer it is compared with."""


OURS = (sys.executable, "-m", "mancala_site.serve")
OURS_ENVIRONMENT = {
    "HOST": "127.0.0.1",
    "PORT": "{port}",
    "DATA_DIR": "{folder}",
    # Load plays hundreds of moves a second through one socket: the limits stay in force, but out of reach.
    "SOCKET_RATE": "1000000",
    **dict.fromkeys(("ADDRESS_SOCKETS", "ADDRESS_FORMS", "ADDRESS_ROOMS", "ADDRESS_MISSES"), "1000000"),
    "SOCKET_BURST": "1000000",
}
BARE_CHANNELS = (
    *(sys.executable, "-m", "daphne", "--verbosity", "0", "--bind", "127.0.0.1", "--port", "{port}"),
    "benchmarks.peers.channels_bare.application:application",
)
SERVERS = {
    server.name: server
    for server in (
        Server("ours", "mancala", OURS, OURS_ENVIRONMENT, beside="bare-channels"),
        Server("bare-channels", "bare", BARE_CHANNELS),
        Server("ours-redis", "mancala", OURS, OURS_ENVIRONMENT, redis=True, beside="bare-channels-redis"),
        Server("bare-channels-redis", "bare", BARE_CHANNELS, redis=True),
    )
}
