"""The hub: hands what is announced to local sockets, and publishes it once to other processes.

The only user of the channel layer. A process joins the group of a topic (a room, or the lobby) once, however many
sockets it holds there, and one task reads what other processes publish. The hub of a process lives on the event loop
of its sockets; what is announced on other threads is taken over to that loop. Layers deliver at most once, so
everything said here is versioned, or corrected by whatever is said next.
"""

import asyncio
import contextlib
import logging
import secrets
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from games import presence
from games.listener import BACKLOG, Listener, Refresh, Text, spawn
from games.protocol import Close, Presence, Refused
from games.topics import LOBBY, Attended, Seating, Topic

TABS = 3
"""Sockets that one player may have in one room."""

_AT_ONCE = 25  # sockets of a crowd told before everything else has its turn
_PUBLISH_SECONDS = 2.0
_TOGETHER_SECONDS = 0.005  # what other processes are told within this time goes to Redis together, the first at once
_REFRESH_SECONDS = 1.0  # a lobby is sent no oftener
_PRESENCE_SECONDS = 0.1  # comings and goings within this time are told together
_PRESENCE_SECONDS_EACH = 0.002  # or, in a crowd, within so long for each socket here: telling it costs little

# A thread of its own keeps its connection to the cache; one of asyncio's would be given a new one each time.
_remembering = ThreadPoolExecutor(1, thread_name_prefix="presence")

_log = logging.getLogger(__name__)

News = dict[str, Any]
"""What an action tells the same actions in other processes, beside what is told to sockets."""

followers: list[Callable[[str, News], None]] = []
"""Called with a topic and the news that another process announced there, before any socket is told."""


def take_over(message: dict[str, Any]) -> None:
    """Give an announcement to every hub of this process; if there is none, to those of others. From any thread."""
    hubs = [hub for hub in tuple(Hub.running.values()) if hub.say(message)]
    if not hubs:
        with contextlib.suppress(Exception):  # nobody listens here; elsewhere the heartbeat puts it right
            async_to_sync(_publish)(message)


async def _publish(message: dict[str, Any]) -> None:
    layer: Any = get_channel_layer()
    async with asyncio.timeout(_PUBLISH_SECONDS):
        await layer.group_send(message["topic"], {"type": "hub.message", "from": "", **message})


class Hub:
    """The sockets of one event loop, by topic. Its methods belong to that loop, except `say`."""

    running: ClassVar[dict[asyncio.AbstractEventLoop, "Hub"]] = {}

    def __init__(self) -> None:
        self._id = secrets.token_hex(8)
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._layer: Any = get_channel_layer()
        # An in-memory layer reaches nobody beyond this process, whose hubs hear everything directly.
        self._alone = isinstance(self._layer, InMemoryChannelLayer)
        self._topics: dict[str, Topic] = {}
        self._starting = asyncio.Lock()
        self._channel = ""
        self._said: deque[dict[str, Any]] = deque()
        self._is_waking = False
        self._outgoing: list[tuple[str, dict[str, Any]]] = []
        self._published_at = 0.0
        self._tasks: list[asyncio.Task[None]] = []
        self._layer_is_lost = False
        self._spreading: asyncio.TimerHandle | None = None
        self._spread_at = 0.0
        self._changed: set[uuid.UUID | str] = set()
        self._totals: dict[str, presence.Counts] = {}

    @classmethod
    def current(cls) -> "Hub":
        """The hub of the running loop."""
        loop = asyncio.get_running_loop()
        hub = cls.running.get(loop)
        if hub is None:
            hub = cls.running[loop] = cls()
        return hub

    # Sockets --------------------------------------------------------------------------------------

    async def join(self, name: str, listener: Listener, refresh: Refresh, attended: Attended | None = None) -> None:
        """From now on tell `listener` what is announced to a topic. Read its state after this, never before."""
        topic = self._topics.get(name)
        if topic is None:
            topic = self._topics[name] = Topic(name, refresh, attended)
        topic.listeners[listener] = None
        self._close_oldest_tab(topic, listener)
        if not topic.joined:
            await self._start()
            await self._join_group(topic)

    def leave(self, name: str, listener: Listener) -> None:
        """Tell `listener` nothing more of a topic."""
        topic = self._topics.get(name)
        if topic is None or listener not in topic.listeners:
            return
        del topic.listeners[listener]
        listener.forget()
        if topic.is_room:
            self._tell_presence_soon(topic)
        if not topic.listeners:
            spawn(self._retire(topic))

    def welcomed(self, name: str, seating: Seating) -> None:
        """A listener has read who sits in a room: count the sockets of each seat, and tell."""
        if topic := self._topics.get(name):
            topic.seat(seating)
            self._tell_presence_soon(topic)

    def _close_oldest_tab(self, topic: Topic, newcomer: Listener) -> None:
        if newcomer.player is None or not topic.is_room:
            return
        tabs = [listener for listener in topic.listeners if listener.player == newcomer.player]
        for listener in tabs[:-TABS]:
            listener.shut(Close.TOO_MANY_TABS)
            self.leave(topic.name, listener)

    # Messages -------------------------------------------------------------------------------------

    def say(self, message: dict[str, Any]) -> bool:
        """Take over an announcement from any thread; False if this hub's loop is gone."""
        self._said.append(message)
        if threading.get_ident() == self._thread and self._loop.is_running():
            self._deliver_all()
            return True
        if self._is_waking:  # and will find this too
            return True
        self._is_waking = True
        try:
            self._loop.call_soon_threadsafe(self._deliver_all)
        except RuntimeError:  # the loop is closed
            Hub.running.pop(self._loop, None)
            return False
        return True

    def _deliver_all(self) -> None:
        self._is_waking = False
        while self._said:
            self._deliver(self._said.popleft())

    def _deliver(self, message: dict[str, Any]) -> None:
        """To the sockets here, then to other processes."""
        if message.get("stale"):
            self._spread_staleness(message["players"])
            return
        self._tell(message)
        self._publish(message)

    def _tell(self, message: dict[str, Any]) -> None:
        topic = self._topics.get(message["topic"])
        if topic is None:
            return
        only = message.get("only")
        listeners = topic.listeners if only is None else [one for one in topic.listeners if one.player in only]
        self._hand_out(topic, Text(message["text"]), listeners)
        if message["seating"] and topic.seat(Seating(*message["seating"])):
            self._tell_presence_soon(topic)

    def _hand_out(self, topic: Topic, text: str, listeners: Iterable[Listener]) -> None:
        """Tell players at once, and those who watch a few at a time: a crowd must not come between the two."""
        seated, watching = topic.seated(), []
        for listener in listeners:
            if listener.player and listener.player in seated:
                listener.tell(text, topic.refresh)
            else:
                watching.append(listener)
        if not topic.outstanding and len(watching) <= _AT_ONCE:
            for listener in watching:
                listener.tell(text, topic.refresh)
            return
        is_going_on = bool(topic.outstanding)
        topic.outstanding.extend((listener, text) for listener in watching)
        if len(topic.outstanding) > BACKLOG * len(topic.listeners):  # they get a fresh state instead
            topic.outstanding.clear()
            self._refresh_soon(topic)
        elif not is_going_on:
            self._hand_on(topic)

    def _hand_on(self, topic: Topic) -> None:
        for _ in range(min(_AT_ONCE, len(topic.outstanding))):
            listener, text = topic.outstanding.popleft()
            listener.tell(text, topic.refresh)
        if topic.outstanding:
            self._loop.call_soon(self._hand_on, topic)

    def _heard(self, message: dict[str, Any]) -> None:
        """What another process published."""
        if message["type"] == "layer.reset":
            self._layer_is_back()
        elif message["from"] != self._id:
            topic = self._topics.get(message["topic"])
            if topic is None:
                return
            if "counts" in message:
                self._heard_presence(topic, message)
            elif message.get("stale"):
                topic.changed |= set(message.get("players", ()))
                self._refresh_soon(topic)
            else:
                if news := message.get("news"):
                    for follow in followers:
                        follow(topic.name, news)
                self._tell(message)

    def _layer_is_back(self) -> None:
        """Something may have been missed: everybody gets a fresh state."""
        _log.info("channel layer is back: %d topics are read again", len(self._topics))
        for topic in self._topics.values():
            topic.changed |= {player for player in topic.seated() if player}
            self._refresh_soon(topic)
            if topic.is_room:
                self._publish_presence(topic, ask=True)

    # The lobby, and what was missed ---------------------------------------------------------------

    def _spread_staleness(self, players: Iterable[uuid.UUID | str] = ()) -> None:
        """The lobby has changed; other processes are told at most once in `_REFRESH_SECONDS`."""
        if topic := self._topics.get(LOBBY):
            topic.changed |= set(map(str, players))
            self._refresh_soon(topic)
        if self._alone:
            return
        self._changed |= set(players)
        if self._spreading is None:
            wait = max(0.0, self._spread_at + _REFRESH_SECONDS - self._loop.time())
            self._spreading = self._loop.call_later(wait, self._publish_staleness)

    def _publish_staleness(self) -> None:
        self._spreading = None
        self._spread_at = self._loop.time()
        self._publish({"topic": LOBBY, "stale": True, "players": list(map(str, self._changed))})
        self._changed.clear()

    def _refresh_soon(self, topic: Topic) -> None:
        if topic.refreshing is None:
            wait = max(0.0, topic.refreshed_at + _REFRESH_SECONDS - self._loop.time())
            topic.refreshing = self._loop.call_later(wait, lambda: spawn(self._refresh(topic)))

    async def _refresh(self, topic: Topic) -> None:
        topic.refreshing = None
        topic.refreshed_at = self._loop.time()
        changed, topic.changed = topic.changed, set()
        try:
            text = Text(await topic.refresh())
            for listener in topic.listeners:
                listener.tell(text, topic.refresh)
            for listener in [listener for listener in topic.listeners if listener.player in changed]:
                if listener.own:
                    listener.tell(await listener.own(), topic.refresh)
        except Exception as error:  # the heartbeat asks again
            _log.warning("state of %s not read: %r", topic.name, error)

    # Presence -------------------------------------------------------------------------------------

    def _tell_presence_soon(self, topic: Topic, *, moved: bool = True) -> None:
        """Who is here has changed; `moved`: here, so that other processes are to be told."""
        topic.moved |= moved
        if topic.telling is None:
            wait = max(_PRESENCE_SECONDS, len(topic.listeners) * _PRESENCE_SECONDS_EACH)
            topic.telling = self._loop.call_later(wait, self._tell_presence, topic)

    def _tell_presence(self, topic: Topic) -> None:
        topic.telling = None
        if topic.moved:
            self._publish_presence(topic, ask=topic.told is None)
        self._show_presence(topic)

    def _publish_presence(self, topic: Topic, *, ask: bool = False) -> None:
        topic.moved = False
        counts, watchers = topic.own_counts()
        topic.tally.put(self._id, counts, time.monotonic() + presence.FORGET_SECONDS, watchers)
        self._publish({"topic": topic.name, "counts": list(counts), "watchers": watchers, "ask": ask})

    def _heard_presence(self, topic: Topic, message: dict[str, Any]) -> None:
        until = time.monotonic() + presence.FORGET_SECONDS
        south, north, spectators = map(int, message["counts"])
        watchers = tuple(presence.Watcher(*watcher) for watcher in message.get("watchers", ()))
        topic.tally.put(message["from"], presence.Counts(south, north, spectators), until, watchers)
        if message["ask"]:
            self._publish_presence(topic)
        self._tell_presence_soon(topic, moved=False)

    def _show_presence(self, topic: Topic) -> None:
        """Tell everybody here who is here, but nobody what they know."""
        total = topic.tally.total(time.monotonic())
        here = Presence(*total, names=topic.tally.names())
        news = [listener for listener in topic.listeners if listener.told != here]
        for listener in news:
            listener.told = here
        self._hand_out(topic, Text(here.text()), news)
        if total != topic.told:
            topic.told = total
            self._remember_soon(topic.name, total)
        now = total, (topic.seating and topic.seating.game, *topic.seated())
        # While the layer is lost, whoever is not heard of need not be away.
        if topic.attended and now != topic.noted and not self._layer_is_lost:
            topic.noted = now
            spawn(self._note_presence(topic, topic.attended))

    async def _note_presence(self, topic: Topic, attended: Attended) -> None:
        async with topic.noting:  # one after the other, the last with what is true by then
            if topic.told is None:
                return
            try:
                await attended(topic.told)
            except Refused:  # there is no such room
                return
            except Exception as error:
                topic.noted = None  # tried again with the next renewal
                _log.warning("presence in %s not noted: %r", topic.name, error)

    def _remember_soon(self, name: str, total: presence.Counts) -> None:
        """The cache is told of many rooms together."""
        if not self._totals:
            self._loop.call_later(_PRESENCE_SECONDS, lambda: spawn(self._remember_presence()))
        self._totals[name] = total

    async def _remember_presence(self) -> None:
        totals, self._totals = self._totals, {}
        await self._loop.run_in_executor(_remembering, presence.remember, totals)
        self._spread_staleness()

    async def _renew_presence(self) -> None:
        while True:
            await asyncio.sleep(presence.RENEW_SECONDS)
            for topic in [topic for topic in self._topics.values() if topic.is_room]:
                self._publish_presence(topic)
                self._show_presence(topic)
                if topic.told is not None:
                    self._remember_soon(topic.name, topic.told)
                await asyncio.sleep(0)  # everything else has its turn
            for topic in [topic for topic in self._topics.values() if not topic.joined]:
                await self._join_group(topic)

    # The layer ------------------------------------------------------------------------------------

    async def _start(self) -> None:
        async with self._starting:
            if self._tasks:
                return
            if not self._alone:
                self._channel = await self._layer.new_channel()
                self._tasks.append(self._loop.create_task(self._read()))
            self._tasks.append(self._loop.create_task(self._renew_presence()))

    async def _join_group(self, topic: Topic) -> None:
        if self._alone:
            return
        async with topic.joining:
            if topic.joined or self._topics.get(topic.name) is not topic:
                return
            try:
                await self._layer.group_add(topic.name, self._channel)  # which never takes long
                topic.joined = True
            except Exception as error:  # tried again with the next renewal; play goes on here
                self._layer_failed(error)

    async def _retire(self, topic: Topic) -> None:
        async with topic.joining:  # who comes meanwhile waits, and joins anew
            if topic.listeners or self._topics.get(topic.name) is not topic:
                return
            for timer in (topic.telling, topic.refreshing):
                if timer:
                    timer.cancel()
            topic.telling = topic.refreshing = None
            if topic.is_room:
                self._publish_presence(topic)
                self._remember_soon(topic.name, topic.tally.total(time.monotonic()))
            if topic.joined:
                topic.joined = False
                with contextlib.suppress(Exception):
                    async with asyncio.timeout(_PUBLISH_SECONDS):
                        await self._layer.group_discard(topic.name, self._channel)
            if topic.listeners:
                topic.told = None  # others are asked anew
            else:
                del self._topics[topic.name]

    def _publish(self, message: dict[str, Any]) -> None:
        """To other processes, without waiting; a lost one is put right by versions and heartbeats."""
        if self._alone:
            return
        if not self._outgoing:
            self._loop.call_at(self._published_at + _TOGETHER_SECONDS, self._publish_all)
        self._outgoing.append((message["topic"], {"type": "hub.message", "from": self._id, **message}))

    def _publish_all(self) -> None:
        self._published_at = self._loop.time()
        messages, self._outgoing = self._outgoing, []
        try:
            self._layer.tell_elsewhere(messages)
            self._layer_is_lost = False
        except Exception as error:
            self._layer_failed(error)

    async def _read(self) -> None:
        while True:
            try:
                self._heard(await self._layer.receive(self._channel))
            except Exception:
                _log.exception("a message of another process was lost")
                await asyncio.sleep(1)  # whatever it is, it must not keep the loop busy

    def _layer_failed(self, error: Exception) -> None:
        if not self._layer_is_lost:  # once, not for every message
            _log.warning("channel layer does not answer, other processes are not told: %r", error)
        self._layer_is_lost = True
