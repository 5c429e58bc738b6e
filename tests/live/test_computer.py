"""A room with a computer over a websocket: it is here, and what it sows is told as anybody's is."""

import asyncio
import threading

import pytest

from games import actions, advice, bots, computers, thinking
from games.models import Game
from games.protocol import Advice
from games.rules.position import Side
from tests.live.sockets import do
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _at_once(settings):
    settings.COMPUTER_PACE = 0


def legal_pit(message: dict) -> int:
    """The first pit that the side to move may sow."""
    return message["legal"][0][0]


async def test_a_computer_is_here_and_replies_until_it_is_the_others_turn(sockets, ann):
    """B147: each of its sowings is a message."""
    pip = computers.of_level(1)
    game = await do(actions.open_room, ann.player, ruleset="classic-6x4", side=Side.SOUTH, against=pip)
    code = game.room_id
    bots.look_after(code)
    south = await sockets.enter(code, ann)
    assert south.first["snapshot"]["seats"]["N"] == {"id": str(pip.id), "name": "Pip", "level": 1}
    await south.hear_presence(1, 1, 0)

    heard = south.first["snapshot"]
    sown = []
    while not sown or heard["turn"] == "S":  # extra turns of the own
        await south.say(type="play", game=1, ply=len(sown), pit=legal_pit(heard))
        heard = await south.hear("sown")
        sown.append((heard["side"], heard["ply"]))
    own = len(sown)
    while heard["turn"] == "N":
        heard = await south.hear("sown")
        sown.append((heard["side"], heard["ply"]))
    assert sown == [("S" if ply < own else "N", ply) for ply in range(len(sown))]
    assert len(sown) > own
    await south.has_heard_all()
    assert len(await do(lambda: Game.objects.of_room(code).get().transcript)) == len(sown)


async def test_a_hint_is_told_to_who_asks_and_holds_up_no_ply(sockets, ann, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def answer(question):
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return Advice(game=question.game, ply=question.ply, pit=2, saves=3)

    monkeypatch.setattr(advice, "answer", answer)
    game = await do(actions.open_room, ann.player, ruleset="classic-6x4", side=Side.SOUTH, shared=True)
    south, watcher = await sockets.enter(game.room_id, ann), await sockets.enter(game.room_id)
    for socket in (south, watcher):
        await socket.hears_until("presence", south=1, north=1, spectators=1)
    await south.say(type="advise", game=1, ply=0)
    assert await asyncio.to_thread(begun.wait, 5)
    await south.say(type="play", game=1, ply=0, pit=2)
    for socket in (south, watcher):
        assert (await socket.hear("sown"))["pit"] == 2
    go_on.set()
    assert await south.hear("advice") == {"type": "advice", "game": 1, "ply": 0, "pit": 2, "saves": 3}
    await south.has_heard_all()
    await watcher.has_heard_all()


async def test_the_last_question_for_a_hint_counts(sockets, ann, monkeypatch):
    begun, go_on = threading.Semaphore(0), threading.Event()

    def answer(question):
        begun.release()
        assert go_on.wait(PATIENCE_S)
        return Advice(game=question.game, ply=question.ply, pit=1)

    monkeypatch.setattr(advice, "answer", answer)
    monkeypatch.setattr(thinking, "thinkers", lambda: two)
    two = thinking.Thinkers(2)
    game = await do(actions.open_room, ann.player, ruleset="classic-6x4", side=Side.SOUTH, shared=True)
    south = await sockets.enter(game.room_id, ann)
    await south.hears_until("presence", south=1, north=1)
    await south.say(type="advise", game=1, ply=0)
    assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE_S)
    await south.say(type="play", game=1, ply=0, pit=2)
    await south.hear("sown")
    await south.say(type="advise", game=1, ply=1)
    assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE_S)
    go_on.set()
    assert await south.hear("advice") == {"type": "advice", "game": 1, "ply": 1, "pit": 1}
    await south.has_heard_all()


async def test_a_hint_that_is_refused_says_why(sockets, ann, code):
    south = await sockets.enter(code, ann)
    await south.hear_presence(1, 0, 0)
    await south.say(type="advise", game=1, ply=0)
    assert await south.hear("refused") == {"type": "refused", "re": "advise", "code": "no_advice"}
    await south.has_heard_all()
