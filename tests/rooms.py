"""People, rooms and games for tests to begin with. Never an assertion."""

import uuid
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.conf import settings

from games import actions, players, snapshot
from games.actions import clocks
from games.models import Game, Player
from games.rules import ruleset as rulesets
from games.rules.position import Position, Side
from games.rules.transcript import hole

RULESETS = tuple(f"{name}-6x4" for name in rulesets.NAMES)

ROOMY = 8 * 1024
"""No message may come near the 16 KiB of the server's own limit."""

LONGEST_NAME = ("\U00010400\U0001e000\U0001e001") * 20  # 4 bytes each: a letter and the two marks it may wear


@pytest.fixture
def alice(db):
    return Player.objects.create(pk=uuid.UUID(int=1), name="Alice")


@pytest.fixture
def bob(db):
    return Player.objects.create(pk=uuid.UUID(int=2), name="Bob")


@pytest.fixture
def charlie(db):
    return Player.objects.create(pk=uuid.UUID(int=3), name="Charlie")


class Hands:
    """The time that the server believes it is, in ms since 1970: it stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000
        self.counted = 0

    def pass_by(self, *, seconds: float) -> None:
        self.now += round(seconds * 1000)
        self.counted += round(seconds * 1000)

    def be_set(self, *, seconds: float) -> None:
        """Somebody sets the clock by so much, which takes no time."""
        self.now += round(seconds * 1000)


@pytest.fixture
def hands(monkeypatch) -> Hands:
    """The server's clock, in the hands of the test."""
    clock = Hands()
    monkeypatch.setattr(snapshot, "moment", lambda: clock.now)
    monkeypatch.setattr(clocks, "steady", lambda: clock.counted)
    monkeypatch.setattr(clocks._Seen, "ahead", None)
    return clock


def open_room(
    host: Player, ruleset: str = "classic-6x4", *, side: str = "S", public: bool = False, control: str = ""
) -> str:
    """The code of a room where `host` waits."""
    return actions.open_room(host, ruleset=ruleset, control=control, side=Side(side), public=public).room_id


def begin(
    south: Player, north: Player, ruleset: str = "classic-6x4", *, public: bool = False, control: str = ""
) -> str:
    """The code of a room whose game has begun."""
    code = open_room(south, ruleset, public=public, control=control)
    actions.take_seat(code, north)
    return code


def sow(code: str, letters: str) -> None:
    """Play these plies, each by whose turn it is."""
    for symbol in letters:
        game = snapshot.current_game(code)
        actions.play(code, mover(game), game=game.number, ply=game.ply, pit=hole(symbol))


def mover(game: Game) -> uuid.UUID:
    """The player whose turn it is."""
    return game.south_id if Position.parse(game.position).turn is Side.SOUTH else game.north_id


class Browser:
    """What a browser holds: an identity in a signed cookie; and the player who uses it."""

    def __init__(self, name: str) -> None:
        session = import_module(settings.SESSION_ENGINE).SessionStore()
        self.id = players.guest(SimpleNamespace(session=session)).id
        session.save()
        self.cookie = (settings.SESSION_COOKIE_NAME, session.session_key)
        self.player = actions.keep_guest(self.id, name)
