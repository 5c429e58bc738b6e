"""Hubs of several processes over one layer: each message once, whoever says it; and whatever fails, play goes on here.

Two hubs on one loop stand for two processes; the layer between them is a dictionary of queues that passes messages
over as bytes, as Redis does, and fails when it is told to.
"""

import asyncio
import gc
import json
import logging
import uuid
import weakref
from collections import defaultdict

import msgspec
import pytest
from django.core.cache import cache
from django.db import transaction

from games import broadcast, presence
from games.hub import Hub
from games.listener import Listener
from games.protocol import PlayerShape, Presence, Refusal, Refused, Renamed
from games.topics import LOBBY, Seating
from tests.live.sockets import do
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)

ROOM = "abcdefgh"
ANN, BEN, CLEO = (uuid.UUID(int=number) for number in (1, 2, 3))
SEATED = Seating(1, 1, str(ANN), str(BEN))
HELLO = Renamed(player=PlayerShape(str(ANN), "Ann"))


class Layer:
    """A channel layer between hubs of one loop."""

    def __init__(self):
        self.sent = []
        self.is_away = False
        self._queues = {}
        self._groups = defaultdict(set)

    async def new_channel(self):
        name = f"channel{len(self._queues)}"
        self._queues[name] = asyncio.Queue()
        return name

    async def receive(self, channel):
        return msgspec.msgpack.decode(await self._queues[channel].get())

    async def group_add(self, group, channel):
        self._check()
        self._groups[group].add(channel)

    async def group_discard(self, group, channel):
        self._check()
        self._groups[group].discard(channel)

    def tell_elsewhere(self, messages):
        self._check()
        for group, message in messages:
            self.sent.append((group, message))
            for channel in self._groups[group]:
                self._queues[channel].put_nowait(msgspec.msgpack.encode(message))

    async def group_send(self, group, message):
        self.tell_elsewhere([(group, message)])

    def reset(self):
        """What the layer says when a lost subscription is in force again."""
        for queue in self._queues.values():
            queue.put_nowait(msgspec.msgpack.encode({"type": "layer.reset"}))

    def is_heard_in(self, hub):
        """Whether nothing more is on its way to a hub."""
        return self._queues[hub._channel].empty()

    def members(self, group):
        return len(self._groups[group])

    def _check(self):
        if self.is_away:
            raise ConnectionError("the layer is away")


class Ear:
    """A socket that takes everything."""

    def __init__(self, hub, topic=ROOM, player=None, name=None):
        self.heard = []
        self.closed = []
        self.reads = 0
        self._hub, self._topic = hub, topic
        self.listener = Listener(self._send, self._close, player, self._own)
        self.listener.name = name

    async def _send(self, text):
        if text == "first":
            return
        self.heard.append(text if text.startswith("state") else json.loads(text))

    async def _close(self, code):
        self.closed.append(code)

    async def _refresh(self):
        self.reads += 1
        return f"state of {self._topic}"

    async def _own(self):
        return f"state of {self.listener.player}"

    async def join(self, seating=None, attended=None):
        await self._hub.join(self._topic, self.listener, self._refresh, attended)
        self.listener.begin("first")
        if seating is not None:
            self._hub.welcomed(self._topic, seating)
        return self

    def leave(self):
        self._hub.leave(self._topic, self.listener)

    def events(self):
        return [heard for heard in self.heard if heard == f"state of {self._topic}" or heard["type"] != "presence"]

    def presences(self):
        return [heard for heard in self.heard if isinstance(heard, dict) and heard["type"] == "presence"]

    def names(self):
        """Who it was last told is watching."""
        return self.presences()[-1]["names"] if self.presences() else None

    def counts(self):
        """What it was last told of who is here."""
        told = self.presences()
        return (told[-1]["south"], told[-1]["north"], told[-1]["spectators"]) if told else None


async def until(condition):
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.001)


@pytest.fixture
async def layer(monkeypatch):
    between = Layer()
    monkeypatch.setattr("games.hub.get_channel_layer", lambda: between)
    return between


@pytest.fixture
async def hubs(layer):
    """Two processes. Actions of this one are taken over by the first."""
    here, there = Hub(), Hub()
    Hub.running[asyncio.get_running_loop()] = here
    yield here, there
    del Hub.running[asyncio.get_running_loop()]
    for task in (*here._tasks, *there._tasks):
        task.cancel()


async def announce(message=HELLO, **seating):
    """As an action of the first process does, on a database thread."""
    await do(broadcast.announce, ROOM, message, **seating)


def say_in(hub, message=HELLO, *, seating=None):
    """As an action of another process does."""
    assert hub.say({"topic": ROOM, "text": message.text(), "seating": seating and list(seating)})


# Messages -----------------------------------------------------------------------------------------


async def test_a_message_is_heard_once_in_every_process(hubs, layer):
    here, there = hubs
    ears = [await Ear(hub).join() for hub in (here, here, there, there)]
    await announce()
    await announce(Presence(9, 9, 9))
    await until(lambda: all(ear.counts() == (9, 9, 9) for ear in ears))
    assert [ear.events() for ear in ears] == [[json.loads(HELLO.text())]] * 4


async def test_other_processes_hand_on_the_same_text_untouched(hubs, layer):
    here, there = hubs
    heard = []

    async def send(text):
        heard.append(text)

    for hub in hubs:
        listener = Listener(send, None, None)
        await hub.join(ROOM, listener, None)
        listener.begin("first")
    await announce()
    await until(lambda: len(heard) == 4)
    assert heard.count(HELLO.text()) == 2


async def test_a_process_joins_the_group_of_a_topic_once_and_publishes_once_however_many_sockets_it_holds(hubs, layer):
    here, _ = hubs
    ears = [await Ear(here).join() for _ in range(10)]
    assert layer.members(ROOM) == 1
    await announce()
    await until(lambda: all(ear.events() for ear in ears) and layer.sent)
    assert [group for group, message in layer.sent if message.get("text")] == [ROOM]


async def test_a_process_leaves_the_group_with_its_last_socket(hubs, layer):
    here, there = hubs
    ears = [await Ear(here).join() for _ in range(2)]
    other = await Ear(there).join()
    ears[0].leave()
    ears[1].leave()
    ears[1].leave()  # twice does no harm
    await until(lambda: layer.members(ROOM) == 1)
    await announce()
    await until(other.events)
    assert not ears[0].events()
    assert ROOM not in here._topics


async def test_whoever_comes_while_the_last_one_goes_hears_everything(hubs, layer):
    here, there = hubs
    await Ear(there, LOBBY).join()
    for _ in range(20):
        first = await Ear(here).join()
        first.leave()
        second = await Ear(here).join()
        say_in(there)
        await until(second.events)
        second.leave()


async def test_a_socket_that_has_gone_leaves_nothing_to_the_garbage_collector(hubs):
    here, _ = hubs
    await Ear(here).join()
    ear = await Ear(here).join()
    ear.leave()
    gone = weakref.ref(ear)
    gc.disable()
    try:
        del ear
        assert gone() is None
    finally:
        gc.enable()


async def test_whoever_comes_while_the_group_is_being_left_joins_it_anew(hubs, layer, monkeypatch):
    here, there = hubs
    leaving, left = asyncio.Event(), asyncio.Event()
    discard = layer.group_discard

    async def slowly(group, channel):
        leaving.set()
        await left.wait()
        await discard(group, channel)

    monkeypatch.setattr(layer, "group_discard", slowly)
    (await Ear(here).join()).leave()
    await leaving.wait()
    other, second = Ear(here, "zzzzzzzz"), Ear(here)
    await other.join()  # of another room: nobody waits for the first
    coming = asyncio.create_task(second.join(SEATED))
    left.set()
    await coming
    assert layer.members(ROOM) == 1
    say_in(there)
    await until(second.events)
    await until(lambda: second.counts() == (0, 0, 1))


async def test_a_message_of_another_process_for_a_room_that_nobody_here_looks_at_is_ignored(hubs, layer):
    here, there = hubs
    ear = await Ear(here).join()
    here._heard({"type": "hub.message", "from": "x", "topic": "zzzzzzzz", "text": HELLO.text(), "seating": None})
    here._heard({"type": "hub.message", "from": "x", "topic": ROOM, "text": HELLO.text(), "seating": None})
    await until(ear.events)


async def test_a_message_that_cannot_be_understood_does_not_deafen_the_process(hubs, layer, caplog):
    here, there = hubs
    ear = await Ear(there).join()
    await Ear(here, LOBBY).join()
    await layer.group_send(ROOM, {"type": "nonsense"})
    await announce()
    await until(ear.events)
    assert "was lost" in caplog.text


async def test_what_a_process_without_sockets_announces_is_heard_in_others(hubs, layer):
    """A request in a process whose loop serves no socket: the message is published from the request's own thread."""
    here, there = hubs
    ear = await Ear(there).join()
    running = Hub.running.pop(asyncio.get_running_loop())
    await announce()
    Hub.running[asyncio.get_running_loop()] = running
    await until(ear.events)


async def test_a_process_without_sockets_survives_a_layer_that_is_away(layer):
    layer.is_away = True
    await announce()


async def test_a_hub_whose_loop_has_ended_is_forgotten(layer):
    loop = asyncio.new_event_loop()

    async def start():
        return Hub.current()

    await asyncio.to_thread(loop.run_until_complete, start())
    loop.close()
    assert loop in Hub.running
    await announce()
    assert loop not in Hub.running


async def test_what_is_for_some_players_is_heard_in_all_their_tabs_and_by_nobody_else_in_any_process(hubs, layer):
    """B105"""
    ears = [await Ear(hub, player=player).join(SEATED) for hub in hubs for player in (ANN, BEN, uuid.UUID(int=3), None)]
    await announce(only=[ANN, BEN])
    await announce(only=[])
    await announce(Renamed(player=PlayerShape("last", "Last")))
    await until(lambda: all(ear.events() for ear in ears) and sum(len(ear.events()) for ear in ears) >= 12)
    assert [len(ear.events()) for ear in ears] == [2, 2, 1, 1] * 2


async def test_a_move_goes_to_the_players_before_it_goes_to_those_who_watch(hubs, layer):
    """B91: players wait for nobody who watches."""
    here, _ = hubs
    order = []
    for number, player in enumerate((None, uuid.UUID(int=3), ANN, None, BEN)):

        async def send(text, number=number):
            order.append(number)

        listener = Listener(send, None, player)
        await here.join(ROOM, listener, None)
        here.welcomed(ROOM, SEATED)
        listener.begin("first")
    await until(lambda: len(order) >= 10)  # everybody was told who is here
    order.clear()
    await announce()
    await until(lambda: len(order) == 5)
    assert order == [2, 4, 0, 1, 3]


# After commit -------------------------------------------------------------------------------------


async def test_nothing_is_told_before_the_commit_and_nothing_at_all_after_a_rollback(hubs, layer):
    here, there = hubs
    ears = [await Ear(hub).join() for hub in hubs]
    told = []

    def write():
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            broadcast.announce(ROOM, Renamed(player=PlayerShape("1", "rolled back")))
            raise ZeroDivisionError
        with transaction.atomic():
            broadcast.announce(ROOM, Renamed(player=PlayerShape("2", "committed")))
            told.extend(here._topics[ROOM].listeners)
            told.append(len(ears[0].heard))

    await do(write)
    await until(lambda: all(ear.events() for ear in ears))
    assert told[-1] == 0
    for ear in ears:
        assert [event["player"]["name"] for event in ear.events()] == ["committed"]


# Layers that fail ---------------------------------------------------------------------------------


async def test_while_the_layer_is_away_play_goes_on_here_and_it_is_logged_once(hubs, layer, caplog):
    here, there = hubs
    near, far = await Ear(here).join(), await Ear(there).join()
    layer.is_away = True
    for number in range(50):
        await announce(Renamed(player=PlayerShape(str(number), "Ann")))
    await until(lambda: len(near.events()) == 50)
    assert far.events() == []
    await until(lambda: not here._outgoing)
    assert [record.levelname for record in caplog.records].count("WARNING") == 1
    layer.is_away = False
    await announce()
    await until(far.events)


async def test_when_the_layer_is_back_players_also_get_what_concerns_them_alone(hubs, layer):
    here, _ = hubs
    ann, watching = await Ear(here, player=ANN).join(SEATED), await Ear(here, player=uuid.UUID(int=3)).join(SEATED)
    layer.reset()
    await until(lambda: ann.heard.count(f"state of {ANN}") == 1)
    assert f"state of {ROOM}" in watching.heard
    assert f"state of {watching.listener.player}" not in watching.heard


async def test_when_the_layer_is_back_everybody_gets_a_fresh_state(hubs, layer):
    here, there = hubs
    ears = [await Ear(here).join(), await Ear(here).join(), await Ear(there).join(), await Ear(here, LOBBY).join()]
    layer.reset()
    await until(lambda: all(ear.events() for ear in ears))
    assert [ear.events() for ear in ears] == [[f"state of {ROOM}"]] * 3 + [[f"state of {LOBBY}"]]
    assert sum(ear.reads for ear in ears[:2]) == 1  # one read for all sockets of a process


async def test_a_room_that_could_not_be_joined_is_joined_with_the_next_renewal(hubs, layer, monkeypatch):
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.02)
    here, there = hubs
    layer.is_away = True
    ear = await Ear(here).join()
    await announce()
    await until(ear.events)  # here it is heard all the same
    layer.is_away = False
    await until(lambda: layer.members(ROOM))
    await Ear(there, LOBBY).join()
    say_in(there)
    await until(lambda: len(ear.events()) == 2)


async def test_a_state_that_cannot_be_read_after_a_reset_is_logged_and_the_hub_goes_on(hubs, layer, caplog):
    here, _ = hubs
    ear = Ear(here)

    async def fail():
        raise ConnectionError("the database is away")

    await here.join(ROOM, ear.listener, fail)
    ear.listener.begin("first")
    layer.reset()
    await until(lambda: f"state of {ROOM} not read" in caplog.text)
    await announce()
    await until(ear.events)


async def test_without_a_layer_between_processes_nothing_is_published(monkeypatch):
    """The in-memory layer reaches nobody else."""
    hub = Hub()
    assert hub._alone
    ear = await Ear(hub).join()
    say_in(hub)
    await until(ear.events)
    assert not hub._outgoing
    hub._tasks[0].cancel()


# Presence -----------------------------------------------------------------------------------------


async def test_who_is_here_is_counted_over_all_processes(hubs, layer):
    here, there = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    await until(lambda: south.counts() == (1, 0, 0))
    north = await Ear(there, player=BEN).join(SEATED)
    spectator = await Ear(there).join(SEATED)
    await until(lambda: south.counts() == north.counts() == spectator.counts() == (1, 1, 1))
    north.leave()
    await until(lambda: south.counts() == spectator.counts() == (1, 0, 1))
    spectator.leave()
    await until(lambda: south.counts() == (1, 0, 0))


async def test_who_holds_both_seats_is_counted_on_either_and_is_no_spectator(hubs, layer):
    here, there = hubs
    seating = Seating(1, 1, str(ANN), str(ANN))
    both = await Ear(here, player=ANN).join(seating)
    await until(lambda: both.counts() == (1, 1, 0))
    for player in (None, BEN):
        await Ear(there, player=player).join(seating)
    await until(lambda: both.counts() == (1, 1, 2))


async def test_whoever_comes_new_to_a_room_learns_at_once_who_is_in_other_processes(hubs, layer):
    here, there = hubs
    await Ear(here, player=ANN).join(SEATED)
    await until(lambda: presence.recall([ROOM]) == {ROOM: (1, 0, 0)})
    late = await Ear(there).join(SEATED)
    await until(lambda: late.counts() == (1, 0, 1))


async def test_who_sits_down_is_counted_as_a_player_in_every_process(hubs, layer):
    here, there = hubs
    south = await Ear(here, player=ANN).join(Seating(1, 0, str(ANN), None))
    guest = await Ear(there, player=BEN).join(Seating(1, 0, str(ANN), None))
    await until(lambda: south.counts() == guest.counts() == (1, 0, 1))
    await announce(seating=SEATED)
    await until(lambda: south.counts() == guest.counts() == (1, 1, 0))


async def test_who_sat_down_later_is_not_forgotten_for_an_older_reading(hubs, layer):
    """The seats may change while a welcome is read: news and reading cross."""
    here, there = hubs
    south = await Ear(here, player=ANN).join(Seating(1, 0, str(ANN), None))
    await Ear(there, LOBBY).join()
    await announce(seating=SEATED)
    north = await Ear(here, player=BEN).join(Seating(1, 0, str(ANN), None))
    await until(lambda: south.counts() == north.counts() == (1, 1, 0))
    say_in(there, HELLO, seating=Seating(1, 0, None, None))
    await until(lambda: len(south.events()) == 2)
    await Ear(here).join(Seating(1, 0, None, None))
    await until(lambda: south.counts() == (1, 1, 1))


async def test_those_who_watch_are_named_over_all_processes_players_are_not_and_two_tabs_are_one(hubs, layer):
    here, there = hubs
    cleo, dan = uuid.UUID(int=3), uuid.UUID(int=4)
    south = await Ear(here, player=ANN, name="Ann").join(SEATED)
    await Ear(there, player=cleo, name="Cleo").join(SEATED)
    again = await Ear(there, player=cleo, name="Cleo").join(SEATED)
    await Ear(here, player=dan, name="Dan").join(SEATED)
    await Ear(here).join(SEATED)  # a browser without an identity has no name
    await until(lambda: south.counts() == again.counts() == (1, 0, 3))
    assert south.names() == again.names() == ["Cleo", "Dan"]
    await announce(seating=Seating(1, 2, str(ANN), str(dan)))
    await until(lambda: south.names() == ["Cleo"])
    assert south.counts() == (1, 1, 2)


async def test_whoever_comes_to_a_crowd_learns_of_it_and_nobody_else_is_told_what_they_know(hubs, layer):
    here, _ = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    cleo = uuid.UUID(int=3)
    await Ear(here, player=cleo, name="Cleo").join(SEATED)
    await until(lambda: south.counts() == (1, 0, 1))
    again = await Ear(here, player=cleo, name="Cleo").join(SEATED)
    await until(lambda: again.counts() == (1, 0, 1))
    assert again.names() == ["Cleo"]
    assert [told["spectators"] for told in south.presences()][-1:] == [1]
    assert len(south.presences()) <= 2


async def test_the_larger_the_crowd_the_longer_comings_and_goings_wait_to_be_told(hubs, layer, monkeypatch):
    monkeypatch.setattr("games.hub._PRESENCE_SECONDS_EACH", 3600)
    here, _ = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    assert here._topics[ROOM].telling.when() - here._loop.time() > 3000
    assert south.counts() is None


class Clock:
    """The hubs' idea of the time, in seconds."""

    now = 0.0

    def monotonic(self):
        return self.now

    time = monotonic


@pytest.fixture
def clock(monkeypatch):
    """A clock of ours, and quick renewals."""
    ours = Clock()
    monkeypatch.setattr("games.hub.time", ours)
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.01)
    return ours


async def test_a_process_killed_outright_is_forgotten(clock, hubs, layer):
    """B59: ghosts stay online in the other processes."""
    here, there = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    await Ear(there, player=BEN).join(SEATED)
    await until(lambda: south.counts() == (1, 1, 0))
    for task in there._tasks:  # SIGKILL: nothing is said any more
        task.cancel()
    await asyncio.gather(*there._tasks, return_exceptions=True)
    there._outgoing.clear()  # nor what waited to be
    await until(lambda: layer.is_heard_in(here))  # what it said last came in time
    clock.now = presence.FORGET_SECONDS
    await until(lambda: south.counts() == (1, 0, 0))


async def test_a_process_that_lives_is_not_forgotten(clock, hubs, layer):
    here, there = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    await Ear(there, player=BEN).join(SEATED)
    await until(lambda: south.counts() == (1, 1, 0))
    for _ in range(3):
        clock.now += presence.FORGET_SECONDS - 1
        renewals = len(layer.sent) + 10
        await until(lambda: len(layer.sent) > renewals)
    assert south.counts() == (1, 1, 0)


async def test_who_came_while_the_layer_was_away_is_counted_when_it_is_back(hubs, layer):
    here, there = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    await Ear(there).join(SEATED)
    await until(lambda: south.counts() == (1, 0, 1))
    layer.is_away = True
    north = await Ear(there, player=BEN).join(SEATED)
    await until(lambda: north.counts() == (1, 1, 1) and not there._outgoing)
    assert south.counts() == (1, 0, 1)
    layer.is_away = False
    layer.reset()
    await until(lambda: south.counts() == (1, 1, 1))


async def test_what_the_lobby_finds_in_the_cache_is_renewed(hubs, layer, monkeypatch):
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.02)
    here, _ = hubs
    await Ear(here, player=ANN).join(SEATED)
    await until(lambda: presence.recall([ROOM]))
    cache.clear()
    await until(lambda: presence.recall([ROOM]) == {ROOM: (1, 0, 0)})


async def test_the_lobby_finds_who_is_here_in_the_cache_and_that_they_went(hubs, layer):
    here, _ = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    await until(lambda: presence.recall([ROOM]) == {ROOM: (1, 0, 0)})
    south.leave()
    await until(lambda: presence.recall([ROOM]) == {ROOM: (0, 0, 0)})


async def test_the_last_to_go_here_does_not_hide_those_in_other_processes(hubs, layer):
    here, there = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    north = await Ear(there, player=BEN).join(SEATED)
    await until(lambda: south.counts() == north.counts() == (1, 1, 0))
    south.leave()
    await until(lambda: presence.recall([ROOM]) == {ROOM: (0, 1, 0)} and north.counts() == (0, 1, 0))


async def test_comings_and_goings_at_once_are_told_together(hubs, layer, monkeypatch):
    monkeypatch.setattr("games.hub._PRESENCE_SECONDS", 0.1)
    here, _ = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    for _ in range(50):
        await Ear(here).join(SEATED)
    await until(lambda: south.counts() == (1, 0, 50))
    assert len(south.heard) <= 2


async def test_who_comes_and_goes_is_noted_in_order_though_noting_takes_a_while(hubs, layer):
    here, there = hubs
    noted, gate = [], asyncio.Event()

    async def attended(counts):
        await gate.wait()
        noted.append(counts)

    ann = await Ear(here, player=ANN).join(SEATED, attended)
    await until(lambda: ann.counts() == (1, 0, 0))
    ben = await Ear(there, player=BEN).join(SEATED)
    await until(lambda: ann.counts() == (1, 1, 0))
    ben.leave()
    await until(lambda: ann.counts() == (1, 0, 0))
    gate.set()
    await until(lambda: len(noted) == 3)
    assert noted == [(1, 0, 0)] * 3  # whatever was noted late is what was true by then


async def test_nobody_is_noted_in_a_room_that_does_not_exist_and_no_line_is_logged(hubs, caplog):
    noted = asyncio.Event()

    async def attended(counts):
        noted.set()
        raise Refused(Refusal.NO_SUCH_ROOM)

    await Ear(hubs[0], player=ANN).join(SEATED, attended)
    await noted.wait()
    await asyncio.sleep(0)
    assert not caplog.records


async def test_what_cannot_be_noted_is_logged_and_told_all_the_same(hubs, layer, caplog):
    async def attended(counts):
        raise OSError("the database is away")

    ann = await Ear(hubs[0], player=ANN).join(SEATED, attended)
    await until(lambda: ann.counts() == (1, 0, 0))
    await until(lambda: "not noted" in caplog.text)


async def test_what_could_not_be_noted_is_noted_with_the_next_renewal(hubs, layer, monkeypatch):
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.01)
    asked = []

    async def attended(counts):
        asked.append(counts)
        if len(asked) == 1:
            raise OSError("the database is away")

    await Ear(hubs[0], player=ANN).join(SEATED, attended)
    await until(lambda: asked == [(1, 0, 0)] * 2)


@pytest.mark.parametrize("later", [Seating(2, 0, str(ANN), str(BEN)), Seating(1, 2, str(ANN), str(CLEO))])
async def test_in_another_game_or_with_another_player_it_is_noted_anew_who_is_here(hubs, layer, later):
    """Though as many are here as before."""
    noted = []

    async def attended(counts):
        noted.append(counts)

    await Ear(hubs[0], player=ANN).join(SEATED, attended)
    await until(lambda: noted == [(1, 0, 0)])
    say_in(hubs[0], seating=later)
    await until(lambda: noted == [(1, 0, 0)] * 2)


async def test_while_the_layer_is_away_nobody_is_noted_as_away(hubs, layer):
    """Whoever is in another process cannot be heard then, and shall not lose a game for that."""
    here, there = hubs
    noted = []

    async def attended(counts):
        noted.append(counts)

    ann = await Ear(here, player=ANN).join(SEATED, attended)
    ben = await Ear(there, player=BEN).join(SEATED)
    await until(lambda: (1, 1, 0) in noted)
    layer.is_away = True
    ben.leave()
    await Ear(here, player=ANN).join(SEATED, attended)
    await until(lambda: ann.counts()[0] == 2)
    await announce()
    await until(ann.events)
    assert noted[-1] != (2, 0, 0)


async def test_a_cache_that_fails_hurts_nobody(hubs, layer, monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise ConnectionError("gone")

    caplog.set_level(logging.CRITICAL)
    monkeypatch.setattr(cache, "set", fail)
    here, there = hubs
    south = await Ear(here, player=ANN).join(SEATED)
    await Ear(there, player=BEN).join(SEATED)
    await until(lambda: south.counts() == (1, 1, 0))
    await announce()
    await until(south.events)


# The lobby ----------------------------------------------------------------------------------------


async def test_a_change_makes_every_process_read_the_lobby_once_for_all_who_look(hubs, layer):
    ears = [await Ear(hub, LOBBY).join() for hub in hubs for _ in range(3)]
    await do(broadcast.lobby_changed)
    await until(lambda: all(ear.events() for ear in ears))
    assert [ear.events() for ear in ears] == [[f"state of {LOBBY}"]] * 6
    assert sum(ear.reads for ear in ears) == 2


async def test_many_changes_are_read_and_published_at_most_once_in_a_while(hubs, layer, monkeypatch):
    monkeypatch.setattr("games.hub._REFRESH_SECONDS", 0.2)
    here, there = hubs
    near, far = await Ear(here, LOBBY).join(), await Ear(there, LOBBY).join()

    def published():
        return sum(message.get("stale", False) for _, message in layer.sent)

    for count in (1, 2):  # what comes too soon after the first is kept for the second
        for _ in range(100):
            here.say({"topic": LOBBY, "stale": True, "players": []})
        await until(lambda: near.reads == far.reads == count)
        assert published() == count
        for _ in range(10):
            here.say({"topic": LOBBY, "stale": True, "players": []})
            await asyncio.sleep(0)
        assert (near.reads, far.reads, published()) == (count, count, count)


async def test_only_whose_own_games_changed_is_told_of_them_in_whichever_process(hubs, layer):
    ann, ben = [await Ear(hub, LOBBY, player).join() for hub, player in zip(hubs, (ANN, BEN), strict=True)]
    for told, other in ((ann, ben), (ben, ann)):
        await do(broadcast.lobby_changed, told.listener.player, None)
        await until(lambda: len(told.heard) == 2 and len(other.heard) == 1)
        assert told.heard == [f"state of {LOBBY}", f"state of {told.listener.player}"]
        assert other.heard == [f"state of {LOBBY}"]
        ann.heard.clear()
        ben.heard.clear()
