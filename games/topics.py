"""Topics: a room, the lobby, the review of a game; and what one process knows of each that somebody listens to here."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from games import computers, presence
from games.listener import Listener, Refresh

LOBBY = "lobby"
"""The topic of the lobby; every other topic is the code of a room, or begins with it."""


def review_topic(code: str, number: int) -> str:
    """The topic of the review of a game, where nobody is told who else is there."""
    return f"{code}.{number}"


def is_room(topic: str) -> bool:
    """Whether a topic is a room."""
    return topic != LOBBY and "." not in topic


Attended = Callable[[presence.Counts], Awaitable[None]]
"""Notes who is in a room, over all processes."""


class Seating(NamedTuple):
    """Who sits in a room as of a version of its game. Of two, the later is true."""

    game: int
    version: int
    south: str | None
    north: str | None


@dataclass(slots=True)
class Topic:
    """What this process knows of a room, or of the lobby."""

    name: str
    refresh: Refresh
    attended: Attended | None = None
    noting: asyncio.Lock = field(default_factory=asyncio.Lock)
    joining: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: dict[Listener, None] = field(default_factory=dict)  # in order of arrival
    joined: bool = False
    seating: Seating | None = None
    tally: presence.Tally = field(default_factory=presence.Tally)
    told: presence.Counts | None = None
    noted: tuple[presence.Counts, tuple[object, ...]] | None = None
    """Who was last noted as here, and in which game on which seat."""
    telling: asyncio.TimerHandle | None = None
    moved: bool = False
    """Somebody has come or gone here, which other processes do not know yet."""
    refreshing: asyncio.TimerHandle | None = None
    refreshed_at: float = 0.0
    outstanding: deque[tuple[Listener, str]] = field(default_factory=deque)
    """What those who watch are still to be told, in order."""
    changed: set[str] = field(default_factory=set)
    """Players who are to be told anew what concerns them alone."""

    @property
    def is_room(self) -> bool:
        """Whether it is a room."""
        return is_room(self.name)

    def seated(self) -> tuple[str | None, str | None]:
        """The players on South's and on North's seat."""
        return self.seating[2:] if self.seating else (None, None)

    def own_counts(self) -> tuple[presence.Counts, presence.Watchers]:
        """This process's sockets in a room, by seat, and of people who watch how many and the first."""
        players = [listener.player for listener in self.listeners]
        seated = self.seated()
        south, north = (players.count(player) or int(player in computers.ALWAYS_HERE) for player in seated)
        watching = [listener for listener in self.listeners if not listener.player or listener.player not in seated]
        people = {listener.player or listener for listener in watching}
        named = (presence.Watcher(one.since, one.player, one.name) for one in watching if one.player and one.name)
        return presence.Counts(south, north, len(people)), presence.first(named)

    def seat(self, seating: Seating) -> bool:
        """Take over who sits here, unless something later is known."""
        if self.seating and self.seating[:2] > seating[:2]:
            return False
        self.seating = seating
        return True
