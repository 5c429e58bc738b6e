"""A room with a computer over a websocket: it is here, and what it sows is told as anybody's is."""

import pytest

from games import actions, bots, computers
from games.models import Game
from games.rules.position import Side
from tests.live.sockets import do

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
