"""A room over websockets: two players and whoever watches, join order, lost and repeated messages."""

import asyncio
from unittest.mock import ANY

import pytest
from django.conf import settings
from django.db import OperationalError

from games import actions, broadcast, snapshot, storage
from games.actions import row
from games.models import Game, Room
from games.protocol import Claims, Close
from games.sockets import NowhereConsumer
from mancala_site import serve
from tests.known_games import PRINTED
from tests.live.sockets import do
from tests.patience import PATIENCE_S
from tests.reducer import Viewer
from tests.rooms import begin, open_room, sow

pytestmark = pytest.mark.django_db(transaction=True)

on_sqlite = pytest.mark.skipif(
    "sqlite3" not in settings.DATABASES["default"]["ENGINE"], reason="on PostgreSQL threads write"
)


@pytest.fixture
async def three(sockets, code, ann, ben):
    """South, North and a spectator, who all know that they are here."""
    heard = [await sockets.enter(code, browser) for browser in (ann, ben, None)]
    for socket in heard:
        await socket.hear_presence(1, 1, 1)
    return heard


# Coming and going ---------------------------------------------------------------------------------


async def test_each_is_welcomed_as_who_they_are(sockets, code, ann, ben, cleo):
    south, north, known, unknown = [await sockets.enter(code, browser) for browser in (ann, ben, cleo, None)]
    assert [socket.first["you"] for socket in (south, north, known, unknown)] == ["S", "N", None, None]
    assert [socket.first["player"] for socket in (south, known, unknown)] == [str(ann.id), str(cleo.id), None]
    states = [socket.first["snapshot"] for socket in (south, north, known, unknown)]
    assert states == [states[0]] * 4
    assert (states[0]["status"], states[0]["turn"], states[0]["room"]) == ("playing", "S", code)


async def test_on_somebody_elses_page_a_player_only_watches(sockets, code, ann, ben):
    south = await sockets.enter(code, ann)
    await south.hear_presence(1, 0, 0)
    embedded = await sockets.open(f"/ws/v1/rooms/{code}/watch/", ann)
    welcome = await embedded.hear("welcome")
    assert (welcome["you"], welcome["player"], welcome["snapshot"]["turn"]) == (None, None, "S")
    await south.hear_presence(1, 0, 1)
    for asked in ({"type": "play", "game": 1, "ply": 0, "pit": 0}, {"type": "react", "kind": "hello"}):
        await embedded.say(**asked)
        assert (await embedded.hear("refused"))["code"] == "not_seated"


async def test_everybody_is_told_who_is_here(sockets, code, ann, ben):
    south = await sockets.enter(code, ann)
    await south.hear_presence(1, 0, 0)
    north = await sockets.enter(code, ben)
    spectator = await sockets.enter(code)
    for socket in (south, north, spectator):
        await socket.hear_presence(1, 1, 1)
    await north.close()
    for socket in (south, spectator):
        await socket.hear_presence(1, 0, 1)


async def test_a_second_tab_counts_too_and_closing_it_leaves_its_player_here(sockets, code, ann, ben):
    """B57: a present player told to have left."""
    south, again = await sockets.enter(code, ann), await sockets.enter(code, ann)
    north = await sockets.enter(code, ben)
    await north.hear_presence(2, 1, 0)
    await again.close()
    await north.hear_presence(1, 1, 0)
    await south.has_heard_all()


@pytest.fixture
def timed(ann, ben):
    """The room of a game with clocks that has just begun."""
    return begin(ann.player, ben.player, control="5+3")


async def test_in_a_game_with_clocks_a_player_who_goes_is_away_and_who_comes_back_is_not(sockets, timed, ann, ben):
    """B57: as long as any tab is open nobody is away."""
    code = timed
    south, north = await sockets.enter(code, ann), await sockets.enter(code, ben)
    again = await sockets.enter(code, ben)
    await south.hears_until("presence", north=2)
    await again.close()
    await south.hears_until("presence", north=1)
    assert (await do(snapshot.read, code)).claims == Claims()
    await north.close()
    gone = await south.hears_until("claimable", claims={"S": ANY, "N": None})
    assert gone["claims"]["S"] > 0
    await south.say(type="claim", game=1, win=True)
    assert (await south.hears_until("refused"))["code"] == "no_claim"
    await sockets.enter(code, ben)
    await south.hears_until("claimable", claims={"S": None, "N": None})


async def test_who_is_not_there_as_the_game_begins_is_away(sockets, ann, ben):
    """Sat down, and the page never opened."""
    code = await do(open_room, ann.player, control="5+3")
    south = await sockets.enter(code, ann)
    await south.hear_presence(1, 0, 0)
    await do(actions.take_seat, code, ben.player)
    await south.hears_until("claimable", claims={"S": ANY, "N": None})


async def test_who_is_not_there_as_another_game_begins_is_away(sockets, ann, ben):
    """After a swap of sides everybody keeps the own one."""
    code = await do(begin, ann.player, ben.player, "classic-6x4+pie", control="5+3")
    await do(sow, code, "d")
    await do(actions.swap, code, ben.player.pk, game=1, ply=1)
    await do(actions.resign, code, ben.player.pk, game=1)
    await do(actions.offer, code, ben.player.pk, game=1, kind="rematch")
    north = await sockets.enter(code, ann)
    await north.hear_presence(0, 1, 0)
    await do(actions.offer, code, ann.player.pk, game=1, kind="rematch")
    await north.hears_until("claimable", game=2, claims={"S": None, "N": ANY})


async def test_a_socket_torn_down_without_a_word_is_no_longer_counted(sockets, code, ann, ben):
    """B61: the server knew that somebody was gone and told the others minutes later."""
    # A line that died silently is torn down then; Daphne looks every 2 s.
    assert settings.PING_SECONDS + serve.ANSWER_S < 12
    south, north = await sockets.enter(code, ann), await sockets.enter(code, ben)
    await south.hear_presence(1, 1, 0)
    north.tear_down()
    await south.hear_presence(1, 0, 0)


async def test_whoever_sits_down_is_seen_by_those_who_are_here(sockets, ann, ben):
    code = await do(open_room, ann.player)
    south, guest = await sockets.enter(code, ann), await sockets.enter(code, ben)
    await south.hear_presence(1, 0, 1)
    await do(actions.take_seat, code, ben.player)
    for socket in (south, guest):
        seated = await socket.hear("seated")
        assert (seated["side"], seated["player"], seated["status"], seated["turn"]) == (
            "N",
            {"id": str(ben.id), "name": "Ben"},
            "playing",
            "S",
        )
        await socket.hear_presence(1, 1, 0)


async def test_opening_the_own_invitation_is_still_waiting(sockets, ann):
    """B66: a player accepts the own link and plays both sides."""
    code = await do(open_room, ann.player)
    here, there = await sockets.enter(code, ann), await sockets.enter(code, ann)
    for socket in (here, there):
        assert (socket.first["you"], socket.first["snapshot"]["status"]) == ("S", "open")
        await socket.hear_presence(2, 0, 0)
        await socket.say(type="play", game=1, ply=0, pit=2)
        assert (await socket.hear("refused"))["code"] == "not_started"


async def test_whoever_waits_and_leaves_is_seen_to_leave(sockets, ann):
    """B88: viewers stuck when nobody is left; the seat is theirs to take."""
    code = await do(open_room, ann.player)
    spectator = await sockets.enter(code)
    await do(actions.leave_seat, code, ann.player)
    assert (await spectator.hear("seated"))["player"] is None
    welcome = await spectator.has_heard_all()
    assert (welcome["snapshot"]["status"], welcome["snapshot"]["seats"]) == ("open", {"S": None, "N": None})


async def test_a_new_name_is_told_to_everybody(three, ann):
    await do(actions.rename, ann.id, "Anna")
    for socket in three:
        assert (await socket.hear("renamed"))["player"] == {"id": str(ann.id), "name": "Anna"}


# Playing ------------------------------------------------------------------------------------------


async def test_a_sowing_is_heard_by_everybody_alike(three):
    south, _, _ = three
    await south.say(type="play", game=1, ply=0, pit=2)
    heard = [await socket.hear("sown") for socket in three]
    assert heard == [heard[0]] * 3
    assert heard[0]["stones"] == [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]
    assert (heard[0]["ply"], heard[0]["version"], heard[0]["turn"], heard[0]["extra_turn"]) == (0, 2, "S", True)


async def test_the_printed_game_is_played_by_two_and_watched_by_a_third(sockets, ann, ben):
    code = await do(begin, ann.player, ben.player, "both-stores-6x4")
    south, north, spectator = [await sockets.enter(code, browser) for browser in (ann, ben, None)]
    viewers = [Viewer(socket.first) for socket in (south, north, spectator)]
    for ply, letter in enumerate(PRINTED):
        mover = south if letter in "abcdef" else north
        await mover.say(type="play", game=1, ply=ply, pit="abcdefghijklmn".index(letter))
        for socket, viewer in zip((south, north, spectator), viewers, strict=True):
            viewer.hear(await socket.hear("sown"))
    fresh = await spectator.has_heard_all()
    for viewer in viewers:
        assert viewer.snapshot == fresh["snapshot"]
    assert fresh["snapshot"]["transcript"] == PRINTED
    assert fresh["snapshot"]["outcome"] == {"winner": "S", "score": [25, 23], "ending": "played_out"}


async def test_a_resignation_is_heard_by_everybody(three):
    _, north, _ = three
    await north.say(type="resign", game=1)
    for socket in three:
        assert (await socket.hear("ended"))["outcome"] == {"winner": "S", "score": [0, 0], "ending": "resigned"}


async def test_after_the_end_nothing_counts_any_more(three):
    south, north, _ = three
    await south.say(type="resign", game=1)
    for socket in three:
        await socket.hear("ended")
    for socket in (south, north):
        for message in ({"type": "play", "game": 1, "ply": 0, "pit": 2}, {"type": "resign", "game": 1}):
            await socket.say(**message)
            assert await socket.hear("refused") == {"type": "refused", "re": message["type"], "code": "game_over"}
            assert (await socket.hear("snapshot"))["outcome"]["winner"] == "N"
    await three[2].has_heard_all()


@on_sqlite
@pytest.mark.parametrize("is_kept", [False, True], ids=["the row is not kept", "somebody else was quicker"])
async def test_a_ply_that_cannot_be_written_by_the_row_that_is_kept_is_written_by_the_row_as_it_is(
    three, code, monkeypatch, is_kept
):
    south, _, watching = three
    await south.say(type="play", game=1, ply=0, pit=2)
    await watching.hear("sown")
    async with asyncio.timeout(PATIENCE_S):
        while not (storage.ledger() and code in row._kept):
            await asyncio.sleep(0)
    if is_kept:  # as another process would have left it
        await do(lambda: Game.objects.filter(room=code).update(version=7))
    else:
        row._kept.clear()
    monkeypatch.setattr(actions, "play", None)  # what a thread would do
    await south.say(type="play", game=1, ply=1, pit=0)
    sown = await watching.hear("sown")
    assert (sown["ply"], sown["version"]) == (1, 8 if is_kept else 3)


@pytest.fixture
async def drawn(three):
    """South and North, who have agreed to a draw; this process has its row, and its loop writes by itself."""
    players = three[:2]
    for player, told in zip(players, ("offered", "ended"), strict=True):
        await player.say(type="offer", game=1, kind="draw")
        for socket in players:
            await socket.hear(told)
    async with asyncio.timeout(PATIENCE_S):
        while storage.ledger() is None:
            await asyncio.sleep(0)
    return players


@on_sqlite
async def test_a_rematch_that_both_offer_in_one_turn_of_the_loop_is_written_once_and_there(drawn, code, monkeypatch):
    monkeypatch.setattr(actions, "offer", None)  # what a thread would do
    for socket in drawn:
        await socket.say(type="offer", game=1, kind="rematch")
    for socket in drawn:
        await socket.hear("offered")
        assert (await socket.hear("snapshot"))["game"] == 2
    for socket in drawn:
        assert (await socket.has_heard_all())["snapshot"]["version"] == 0
    assert await do(Game.objects.of_room(code).count) == 2


@on_sqlite
async def test_an_offer_that_is_accepted_in_the_turn_of_the_loop_in_which_it_is_withdrawn_is_gone(drawn, code):
    south, north = drawn
    await south.say(type="offer", game=1, kind="rematch")
    there = [(await socket.hear("offered"))["offer"]["id"] for socket in drawn]
    for socket, number in zip(drawn, there, strict=True):
        await socket.say(type="answer", game=1, offer=number, accept=socket is north)
    for socket in drawn:
        assert (await socket.hear("offered"))["offer"] is None
    assert (await north.hear("refused"))["code"] == "offer_gone"
    assert (await north.hear("snapshot"))["game"] == 1
    assert await do(Game.objects.of_room(code).count) == 1


async def test_an_extra_turn_is_kept_over_a_reload(sockets, three, code, ann):
    """B14: a reload gave the extra turn to the other player."""
    south, north, _ = three
    await south.say(type="play", game=1, ply=0, pit=2)
    await south.hear("sown")
    await south.close()
    again = await sockets.enter(code, ann)
    state = again.first["snapshot"]
    assert (again.first["you"], state["turn"], state["transcript"], state["last"]["extra_turn"]) == (
        "S",
        "S",
        "c",
        True,
    )
    await again.say(type="play", game=1, ply=1, pit=0)
    assert (await again.hear("sown"))["turn"] == "N"
    assert [(await north.hear("sown"))["ply"] for _ in range(2)] == [0, 1]


async def test_both_tabs_of_a_player_show_the_game_and_may_play(sockets, three, code, ann):
    south, north, _ = three
    again = await sockets.enter(code, ann)
    await south.say(type="play", game=1, ply=0, pit=2)
    assert [(await socket.hear("sown"))["ply"] for socket in (south, again, north)] == [0, 0, 0]
    await again.say(type="play", game=1, ply=1, pit=0)
    assert [(await socket.hear("sown"))["ply"] for socket in (south, again, north)] == [1, 1, 1]


async def test_a_double_click_counts_once_and_the_second_is_told_the_state(three):
    """B20: a fast double click acts twice."""
    south, north, _ = three
    for _ in range(2):
        await south.say(type="play", game=1, ply=0, pit=2)
    heard = [await south.hear_anything() for _ in range(3)]
    assert sorted(message["type"] for message in heard) == ["refused", "snapshot", "sown"]
    assert next(message["code"] for message in heard if message["type"] == "refused") == "stale_ply"
    assert next(message["ply"] for message in heard if message["type"] == "snapshot") == 1
    assert (await north.hear("sown"))["ply"] == 0
    assert (await north.has_heard_all())["snapshot"]["ply"] == 1


async def test_a_stale_resend_is_refused_with_the_whole_state(three):
    """B24: a stale play was dropped without telling its sender."""
    south, north, spectator = three
    await south.say(type="play", game=1, ply=0, pit=3)
    for socket in three:
        await socket.hear("sown")
    await south.say(type="play", game=1, ply=0, pit=3)
    assert await south.hear("refused") == {"type": "refused", "re": "play", "code": "stale_ply"}
    state = await south.hear("snapshot")
    assert (state["ply"], state["version"], state["transcript"]) == (1, 2, "d")
    for socket in (north, spectator):
        await socket.has_heard_all()


@pytest.mark.parametrize("who", [2, 3], ids=["unknown", "known"])
async def test_a_spectator_cannot_act_whatever_is_forged(sockets, three, code, cleo, ann, who):
    """B84: spectators could act."""
    spectator = [*three, await sockets.enter(code, cleo)][who]
    forged = {"side": "S", "you": "S", "player": str(ann.id), "seat": "S", "session": "x", "id": str(ann.id)}
    for message in ({"type": "play", "game": 1, "ply": 0, "pit": 2}, {"type": "resign", "game": 1}):
        await spectator.say(**message, **forged)
        assert await spectator.hear("refused") == {"type": "refused", "re": message["type"], "code": "not_seated"}
    for socket in three[:2]:
        assert (await socket.has_heard_all())["snapshot"]["version"] == 1


async def test_a_message_is_refused_to_its_sender_only(three):
    south, north, spectator = three
    await north.say(type="play", game=1, ply=0, pit=8)
    assert await north.hear("refused") == {"type": "refused", "re": "play", "code": "not_your_turn"}
    await south.say(type="play", game=1, ply=0, pit=13)
    assert await south.hear("refused") == {"type": "refused", "re": "play", "code": "illegal_pit"}
    for socket in three:
        assert (await socket.has_heard_all())["snapshot"]["ply"] == 0


async def test_two_rooms_do_not_hear_each_other(sockets, three, ann, ben):
    other = await do(begin, ann.player, ben.player)
    there = await sockets.enter(other, ann)
    await three[0].say(type="play", game=1, ply=0, pit=2)
    await three[0].hear("sown")
    assert (await there.has_heard_all())["snapshot"]["ply"] == 0


# What was missed ----------------------------------------------------------------------------------


async def test_an_event_between_the_page_and_the_socket_is_in_the_welcome(sockets, code, ann):
    """B33: a move between page and socket is lost."""
    page = await do(snapshot.welcome, code, None)
    await do(actions.play, code, ann.id, game=1, ply=0, pit=2)
    socket = await sockets.enter(code)
    assert socket.first["snapshot"]["version"] == page.snapshot.version + 1
    assert socket.first["snapshot"]["transcript"] == "c"


async def test_an_event_while_the_state_is_read_is_not_lost_and_the_welcome_is_first(sockets, code, ann, monkeypatch):
    """The join comes before the read: what happens after the read is told after the welcome."""
    welcome_to = snapshot.welcome_to

    def slow(*game_and_viewer):
        actions.play(code, ann.id, game=1, ply=0, pit=2)
        return welcome_to(*game_and_viewer)

    monkeypatch.setattr(snapshot, "welcome_to", slow)
    socket = await sockets.enter(code)
    monkeypatch.undo()
    viewer = Viewer(socket.first)
    viewer.hear(await socket.hear("sown"))
    fresh = await socket.has_heard_all()
    assert viewer.snapshot == fresh["snapshot"]


async def test_who_sits_down_while_the_state_is_read_is_counted_as_a_player(sockets, ann, ben, monkeypatch):
    code = await do(open_room, ann.player)
    south, spectator = await sockets.enter(code, ann), await sockets.enter(code)
    welcome_to = snapshot.welcome_to

    def slow(*game_and_viewer):
        actions.take_seat(code, ben.player)
        return welcome_to(*game_and_viewer)

    monkeypatch.setattr(snapshot, "welcome_to", slow)
    await sockets.open(f"/ws/v1/rooms/{code}/", ben)
    await south.hear("seated")
    await spectator.close()
    await south.hear_presence(1, 1, 0)


async def test_a_socket_may_ask_for_the_state_at_any_time(three, code):
    for socket, you in zip(three, ("S", "N", None), strict=True):
        await socket.say(type="sync")
        welcome = await socket.hear("welcome")
        assert (welcome["you"], welcome["snapshot"]["room"]) == (you, code)


async def test_a_ping_of_whoever_holds_the_state_is_answered_with_the_time(three):
    await three[2].say(type="ping", game=1, version=1, sent_at=12.5)
    pong = await three[2].hear("pong")
    assert pong["sent_at"] == 12.5
    assert 1.7e12 < pong["now"] < 5e12  # milliseconds since 1970


@pytest.mark.parametrize(("game", "version"), [(1, 0), (0, 1), (1, 7), (2, 0)])
async def test_a_ping_of_whoever_holds_another_state_is_answered_with_the_state(three, game, version):
    await three[2].say(type="ping", game=game, version=version, sent_at=0)
    assert (await three[2].hear("snapshot"))["version"] == 1


async def test_a_lost_message_is_found_out_by_the_next_and_by_a_ping(three, code, ann, monkeypatch):
    south, _, spectator = three
    viewer = Viewer(spectator.first)
    with monkeypatch.context() as lossy:
        lossy.setattr("games.hub.take_over", lambda message: None)
        await do(actions.play, code, ann.id, game=1, ply=0, pit=2)
    await spectator.say(type="ping", game=1, version=viewer.snapshot["version"])
    viewer.hear(await spectator.hear("snapshot"))
    assert viewer.snapshot["transcript"] == "c"
    with monkeypatch.context() as lossy:
        lossy.setattr("games.hub.take_over", lambda message: None)
        await do(actions.play, code, ann.id, game=1, ply=1, pit=0)
    await do(actions.play, code, await _north(code), game=1, ply=2, pit=7)
    viewer.hear(await spectator.hear("sown"))
    assert viewer.sent == [{"type": "sync"}]
    viewer.hear(await spectator.has_heard_all())
    assert viewer.snapshot["transcript"] == "cah"


async def _north(code):
    return (await do(snapshot.current_game, code)).north_id


# When something fails -----------------------------------------------------------------------------


@pytest.fixture
def broken(monkeypatch):
    """Let the next readings of a game fail, until mended."""

    def fail_with(error):
        def fail(*args, **kwargs):
            raise error

        monkeypatch.setattr(snapshot, "current_game", fail)
        monkeypatch.setattr(snapshot, "version", fail)

    return fail_with


FAULTS = {"of the database": OperationalError("database is locked"), "of ours": ZeroDivisionError("a fault")}


@pytest.mark.parametrize("error", FAULTS.values(), ids=FAULTS)
async def test_a_fault_leaves_the_game_as_it_was_and_the_socket_open(three, broken, monkeypatch, caplog, error):
    south, north, spectator = three
    broken(error)
    for message in (
        {"type": "play", "game": 1, "ply": 0, "pit": 2},
        {"type": "resign", "game": 1},
        {"type": "sync"},
        {"type": "ping", "game": 1, "version": 1},
    ):
        await south.say(**message)
        assert await south.hear("refused") == {"type": "refused", "re": message["type"], "code": "unavailable"}
    monkeypatch.undo()
    logged = [record for record in caplog.records if record.name == "games.sockets"]
    assert [bool(record.exc_info) for record in logged] == [
        error is FAULTS["of ours"]
    ] * 4  # a traceback helps only there
    assert (await do(Game.objects.get)).version == 1
    await south.say(type="play", game=1, ply=0, pit=2)
    for socket in three:
        assert (await socket.hear("sown"))["ply"] == 0


async def test_a_fault_before_the_sowing_is_recorded_leaves_all_as_it_was(three, monkeypatch):
    south, _, _ = three
    with monkeypatch.context() as faulty:
        faulty.setattr(snapshot, "sown", lambda *args: 1 / 0)
        await south.say(type="play", game=1, ply=0, pit=2)
        assert (await south.hear("refused"))["code"] == "unavailable"
    await south.say(type="play", game=1, ply=0, pit=2)
    assert (await south.hear("sown"))["ply"] == 0


async def test_a_fault_after_the_sowing_was_recorded_does_not_record_it_twice(three, monkeypatch):
    south, _, _ = three
    with monkeypatch.context() as faulty:
        faulty.setattr(broadcast, "announce", lambda *args, **options: 1 / 0)
        await south.say(type="play", game=1, ply=0, pit=2)
        assert (await south.hear("refused"))["code"] == "unavailable"
    await south.say(type="play", game=1, ply=0, pit=2)
    assert (await south.hear("refused"))["code"] == "stale_ply"
    assert (await south.hear("snapshot"))["transcript"] == "c"


@pytest.mark.parametrize("error", FAULTS.values(), ids=FAULTS)
async def test_whoever_comes_while_nothing_can_be_read_is_asked_to_come_back(sockets, code, broken, ann, caplog, error):
    broken(error)
    socket = await sockets.open(f"/ws/v1/rooms/{code}/", ann)
    assert await socket.hear_close() == 4412
    (record,) = [record for record in caplog.records if record.name == "games.sockets"]
    assert bool(record.exc_info) == (not isinstance(error, OperationalError))  # what is known needs no traceback


async def test_an_action_is_never_run_on_the_loop_of_the_sockets(code, ann):
    with pytest.raises(Exception, match="async"):
        actions.play(code, ann.id, game=1, ply=0, pit=2)
    assert await storage.run(snapshot.version, code) == (1, 1)


async def test_a_page_in_a_room_that_was_deleted_is_told_at_its_next_heartbeat(sockets, ann):
    """B88: viewers stuck in a room that is gone."""
    code = await do(open_room, ann.player)
    page = await sockets.enter(code, ann)
    await do(Room.objects.filter(code=code).delete)
    await page.say(type="ping", game=1, version=0)
    assert await page.hear_close() == 4404


async def test_to_close_a_socket_that_is_gone_is_no_fault():
    """As when a player who left without a word is back in more tabs than there may be."""

    async def send(message):
        raise OSError  # ASGI 2.4

    consumer = NowhereConsumer()
    consumer.base_send = send
    await consumer.shut(Close.TOO_MANY_TABS)
