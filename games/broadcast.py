"""What is said to sockets, once it is committed: encoded once, then the hub's affair."""

import uuid
from collections.abc import Callable, Collection
from typing import Any

from games import database, hub
from games.hub import News
from games.protocol import Outgoing
from games.topics import LOBBY, Seating

witnesses: list[Callable[[str, Outgoing], None]] = []
"""Called with a topic and what this process has announced there."""


def announce(
    topic: str,
    message: Outgoing,
    *,
    seating: Seating | None = None,
    only: Collection[uuid.UUID] | None = None,
    news: News | None = None,
) -> None:
    """Tell everybody who listens to `topic`, or of them `only` these players, once the transaction is committed.

    May be called on any thread. `seating` says who sits in a room when that has just changed; `news` is for followers.
    """
    told = {
        "topic": topic,
        "text": message.text(),
        "seating": seating and list(seating),
        "only": None if only is None else [str(player) for player in only],
        "news": news,
    }
    database.after_commit(_announce, told, message)


def _announce(told: dict[str, Any], message: Outgoing) -> None:
    hub.take_over(told)
    for witness in witnesses:
        witness(told["topic"], message)


def lobby_changed(*players: uuid.UUID | str | None) -> None:
    """Have every process read the lobby again for those who look at it, once the transaction is committed.

    `players` are those whose own games have changed; of them, those who look at the lobby are told.
    """
    told = {"topic": LOBBY, "stale": True, "players": [player for player in players if player]}
    database.after_commit(hub.take_over, told)
