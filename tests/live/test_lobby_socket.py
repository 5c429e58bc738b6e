"""The lobby over a websocket: who waits, what is being played, and what is nobody's business."""

import pytest

from games import actions
from tests.live.sockets import do
from tests.rooms import begin, open_room, sow

pytestmark = pytest.mark.django_db(transaction=True)


async def until(lobby, condition):
    """The first lobby heard from now on for which something is so."""
    while not condition(heard := await lobby.hear("lobby")):
        pass
    return heard


async def test_an_open_room_is_listed_while_its_host_is_there(sockets, ann):
    """B75: dead rooms stay in the list."""
    lobby = await sockets.look()
    assert lobby.first == {"type": "lobby", "open": [], "playing": [], "open_total": 0, "playing_total": 0}
    code = await do(open_room, ann.player, "avalanche-6x4", side="N", public=True)
    host = await sockets.enter(code, ann)
    heard = await until(lobby, lambda heard: heard["open"])
    how = {"code": code, "ruleset": "avalanche-6x4", "control": ""}
    assert heard["open"] == [{**how, "host": "Ann", "player": str(ann.id), "seat": "S"}]
    assert heard["open_total"] == 1
    await host.close()
    await until(lobby, lambda heard: not heard["open"])


async def test_an_open_room_goes_when_it_is_taken_and_its_game_is_listed(sockets, ann, ben):
    code = await do(open_room, ann.player, public=True)
    await sockets.enter(code, ann)
    lobby = await sockets.look()
    if not lobby.first["open"]:
        await until(lobby, lambda heard: heard["open"])
    await do(actions.take_seat, code, ben.player)
    heard = await until(lobby, lambda heard: heard["playing"])
    assert heard["open"] == []
    assert [(game["code"], game["south"], game["north"], game["score"]) for game in heard["playing"]] == [
        (code, "Ann", "Ben", [0, 0])
    ]


async def test_an_open_room_goes_when_its_host_stands_up(sockets, ann):
    """B74: leaving by the page keeps the seat."""
    code = await do(open_room, ann.player, public=True)
    await sockets.enter(code, ann)
    lobby = await sockets.look()
    if not lobby.first["open"]:
        await until(lobby, lambda heard: heard["open"])
    await do(actions.leave_seat, code, ann.player)
    await until(lobby, lambda heard: not heard["open"])


async def test_a_game_is_listed_with_its_score_and_its_spectators_until_it_is_over(sockets, ann, ben):
    code = await do(begin, ann.player, ben.player, public=True)
    await sockets.enter(code, ann)
    lobby = await sockets.look()
    if not lobby.first["playing"]:
        await until(lobby, lambda heard: heard["playing"])
    watching = [await sockets.enter(code) for _ in range(2)]
    await until(lobby, lambda heard: heard["playing"][0]["spectators"] == 2)
    await do(sow, code, "c")
    heard = await until(lobby, lambda heard: heard["playing"][0]["score"] == [1, 0])
    assert heard["playing"][0]["spectators"] == 2
    await watching[0].close()
    await until(lobby, lambda heard: heard["playing"][0]["spectators"] == 1)
    await do(actions.resign, code, ann.id, game=1)
    await until(lobby, lambda heard: not heard["playing"])


async def test_a_game_goes_with_the_last_of_its_players_and_comes_back_with_the_first(sockets, ann, ben):
    code = await do(begin, ann.player, ben.player, public=True)
    lobby = await sockets.look()
    await sockets.enter(code)  # a spectator alone is no game to watch
    south, north = [await sockets.enter(code, player) for player in (ann, ben)]
    await until(lobby, lambda heard: heard["playing"])
    await south.close()
    await north.close()
    await until(lobby, lambda heard: not heard["playing"])
    await sockets.enter(code, ben)
    heard = await until(lobby, lambda heard: heard["playing"])
    assert [game["code"] for game in heard["playing"]] == [code]


async def test_a_private_room_is_never_listed(sockets, ann, ben):
    lobby = await sockets.look()
    code = await do(open_room, ann.player)
    await sockets.enter(code, ann)
    await do(actions.take_seat, code, ben.player)
    await do(sow, code, "c")
    public = await do(begin, ann.player, ben.player, public=True)
    await sockets.enter(public, ben)
    heard = await lobby.hear("lobby")
    while not heard["playing"]:
        assert (heard["open"], heard["open_total"], heard["playing_total"]) == ([], 0, 0)
        heard = await lobby.hear("lobby")
    assert [game["code"] for game in heard["playing"]] == [public]


async def test_a_new_name_is_seen_in_the_lobby(sockets, ann, ben):
    await sockets.enter(await do(begin, ann.player, ben.player, public=True), ann)
    lobby = await sockets.look()
    await do(actions.rename, ann.id, "Anna")
    await until(lobby, lambda heard: heard["playing"] and heard["playing"][0]["south"] == "Anna")


async def test_many_changes_at_once_are_told_together(sockets, ann, monkeypatch):
    monkeypatch.setattr("games.hub._REFRESH_SECONDS", 60)  # longer than this test
    lobby = await sockets.look()
    for _ in range(20):
        await do(open_room, ann.player, public=True)
    await lobby.hear("lobby")
    await lobby.say(type="ping", game=0, version=0)
    assert (await lobby.hear_anything())["type"] == "pong"


async def test_the_lobby_answers_questions_and_pings(sockets):
    lobby = await sockets.look()
    await lobby.say(type="sync")
    assert await lobby.hear("lobby") == lobby.first
    await lobby.say(type="ping", game=0, version=0, sent_at=7)
    assert (await lobby.hear("pong"))["sent_at"] == 7


@pytest.mark.parametrize("message", [{"type": "play", "game": 1, "ply": 0, "pit": 2}, {"type": "resign", "game": 1}])
async def test_nobody_plays_in_the_lobby(sockets, code, ann, message):
    lobby = await sockets.look(ann)
    await lobby.say(**message)
    assert await lobby.hear("refused") == {"type": "refused", "re": message["type"], "code": "not_seated"}


async def test_many_may_look_at_the_lobby_in_as_many_tabs_as_they_like(sockets, ann):
    tabs = [await sockets.look(ann) for _ in range(5)]
    for tab in tabs:
        await tab.say(type="sync")
        await tab.hear("lobby")
        await tab.hear("mine")


async def test_a_socket_for_a_room_called_like_the_lobby_does_not_deafen_the_lobby(sockets, ann):
    """No code has the letters l and o; but a path may, and the door of such a room may be open for a while."""
    strange = await sockets.open("/ws/v1/rooms/lobby/")
    lobby = await sockets.look()
    assert await strange.hear_close() == 4404
    code = await do(open_room, ann.player, public=True)
    await sockets.enter(code, ann)
    await until(lobby, lambda heard: heard["open"])


# The own games ------------------------------------------------------------------------------------


async def own_games(lobby, condition):
    """The first own games heard from now on for which something is so."""
    while True:
        heard = await lobby.hear_anything()
        if heard["type"] == "mine" and condition(heard["games"]):
            return heard["games"]


async def test_a_stranger_without_an_identity_is_told_of_no_own_games(sockets):
    lobby = await sockets.look()
    await lobby.say(type="sync")
    await lobby.hear("lobby")
    await lobby.say(type="ping", game=0, version=0)
    await lobby.hear("pong")


async def test_the_own_games_follow_what_happens_in_them(sockets, ann, ben):
    lobby = await sockets.look(ann)
    code = await do(open_room, ann.player)
    (game,) = await own_games(lobby, lambda games: games)
    how = {"code": code, "ruleset": "classic-6x4", "control": "", "claim": False}
    waiting = {**how, "you": "S", "opponent": None, "score": [0, 0], "turn": None}
    assert game == waiting
    await do(actions.take_seat, code, ben.player)
    assert await own_games(lobby, lambda games: games[0]["turn"]) == [waiting | {"opponent": "Ben", "turn": "S"}]
    await do(sow, code, "cd")
    (game,) = await own_games(lobby, lambda games: games[0]["turn"] == "N")
    assert game["score"] == [2, 0]
    await do(actions.rename, ben.id, "Benno")
    await own_games(lobby, lambda games: games[0]["opponent"] == "Benno")
    await do(actions.resign, code, ben.id, game=1)
    await own_games(lobby, lambda games: not games)


async def test_a_room_that_was_left_is_no_longer_an_own_game(sockets, ann):
    code = await do(open_room, ann.player)
    lobby = await sockets.look(ann)
    await do(actions.leave_seat, code, ann.player)
    await own_games(lobby, lambda games: not games)


async def test_what_happens_in_the_games_of_others_is_told_to_nobody_as_their_own(sockets, ann, ben, cleo):
    code = await do(begin, ann.player, ben.player)
    lobby = await sockets.look(cleo)
    await do(sow, code, "c")
    await lobby.hear("lobby")
    await lobby.say(type="ping", game=0, version=0)
    await lobby.hear("pong")
