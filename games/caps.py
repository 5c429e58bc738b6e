"""What one network address may take of this process: sockets, forms, rooms, codes no room has, passwords, thinking.

Generous, because a school is one address: what is held back is programs. Kept in memory and not in Redis, so that
asking costs nothing; where there are several processes, each allows as much.
"""

import functools
import ipaddress
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from games.limits import Buckets

SECONDS = 600
"""The span that rooms and codes are counted in."""

_forms = Buckets(settings.ADDRESS_FORMS / 60, settings.ADDRESS_FORMS)
_rooms = Buckets(settings.ADDRESS_ROOMS / SECONDS, settings.ADDRESS_ROOMS)
_misses = Buckets(settings.ADDRESS_MISSES / SECONDS, settings.ADDRESS_MISSES)
_sign_ins = Buckets(10 / 60, 10)
_solves = Buckets(settings.ADDRESS_SOLVES / 60, settings.ADDRESS_SOLVES)
_sockets: Counter[str] = Counter()  # touched by the loop of the sockets only


def address_of(asking: Any) -> str:
    """Where an HTTP request or the scope of a websocket comes from; of IPv6 the network. Empty if that is not known."""
    is_scope = isinstance(asking, Mapping)
    return _network((asking.get("client") or [""])[0] if is_scope else asking.META.get("REMOTE_ADDR", ""))


@functools.lru_cache(1_000)
def _network(text: str) -> str:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def may_post(address: str) -> bool:
    """Count one more form."""
    return _forms.take(address, time.monotonic())


def may_open_room(address: str) -> bool:
    """Count one more new room."""
    return _rooms.take(address, time.monotonic())


def missed(address: str) -> None:
    """Somebody there asked for a room that does not exist."""
    _misses.take(address, time.monotonic())


def is_guessing(address: str) -> bool:
    """Whether so many such codes came from there that it is shown only rooms in which it plays."""
    return _misses.is_empty(address, time.monotonic())


def may_sign_in(address: str) -> bool:
    """Count one more password that somebody tries."""
    return _sign_ins.take(address, time.monotonic())


def may_solve(address: str) -> bool:
    """Count one more position that the engine is asked about."""
    return _solves.take(address, time.monotonic())


def may_come(address: str) -> bool:
    """Count one more socket, until it is `gone`."""
    if address and _sockets[address] >= settings.ADDRESS_SOCKETS:
        return False
    _sockets[address] += 1
    return True


def gone(address: str) -> None:
    """A socket that might come has closed."""
    _sockets[address] -= 1
    if not _sockets[address]:
        del _sockets[address]
