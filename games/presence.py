"""Who is here: sockets of each seat, and who watches, counted over all processes. Never a query.

Each process knows its own sockets. It tells the others its counts, and the first of those who watch, when they change
and every `RENEW_SECONDS`; what a process has not renewed for `FORGET_SECONDS` is forgotten, so that one killed outright
leaves no ghosts. The totals of a room also lie in the cache for whoever looks at the lobby: a hint with a time to live,
never the truth.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from django.core.cache import cache

RENEW_SECONDS = 15.0
FORGET_SECONDS = 40.0

_log = logging.getLogger(__name__)


NAMED = 20
"""So many of those who watch a room are named."""


class Counts(NamedTuple):
    """Open sockets of a room's players, and people who watch; whoever cannot be told apart counts by sockets."""

    south: int = 0
    north: int = 0
    spectators: int = 0


class Watcher(NamedTuple):
    """Somebody who watches."""

    since: float
    """When they came, in seconds since 1970."""
    id: str
    name: str


Watchers = tuple[Watcher, ...]


def first(watchers: Iterable[Watcher]) -> Watchers:
    """The first `NAMED` people of these, by arrival; with two tabs somebody is still one."""
    people: dict[str, Watcher] = {}
    for watcher in sorted(watchers):
        people.setdefault(watcher.id, watcher)
    return tuple(people.values())[:NAMED]


@dataclass(slots=True)
class Tally:
    """The counts of one room, by process."""

    _counts: dict[str, tuple[Counts, Watchers, float]] = field(default_factory=dict)

    def put(self, process: str, counts: Counts, until: float, watchers: Watchers = ()) -> None:
        """What a process has in this room, and who watches there, believed until `until` (seconds, monotonic)."""
        if any(counts):
            self._counts[process] = (counts, watchers, until)
        else:
            self._counts.pop(process, None)

    def total(self, now: float) -> Counts:
        """All that is believed at `now`; what has run out is forgotten."""
        for process in [process for process, (_, _, until) in self._counts.items() if until <= now]:
            del self._counts[process]
        return Counts(*(sum(column) for column in zip(*(c for c, _, _ in self._counts.values()), strict=True)))

    def names(self) -> tuple[str, ...]:
        """The names of the first who watch, in all processes."""
        everybody = (watcher for _, watchers, _ in self._counts.values() for watcher in watchers)
        return tuple(watcher.name for watcher in first(everybody))


def remember(totals: Mapping[str, Counts]) -> None:
    """Leave the totals of rooms where the lobby finds them. Blocks on the cache; its failure is only logged."""
    try:
        cache.set_many({_key(code): tuple(counts) for code, counts in totals.items()}, FORGET_SECONDS)
    except Exception as error:  # whatever the cache is, it is only a hint
        _log.warning("presence in %d rooms not cached: %r", len(totals), error)


def recall(codes: Iterable[str]) -> dict[str, Counts]:
    """The totals last left for these rooms, of those that have any. Blocks on the cache."""
    keys = {_key(code): code for code in codes}
    try:
        found = cache.get_many(keys)
    except Exception as error:
        _log.warning("presence not read: %r", error)
        return {}
    return {keys[key]: Counts(*counts) for key, counts in found.items()}


def is_attended(code: str) -> bool:
    """Whether any socket is known to be open in a room. No query."""
    return any(map(any, recall([code]).values()))


def _key(code: str) -> str:
    return f"presence.{code}"
