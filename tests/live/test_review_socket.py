"""The review of a finished game over a websocket: what is known at once, then each ply as it is proved."""

import msgspec
import pytest

from games import actions, broadcast, reviews, thinking
from games.engine.engine import Engine
from games.models import Review
from games.protocol import Close
from tests.live.sockets import do
from tests.rooms import begin
from tests.tiny_review import MARKS, VALUES, played

pytestmark = pytest.mark.django_db(transaction=True)

KNOWN = msgspec.json.decode(msgspec.json.encode(VALUES))


@pytest.fixture
def held_back(monkeypatch):
    """The engine of this process, which does not yet think."""
    thoughts = []
    thinkers = thinking.Thinkers(1)
    monkeypatch.setattr(thinkers, "in_peace", thoughts.append)
    monkeypatch.setattr(thinking, "thinkers", lambda: thinkers)
    monkeypatch.setattr(reviews, "_asked", set())
    return thoughts


@pytest.fixture(autouse=True)
def _plain_engine(monkeypatch, tmp_path):
    engine = Engine(tmp_path, has_book=False, most_endings=0)
    monkeypatch.setattr(thinking, "engine", lambda: engine)


def place(game):
    return f"/ws/v1/reviews/{game.room_id}/{game.number}/"


async def test_each_ply_is_told_as_it_is_proved_the_last_one_first(sockets, ann, ben, cleo, held_back):
    game = await do(played, ann.player, ben.player)
    readers = [await sockets.open(place(game), browser) for browser in (ann, cleo)]
    for reader in readers:
        first = await reader.hear("review")
        assert (first["state"], first["plies"]) == ("looking", [None] * 3)
    (thought,) = held_back
    await do(thought)
    for reader in readers:
        for ply in (2, 1, 0):
            heard = await reader.hear("valued")
            assert (heard["ply"], heard["value"]) == (ply, KNOWN[ply])
        last = await reader.hear("review")
        assert (last["state"], last["marks"]) == ("done", msgspec.to_builtins(MARKS))


async def test_who_comes_later_is_told_all_at_once_and_the_engine_is_not_asked_again(sockets, ann, ben, held_back):
    game = await do(played, ann.player, ben.player)
    await do(reviews.work_out, game, thinking.engine())
    socket = await sockets.open(place(game))
    heard = await socket.hear("review")
    assert heard["state"] == "done"
    assert [known["line"] for known in heard["plies"]] == ["ba", "db", ""]
    assert held_back == []


async def test_whoever_missed_something_is_told_after_the_next_ping(sockets, ann, ben, held_back, monkeypatch):
    game = await do(played, ann.player, ben.player)
    socket = await sockets.open(place(game), ann)
    await socket.hear("review")
    monkeypatch.setattr(broadcast, "announce", lambda *args, **options: None)
    await do(held_back.pop())
    await socket.say(type="ping", game=0, version=0)
    assert (await socket.hear("review"))["state"] == "done"
    await socket.say(type="ping", game=0, version=4)
    await socket.hear("pong")


async def test_by_itself_a_thread_of_this_process_thinks(sockets, ann, ben):
    game = await do(played, ann.player, ben.player)
    socket = await sockets.open(place(game), ann)
    while (heard := await socket.hear_anything()).get("state") != "done":
        assert heard["type"] in {"review", "valued"}
    assert heard["marks"] == msgspec.to_builtins(MARKS)


async def test_a_game_that_goes_on_is_refused_and_nothing_is_worked_out(sockets, ann, ben, held_back):
    code = await do(begin, ann.player, ben.player)
    socket = await sockets.open(f"/ws/v1/reviews/{code}/1/")
    assert await socket.hear_close() == Close.NOT_OVER
    assert held_back == []
    assert not await do(Review.objects.exists)


async def test_who_plays_a_person_is_refused_and_who_begins_to_reads_no_more(sockets, ann, ben, cleo, held_back):
    game = await do(played, ann.player, ben.player)
    early = await sockets.open(place(game), ann)
    await early.hear("review")
    await do(begin, ann.player, cleo.player)
    assert await (await sockets.open(place(game), cleo)).hear_close() == Close.NOT_OVER
    await early.say(type="sync")
    assert await early.hear_close() == Close.NOT_OVER


@pytest.mark.parametrize("path", ["abcdefgh/1/", "abcdefgh/99999/", "abcdefgh/"])
async def test_there_is_no_review_of_no_game(sockets, path):
    socket = await sockets.open(f"/ws/v1/reviews/{path}")
    assert await socket.hear_close() == Close.NO_SUCH_ROOM


async def test_nothing_is_sown_or_said_there_and_nobody_counts_as_here(sockets, ann, ben, held_back):
    game = await do(played, ann.player, ben.player)
    socket = await sockets.open(place(game), ann)
    await socket.hear("review")
    await socket.say(type="react", kind="wow")
    assert (await socket.hear("refused"))["code"] == "not_seated"
    watcher = await sockets.enter(game.room_id, ben)
    await watcher.hear_presence(0, 1, 0)
    await do(actions.react, game.room_id, ann.id, kind="wow")
    await watcher.hear("reacted")
    await socket.say(type="ping", game=0, version=0)
    await socket.hear("pong")
