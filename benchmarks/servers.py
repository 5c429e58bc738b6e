"""Every server that can be put under load: how to start it and what it speaks. Starts nothing itself."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PEERS = PROJECT / "benchmarks" / "peers"

Command = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Server:
    """A server as relay.py starts it, in the folder of the project.

    In commands and `environment`, `{port}` is the port to listen on and `{folder}` a folder of this run's own, in which
    there are prepared rooms; a command with `{ready}` writes that file when the load may begin.
    """

    name: str
    adapter: str
    """What it speaks, one of load/adapters/."""
    command: Command
    environment: dict[str, str] = field(default_factory=dict)
    """REDIS_URL is added where it uses Redis."""
    processes: int = 1
    """How many times `command` runs, each on a port of its own; the viewers of a room are spread over them."""
    beside: tuple[Command, ...] = ()
    """What else belongs to it and listens on no port."""
    redis: bool = False
    postgresql: bool = False
    """Whether games are kept there; DATABASE_URL is added."""
    packages: Path | None = None
    """A folder with a package.json, whose packages are installed there first."""
    is_ours: bool = False


PYTHON = (sys.executable, "-m")
NODE = str(PROJECT / "tools" / "node")
OURS = {
    "HOST": "127.0.0.1",
    "PORT": "{port}",
    "DATA_DIR": "{folder}",
    "DJANGO_SETTINGS_MODULE": "mancala_site.settings",
    # Load plays thousands of moves a second from one address: the limits stay in force, but out of reach.
    "SOCKET_RATE": "1000000",
    **dict.fromkeys(
        ("ADDRESS_SOCKETS", "ADDRESS_FORMS", "ADDRESS_ROOMS", "ADDRESS_MISSES", "ADDRESS_SOLVES"), "1000000"
    ),
    "SOCKET_BURST": "1000000",
}
DAPHNE = (*PYTHON, "mancala_site.serve")
ON_UVICORN = (
    *("--host", "127.0.0.1", "--port", "{port}"),
    *("--http", "mancala_site.uvicorn_socket:Entrance", "--ws", "mancala_site.uvicorn_socket:Socket"),
    *("--ws-per-message-deflate", "false", "--ws-max-size", "16384"),
    *("--loop", "uvloop", "--lifespan", "off", "--no-access-log", "--log-level", "warning"),
)
UVICORN = (*PYTHON, "uvicorn", "mancala_site.asgi:application", *ON_UVICORN)
BARE_UVICORN = (*PYTHON, "uvicorn", "benchmarks.peers.uvicorn_bare.application:application", *ON_UVICORN)
THINKING = (*PYTHON, "benchmarks.thinking", "{port}", "{ready}")
SWEEP = (sys.executable, "manage.py", "sweep")  # `serve` does it in a thread
BARE_CHANNELS = (
    *(*PYTHON, "daphne", "--verbosity", "0", "--bind", "127.0.0.1", "--port", "{port}"),
    "benchmarks.peers.channels_bare.application:application",
)


def _node_peer(name: str, folder: str, adapter: str, *options: str) -> Server:
    command = (NODE, str(PEERS / folder / "server.mjs"), "{port}", *options)
    return Server(name, adapter, command, {"NODE_ENV": "production"}, packages=PEERS / folder)


SERVERS = {
    server.name: server
    for server in (
        Server("daphne", "mancala", DAPHNE, OURS, redis=True, is_ours=True),
        Server("uvicorn", "mancala", UVICORN, OURS, beside=(SWEEP,), redis=True, is_ours=True),
        Server("daphne-2", "mancala", DAPHNE, OURS, processes=2, redis=True, is_ours=True),
        Server("uvicorn-2", "mancala", UVICORN, OURS, processes=2, beside=(SWEEP,), redis=True, is_ours=True),
        Server("daphne-thinking", "mancala", DAPHNE, OURS, beside=(THINKING,), redis=True, is_ours=True),
        Server("daphne-postgresql", "mancala", DAPHNE, OURS, redis=True, postgresql=True, is_ours=True),
        Server("daphne-alone", "mancala", DAPHNE, OURS, is_ours=True),
        _node_peer("boardgame.io", "boardgame_io", "boardgame_io"),
        _node_peer("boardgame.io-files", "boardgame_io", "boardgame_io", "{folder}/games"),
        _node_peer("colyseus", "colyseus", "colyseus"),
        Server("channels", "bare", BARE_CHANNELS, {"DATA_DIR": "{folder}"}, redis=True),
        _node_peer("ws", "ws_bare", "bare"),
        Server("uvicorn-bare", "bare", BARE_UVICORN),
    )
}
