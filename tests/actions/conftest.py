"""What actions are tested with: three people, a game that has begun, and an ear for what is announced."""

import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest

from games import broadcast, snapshot
from games.protocol import Outgoing
from games.topics import Seating
from tests import rooms
from tests.rooms import begin

alice, bob, charlie, hands = rooms.alice, rooms.bob, rooms.charlie, rooms.hands


@dataclass
class Said:
    """What was announced, in order; whether the lobby was said to have changed, and whose own games."""

    messages: list[Outgoing] = field(default_factory=list)
    rooms: list[str] = field(default_factory=list)
    seatings: list[Seating] = field(default_factory=list)
    only: list[list[uuid.UUID] | None] = field(default_factory=list)
    news: list[dict[str, Any] | None] = field(default_factory=list)
    lobby: int = 0
    concerned: set[str] = field(default_factory=set)

    def clear(self) -> None:
        self.__init__()

    def __bool__(self) -> bool:
        return bool(self.messages or self.lobby)


@pytest.fixture
def said(monkeypatch):
    heard = Said()

    def announce(topic, message, *, seating=None, only=None, news=None):
        heard.news.append(news)
        heard.rooms.append(topic)
        heard.only.append(only)
        heard.messages.append(message)
        if seating:
            heard.seatings.append(seating)

    def lobby_changed(*players):
        heard.lobby += 1
        heard.concerned |= {str(player) for player in players if player}

    monkeypatch.setattr(broadcast, "announce", announce)
    monkeypatch.setattr(broadcast, "lobby_changed", lobby_changed)
    return heard


@pytest.fixture
def code(alice, bob, said):
    """The room of a game that has just begun: Alice sits South, Bob North."""
    room = begin(alice, bob)
    said.clear()
    return room


@pytest.fixture
def meanwhile(monkeypatch):
    """Let something happen between the read and the write of the next action, once."""
    read = snapshot.current_game

    def arrange(happens):
        def stale(code, **options):
            monkeypatch.setattr(snapshot, "current_game", read)
            game = read(code, **options)
            happens()
            return game

        monkeypatch.setattr(snapshot, "current_game", stale)

    return arrange
