"""What sockets are tested with: three browsers, a room in which two of them play, and quick timers."""

import pytest
from django.core.cache import cache

from games import hub
from tests.live.sockets import Sockets
from tests.rooms import Browser, begin


@pytest.fixture(autouse=True)
def _quick_timers(monkeypatch):
    monkeypatch.setattr(hub, "_PRESENCE_SECONDS", 0.01)
    monkeypatch.setattr(hub, "_REFRESH_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


@pytest.fixture
def ann(transactional_db):
    return Browser("Ann")


@pytest.fixture
def ben(transactional_db):
    return Browser("Ben")


@pytest.fixture
def cleo(transactional_db):
    return Browser("Cleo")


@pytest.fixture
def code(ann, ben):
    """The room of a private game that has just begun: Ann sits South, Ben North."""
    return begin(ann.player, ben.player)


@pytest.fixture
async def sockets(transactional_db):
    """Sockets of this test; they are closed at its end."""
    opened = Sockets()
    yield opened
    for socket in opened.all:
        await socket.close()
