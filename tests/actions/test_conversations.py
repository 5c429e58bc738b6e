"""Recorded conversations: what one browser is told, and what it holds in the end.

They lie in tests/js/conversations/, one JSON object a file, for the reducers of both languages:

    about      what happens
    page       the welcome that the page was made with: you, player, snapshot
    messages   what arrives, in order
    sent       what the page has to ask for on hearing it
    you        the side on which it sits in the end
    snapshot   the state it holds in the end

They are what the server says now, and these tests fail when it says something else. To write them anew:

    WRITE_CONVERSATIONS=1 python -m pytest tests/actions/test_conversations.py
"""

import json
import os
import secrets
from pathlib import Path

import pytest
from msgspec import to_builtins

from games import actions, snapshot
from games.protocol import Presence
from games.rules.position import Side
from tests.known_games import PRINTED
from tests.reducer import Viewer, decoded
from tests.rooms import open_room, sow

FOLDER = Path(__file__).resolve().parent.parent / "js" / "conversations"
WRITE = bool(os.environ.get("WRITE_CONVERSATIONS"))

HERE = decoded(Presence(south=1, north=1, spectators=1))


class Recorder:
    """One browser in a room, and a pen."""

    def __init__(self, said, hands, people):
        self.hands = hands
        self.alice, self.bob, self.charlie = people
        self.messages = []
        self.sent = []
        self._said = said

    def open_page(self, code, player=None):
        self.code, self._player = code, player and player.pk
        self.miss_all()
        self.page = to_builtins(snapshot.welcome(code, self._player), str_keys=True)
        self.page.pop("type")
        self.hear(self.welcome())

    def welcome(self):
        return decoded(snapshot.welcome(self.code, self._player))

    def hear(self, *messages):
        self.messages += messages

    def miss_all(self):
        """Nothing announced since."""
        self._said.clear()

    def hear_all(self):
        """Everything announced since."""
        said, self._said.messages = self._said.messages, []
        self.hear(*map(decoded, said))

    def text(self, about):
        game = snapshot.current_game(self.code)
        fields = {
            "about": about,
            "page": self.page,
            "messages": self.messages,
            "sent": self.sent,
            "you": snapshot.welcome_to(game, self._player).you,
            "snapshot": decoded(snapshot.of(game)),
        }
        messages = ",\n".join(f"    {json.dumps(message)}" for message in self.messages)
        lines = (
            f'  "{name}": ' + (f"[\n{messages}\n  ]" if name == "messages" else json.dumps(value))
            for name, value in fields.items()
        )
        return "{\n" + ",\n".join(lines) + "\n}\n"


def printed_game(it):
    """A spectator watches the printed game from the moment the second player sits down"""
    it.open_page(open_room(it.alice, "both-stores-6x4"))
    actions.take_seat(it.code, it.bob)
    it.hear_all()
    it.hear(HERE)
    sow(it.code, PRINTED)
    it.hear_all()


def sat_left_and_resigned(it):
    """A player leaves the seat, sits down again, is given a friend and a name, and resigns"""
    it.open_page(open_room(it.alice, side="N"), it.alice)
    actions.leave_seat(it.code, it.alice)
    actions.take_seat(it.code, it.alice)
    actions.take_seat(it.code, it.bob)
    it.hear_all()
    sow(it.code, "c")
    actions.rename(it.alice.pk, "Ann")
    it.hear_all()
    it.hear(HERE | {"spectators": 0})
    actions.resign(it.code, it.alice.pk, game=1)
    it.hear_all()


def namesakes(it):
    """A player changes names until two in the room look alike, and back"""
    it.open_page(open_room(it.alice), it.alice)
    actions.take_seat(it.code, it.bob)
    for name in ("alice", "Bob", "\u0410lice"):
        actions.rename(it.bob.pk, name)
    it.hear_all()


def avalanche(it):
    """A player hears a game with laps, extra turns and a sweep at the end"""
    # b ends in the store; a runs on over the other side. Then North's turn, and so on to the end.
    it.open_page(open_room(it.alice, "avalanche-3x3"), it.alice)
    actions.take_seat(it.code, it.bob)
    while legal := snapshot.read(it.code).legal:
        sow(it.code, "abcdefgh"[legal[-1][0]])
    it.hear_all()


def majority(it):
    """A game stops as soon as one store holds more than half, with a stone left in a pit"""
    it.open_page(open_room(it.alice, "classic-2x1+majority"), it.bob)
    actions.take_seat(it.code, it.bob)
    sow(it.code, "ba")
    it.hear_all()


def lost_sowing(it):
    """A sowing is lost; the page asks for a fresh state and goes on from there"""
    it.open_page(open_room(it.alice), it.bob)
    actions.take_seat(it.code, it.bob)
    it.hear_all()
    sow(it.code, "cdj")
    it.hear_all()
    del it.messages[-2]
    it.sent.append({"type": "sync"})
    it.hear(it.welcome())
    sow(it.code, "m")
    it.hear_all()


def doubled(it):
    """Everything arrives twice, and an older state last"""
    it.open_page(open_room(it.alice), it.bob)
    actions.take_seat(it.code, it.bob)
    older = it.welcome(), decoded(snapshot.read(it.code))
    sow(it.code, "cd")
    it.hear_all()
    it.hear(*it.messages[1:], *older)


def late(it):
    """Somebody comes late to a game that ends in a draw, from a page that is older than the welcome"""
    it.open_page(open_room(it.alice, "classic-1x1"))
    it.messages.clear()
    actions.take_seat(it.code, it.bob)
    it.hear(it.welcome())
    it.miss_all()
    sow(it.code, "a")
    it.hear_all()


def offers(it):
    """A draw is declined, a turn taken back, the game resigned, and another begins with sides swapped"""
    it.open_page(open_room(it.alice), it.alice)
    actions.take_seat(it.code, it.bob)
    alice, bob = it.alice.pk, it.bob.pk
    sow(it.code, "ca")
    actions.offer(it.code, bob, game=1, kind="draw")
    actions.answer(it.code, alice, game=1, number=4, accept=False)
    actions.offer(it.code, alice, game=1, kind="takeback")
    it.hear_all()
    actions.answer(it.code, bob, game=1, number=6, accept=True)
    sow(it.code, "d")
    actions.offer(it.code, alice, game=1, kind="draw")
    sow(it.code, "h")
    actions.resign(it.code, alice, game=1)
    it.hear_all()
    for player in (bob, alice):
        actions.offer(it.code, player, game=1, kind="rematch")
    sow(it.code, "c")
    it.hear_all()


def swapped(it):
    """By the pie rule North takes South's side after an extra turn; what came before cannot be taken back"""
    it.open_page(open_room(it.alice, "classic-6x4+pie"), it.bob)
    actions.take_seat(it.code, it.bob)
    sow(it.code, "ca")
    actions.offer(it.code, it.alice.pk, game=1, kind="draw")
    actions.swap(it.code, it.bob.pk, game=1, ply=2)
    it.hear_all()
    sow(it.code, "jh")  # j's four stones end in North's store; Alice goes on
    actions.offer(it.code, it.alice.pk, game=1, kind="takeback")
    actions.answer(it.code, it.bob.pk, game=1, number=8, accept=True)
    actions.resign(it.code, it.bob.pk, game=1)
    it.hear_all()


def reactions(it):
    """Friendly words between sowings, from both players and a spectator"""
    it.open_page(open_room(it.alice), it.alice)
    actions.take_seat(it.code, it.bob)
    actions.react(it.code, it.bob.pk, kind="luck")
    sow(it.code, "d")
    actions.react(it.code, it.charlie.pk, kind="wow")
    actions.react(it.code, it.alice.pk, kind="thanks")
    it.hear_all()


def clocks(it):
    """A game with clocks: an extra turn, a turn taken back, a player away and back, a stopped server, a fallen flag"""
    it.open_page(open_room(it.alice, control="3+2"), it.bob)
    actions.take_seat(it.code, it.bob)
    for seconds, letter in ((40, "c"), (5, "a"), (45.5, "h")):
        it.hands.pass_by(seconds=seconds)
        sow(it.code, letter)
    for player in (it.alice, it.bob):
        actions.offer(it.code, player.pk, game=1, kind="takeback")
    actions.attend(it.code, south=False, north=True)
    it.hands.pass_by(seconds=20)
    actions.attend(it.code, south=True, north=True)
    actions.beat(it.hands.now)
    it.hands.pass_by(seconds=600)
    actions.make_up(it.hands.now)
    it.hands.pass_by(seconds=200)
    actions.fall_flags(it.hands.now)
    it.hear_all()


def shared(it):
    """Two play on one device: a player takes the other side too, and for both a turn back, a draw and another game"""
    it.open_page(open_room(it.alice, "classic-3x3"), it.alice)
    actions.take_both(it.code, it.alice)
    it.hear_all()
    it.hear(HERE | {"spectators": 0})
    alice = it.alice.pk
    sow(it.code, "abg")
    actions.offer(it.code, alice, game=1, kind="takeback")
    actions.react(it.code, alice, kind="oops")
    actions.rename(alice, "Ann")
    actions.offer(it.code, alice, game=1, kind="draw")
    actions.offer(it.code, alice, game=1, kind="rematch")
    sow(it.code, "a")
    it.hear_all()


CONVERSATIONS = {
    "printed-game": printed_game,
    "sat-left-and-resigned": sat_left_and_resigned,
    "namesakes": namesakes,
    "avalanche": avalanche,
    "majority": majority,
    "lost-sowing": lost_sowing,
    "doubled": doubled,
    "late": late,
    "offers": offers,
    "swapped": swapped,
    "reactions": reactions,
    "clocks": clocks,
    "shared": shared,
}


@pytest.fixture
def recorder(alice, bob, charlie, said, hands, monkeypatch):
    monkeypatch.setattr(secrets, "choice", lambda symbols: symbols[0])  # one code for all: the text is always the same
    return Recorder(said, hands, (alice, bob, charlie))


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_the_server_still_says_what_was_recorded(recorder, name):
    script = CONVERSATIONS[name]
    script(recorder)
    text = recorder.text(script.__doc__)
    path = FOLDER / f"{name}.json"
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.read_text() == text


def test_no_recording_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CONVERSATIONS)


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_whoever_hears_a_recorded_conversation_holds_its_last_state(name):
    recorded = json.loads((FOLDER / f"{name}.json").read_text())
    viewer = Viewer(recorded["page"])
    for message in recorded["messages"]:
        viewer.hear(message)
    assert viewer.snapshot == recorded["snapshot"]
    assert (viewer.you, viewer.sent) == (recorded["you"], recorded["sent"])


def test_every_event_is_in_some_recorded_conversation():
    recorded = [json.loads(path.read_text()) for path in FOLDER.glob("*.json")]
    kinds = {message["type"] for conversation in recorded for message in conversation["messages"]}
    named = {"welcome", "snapshot", "seated", "sown", "ended", "claimable", "offered", "renamed", "reacted", "presence"}
    assert kinds == named
    assert {side.value for side in Side} < {conversation["you"] for conversation in recorded}
