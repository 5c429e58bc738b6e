"""What is counted for whoever runs the site. Numbers only: never a name, an address or a code of a room.

Every figure is of one process, from its start; processes behind one port are added up where they are read.
"""

import time
from collections import Counter as Tally

from prometheus_client import Counter, Gauge, Histogram

SOCKETS = Gauge("mancala_sockets", "Open websockets.", ["kind"], multiprocess_mode="livesum")
ROOMS = Gauge("mancala_rooms", "Rooms in which a websocket is open.", multiprocess_mode="livesum")
RECONNECTS = Counter("mancala_reconnects", "Websockets opened by a page that had lost one.", ["kind"])
CLOSED = Counter("mancala_closed", "Websockets closed by the server, by close code.", ["code"])
MOVES = Counter("mancala_moves", "Sowings recorded.")
REFUSALS = Counter("mancala_refusals", "Messages refused, by code.", ["code"])
COMMIT_SECONDS = Histogram(
    "mancala_commit_seconds",
    "From a move's arrival until it is committed.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)

_sockets_in: Tally[str] = Tally()


def moved(began: float) -> None:
    """A sowing is recorded that arrived at `began`, by time.perf_counter."""
    COMMIT_SECONDS.observe(time.perf_counter() - began)
    MOVES.inc()


def came(kind: str, room: str, *, again: bool) -> None:
    """A websocket is open; `room` is empty for one outside rooms. `again`: its page had one before."""
    SOCKETS.labels(kind).inc()
    if again:
        RECONNECTS.labels(kind).inc()
    if room:
        _sockets_in[room] += 1
        ROOMS.set(len(_sockets_in))


def went(kind: str, room: str) -> None:
    """A websocket that came is gone."""
    SOCKETS.labels(kind).dec()
    if room:
        _sockets_in[room] -= 1
        if not _sockets_in[room]:
            del _sockets_in[room]
        ROOMS.set(len(_sockets_in))
