"""Two at a board over real websockets: they keep what a page would keep, and ask as it asks. Knows no fault."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

from tests.conftest import ServerFactory
from tests.patience import PATIENCE_S
from tests.processes import Server
from tests.reducer import Viewer

MAKE_ROOMS = """
import json
from benchmarks.prepare import _room
print(json.dumps([_room() for _ in range({number})]))
"""


def rooms(server: Server, number: int) -> list[dict[str, str]]:
    """Rooms in which two sit and nothing is sown: `code`, and the cookies of `S` and `N`."""
    done = server.manage("shell", "--verbosity=0", "--command", MAKE_ROOMS.format(number=number))
    made: list[dict[str, str]] = json.loads(done.stdout)
    return made


def end_clean(factory: ServerFactory) -> None:
    """All is over: every game is as its record says, and the servers end without complaint."""
    checked = factory.servers[0].manage("check_games", "--skip-checks")
    factory.end()
    assert checked.returncode == 0, checked.stderr


class Seat:
    """Somebody in a room. `page` is what they see; `refusals` are what they were told in vain."""

    def __init__(self, server: Server, code: str, cookie: str | None) -> None:
        self.refusals: list[str] = []
        self.presence: tuple[int, int, int] | None = None
        self.reactions: list[str] = []
        self.pongs = 0
        self._code = code
        self._cookie = cookie
        self.come_in(server)

    def come_in(self, server: Server) -> None:
        """Open a socket (again, maybe to another server), and hear the welcome."""
        address = f"ws://127.0.0.1:{server.port}/ws/v1/rooms/{self._code}/"
        headers = {"Cookie": self._cookie} if self._cookie else {}
        self.socket: ClientConnection = connect(address, origin=server.url, additional_headers=headers)
        welcome = json.loads(self.socket.recv(timeout=PATIENCE_S))
        assert welcome["type"] == "welcome", welcome
        self.page = Viewer(welcome)

    @property
    def board(self) -> tuple[str, list[int], str | None]:
        """The record, the stones and whose turn it is."""
        state = self.page.snapshot
        return state["transcript"], state["stones"], state["turn"]

    def sow(self, pit: int, *, ply: int | None = None) -> None:
        """Ask to sow, as the ply that is next here unless told otherwise."""
        state = self.page.snapshot
        self.say(type="play", game=state["game"], ply=state["ply"] if ply is None else ply, pit=pit)

    def beat(self) -> None:
        """The heartbeat of a page: whoever is behind gets the whole state."""
        state = self.page.snapshot
        self.say(type="ping", game=state["game"], version=state["version"], sent_at=0)

    def say(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def until(self, condition: Callable[[], object], what: str, within: float = PATIENCE_S) -> None:
        """Take in what comes until something is so."""
        end = time.monotonic() + within
        while not condition():
            assert time.monotonic() < end, f"not within {within} s: {what}; {self.board}, {self.refusals}"
            self.hear(0.05)

    def hear_all(self) -> None:
        """Take in whatever has come by now."""
        while self.hear(0):
            pass

    def hear(self, within: float) -> bool:
        """Take in the next message, if one comes."""
        try:
            message = json.loads(self.socket.recv(timeout=within))
        except TimeoutError:
            return False
        if message["type"] == "refused":
            self.refusals.append(message["code"])
        elif message["type"] == "presence":
            self.presence = message["south"], message["north"], message["spectators"]
        elif message["type"] == "reacted":
            self.reactions.append(message["kind"])
        elif message["type"] == "pong":
            self.pongs += 1
        self.page.hear(message)
        while self.page.sent:
            self.say(**self.page.sent.pop())
        return True

    def leave(self) -> None:
        self.socket.close()


class Table:
    """South, North and somebody who watches, each on a server, in a room of their own."""

    def __init__(self, room: dict[str, str], south: Server, north: Server | None = None) -> None:
        self.code = room["code"]
        self.south = Seat(south, self.code, room["S"])
        self.north = Seat(north or south, self.code, room["N"])
        self.watching = Seat(north or south, self.code, None)
        self.all = (self.south, self.north, self.watching)

    def see(self, record: str) -> None:
        """All see this record, and the same board."""
        for seat in self.all:
            seat.until(lambda seat=seat: seat.board[0] == record, f"{record} is seen")
        assert self.south.board == self.north.board == self.watching.board

    def still_see(self, record: str) -> None:
        """Nobody has been shown anything else."""
        for seat in self.all:
            seat.hear_all()
            assert seat.board[0] == record

    def leave(self) -> None:
        for seat in self.all:
            seat.leave()


@contextmanager
def locked(server: Server) -> Iterator[None]:
    """Another program holds the SQLite database and lets nobody write."""
    holder = sqlite3.connect(Path(server.database), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()
