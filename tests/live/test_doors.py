"""Who may open a socket, and where: paths, origins, tabs."""

import pytest
from django.conf import settings as deployed

from games import caps
from games.limits import Buckets
from tests.live.sockets import Socket, do
from tests.rooms import begin

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("path", ["/ws/v1/rooms/{code}/", "/ws/v1/rooms/{code}", "/ws/v1/rooms/{code}/?from=chat"])
async def test_a_room_is_found_with_and_without_the_last_slash(sockets, code, path):
    """B119: a redirect on the path of a socket breaks the handshake."""
    socket = await sockets.open(path.format(code=code))
    assert (await socket.hear("welcome"))["snapshot"]["room"] == code


@pytest.mark.parametrize("path", ["/ws/v1/lobby/", "/ws/v1/lobby"])
async def test_the_lobby_is_found_with_and_without_the_last_slash(sockets, path):
    socket = await sockets.open(path)
    await socket.hear("lobby")


NOWHERE = {
    "/ws/v1/rooms/zzzzzzzz/": 4404,
    "/ws/v1/rooms/zzzzzzzz": 4404,
    "/ws/v1/rooms/lobby/": 4404,
    "/ws/v1/rooms/zzzzzzzz/watch/": 4404,
    "/ws/v1/rooms/a/": 4404,
    "/ws/v1/rooms/../../etc/": 4404,
    "/ws/v1/rooms/%00/": 4404,
    "/ws/v1/rooms/": 4404,
    f"/ws/v1/rooms/{'z' * 500}/": 4404,
    "/ws/v1/nonsense/": 4404,
    "/ws/v1/": 4404,
    "/nonsense/": 4404,
    "/": 4404,
    "/ws/v0/rooms/zzzzzzzz/": 4406,
    "/ws/v2/rooms/zzzzzzzz/": 4406,
    "/ws/v2/lobby": 4406,
    "/ws/v10/lobby/": 4406,
    "/ws/lobby/": 4406,
}


@pytest.mark.parametrize(("path", "code"), NOWHERE.items())
async def test_a_path_that_is_not_served_is_accepted_and_closed_so_that_the_page_can_tell_why(sockets, path, code):
    """B125: an old page meets a server that speaks another version."""
    socket = await sockets.open(path)
    assert await socket.hear_close() == code


async def test_what_is_said_to_a_closed_door_does_not_count(sockets):
    socket = await sockets.open("/ws/v2/lobby/")
    await socket.say(type="sync")
    assert await socket.hear_close() == 4406


@pytest.mark.parametrize("origin", deployed.WEBSOCKET_ORIGINS)
async def test_the_own_origin_is_let_in(sockets, code, ann, origin):
    socket = await sockets.open(f"/ws/v1/rooms/{code}/", ann, origin=origin)
    assert (await socket.hear("welcome"))["you"] == "S"


FOREIGN = [
    "https://evil.example",
    "http://localhost.evil.example:8000",
    "http://localhost:8001",
    "https://localhost:8000",
    "http://evil.example:8000",
    "null",
    "",
    None,
]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_or_missing_origin_is_refused_even_with_the_cookie(code, ann, origin):
    """B98: another site opens a socket with the owner's cookie."""
    for path in (f"/ws/v1/rooms/{code}/", "/ws/v1/lobby/", "/ws/v2/lobby/"):
        socket = Socket(path, ann, origin=origin)
        assert await socket.is_refused()
        await socket.close()


# Tabs ---------------------------------------------------------------------------------------------


async def test_the_fourth_tab_of_a_player_closes_the_oldest(sockets, code, ann, ben):
    """B44: after an abnormal drop the seat stays taken."""
    north = await sockets.enter(code, ben)
    tabs = [await sockets.enter(code, ann) for _ in range(3)]
    await north.hear_presence(3, 1, 0)
    tabs.append(await sockets.enter(code, ann))
    assert await tabs[0].hear_close() == 4408
    await tabs[1].say(type="play", game=1, ply=0, pit=2)
    for socket in (*tabs[1:], north):
        assert (await socket.hear("sown"))["ply"] == 0
    await north.close()
    await tabs[3].hear_presence(3, 0, 0)


async def test_a_browser_that_watches_has_tabs_too_and_people_without_a_cookie_are_many(sockets, code, cleo):
    strangers = [await sockets.enter(code) for _ in range(5)]
    tabs = [await sockets.enter(code, cleo) for _ in range(4)]
    assert await tabs[0].hear_close() == 4408
    for socket in (*strangers, *tabs[1:]):
        await socket.has_heard_all()


async def test_tabs_are_counted_by_room(sockets, code, ann, ben):
    other = await do(begin, ann.player, ben.player)
    tabs = [await sockets.enter(room, ann) for room in (code, other) * 3]
    for socket in tabs:
        await socket.has_heard_all()


# Addresses ----------------------------------------------------------------------------------------


@pytest.fixture
def from_one_address(monkeypatch):
    """All sockets come from the same."""
    monkeypatch.setattr(caps, "address_of", lambda scope: "192.0.2.7")


async def test_an_address_holds_so_many_sockets_and_may_come_back_when_one_is_gone(
    from_one_address, settings, sockets, code, ann
):
    settings.ADDRESS_SOCKETS = 2
    first, second = await sockets.enter(code), await sockets.enter(code, ann)
    third = await sockets.open(f"/ws/v1/rooms/{code}/")
    assert await third.hear_close() == 4429
    await first.close()
    await third.close()
    await sockets.enter(code)
    await second.has_heard_all()


async def test_rooms_are_not_found_by_trying_and_who_plays_there_comes_in(
    from_one_address, monkeypatch, sockets, code, ann
):
    monkeypatch.setattr(caps, "_misses", Buckets(0, 3))
    for _ in range(3):
        assert await (await sockets.open("/ws/v1/rooms/zzzzzzzz/")).hear_close() == 4404
    for room in ("zzzzzzzz", code):
        assert await (await sockets.open(f"/ws/v1/rooms/{room}/")).hear_close() == 4429
    await sockets.enter(code, ann)
