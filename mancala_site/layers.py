"""The channel layer over Redis: publish, subscribe, and a signal when something may have been missed. Not a queue.

Delivery is at most once. What this layer promises beyond that:

* `new_channel`, `receive`, `group_add` and `group_discard` never fail, and never wait long, because Redis is away.
* When `group_add` returns, the subscription is in force at Redis, or {"type": "layer.reset"} will follow.
* Every channel here receives {"type": "layer.reset"} when a lost subscription is in force again, and in place of
  what a full channel had to drop. Whoever reads the truth anew after a reset has missed nothing.
* `group_send` and `send` raise an OSError within `PATIENCE_S` when Redis does not take the message.

A process with channels holds two connections: one subscribes, one publishes in the order of the calls.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec
from channels.layers import BaseChannelLayer
from prometheus_client import Histogram
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

Message = dict[str, Any]

PATIENCE_S = 1.5
"""The longest anybody waits for Redis."""

RETRY_S = 0.3
"""Between two attempts to subscribe again."""

SILENCE_S = 10.0
"""Without a word from Redis for so long it is asked for one; after twice as long it counts as lost."""

_SENT_AT = "layer.sent_at"
"""The key under which a message to a group says when it was published, by the sender's clock."""

_LAG_SECONDS = Histogram(
    "mancala_layer_lag_seconds",
    "From publishing a message to a group until a process takes it from Redis.",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)

_log = logging.getLogger(__name__)


class ResyncPubSubChannelLayer(BaseChannelLayer):
    """Groups over Redis publish/subscribe. Receives on one event loop; sends from any."""

    extensions = ("groups", "flush")

    def __init__(self, url: str, prefix: str = "mancala", capacity: int = 1000) -> None:
        super().__init__(capacity=capacity)
        self._url = url
        self._prefix = prefix
        self._link: _Link | None = None

    async def new_channel(self) -> str:
        """The name of a new channel of this process; messages wait there, up to `capacity`, until received."""
        return await self._here().open_channel()

    async def receive(self, channel: str) -> Message:
        """The next message of a channel of this process. Cancelling it forgets the channel."""
        return await self._here().receive(channel)

    async def group_add(self, group: str, channel: str) -> None:
        """Put a channel of this process into a group."""
        self.require_valid_group_name(group)
        await self._here().join(self._group(group), channel)

    async def group_discard(self, group: str, channel: str) -> None:
        """Take a channel out of a group."""
        await self._here().leave(self._group(group), channel)

    async def group_send(self, group: str, message: Message) -> None:
        """Publish a message to a group. Raises OSError."""
        self.require_valid_group_name(group)
        await self._publish((self._group(group), _packed(message)))

    async def group_send_all(self, messages: Iterable[tuple[str, Message]]) -> None:
        """Publish messages to a group each, in their order and one trip. Raises OSError."""
        await self._publish(*((self._group(group), _packed(message)) for group, message in messages))

    async def send(self, channel: str, message: Message) -> None:
        """Publish a message to one channel, wherever it is. Raises OSError."""
        self.require_valid_channel_name(channel)
        await self._publish((self.non_local_name(channel), msgspec.msgpack.encode((channel, message))))

    async def flush(self) -> None:
        """Forget every channel and group of this process and close its connections."""
        link, self._link = self._link, None
        if link:
            await link.close()

    def _group(self, group: str) -> str:
        return f"{self._prefix}.group.{group}"

    def _here(self) -> "_Link":
        loop = asyncio.get_running_loop()
        if self._link is None or self._link.loop.is_closed():
            self._link = _Link(self._url, f"{self._prefix}.{secrets.token_hex(8)}!", self.capacity)
        elif self._link.loop is not loop:
            raise RuntimeError("the channels of this process belong to another event loop")
        return self._link

    async def _publish(self, *messages: tuple[str, bytes]) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                if self._link and self._link.loop is asyncio.get_running_loop():
                    await self._link.publish(*messages)
                else:  # a connection belongs to one event loop, and this one may not live long
                    async with _client(self._url) as publisher:
                        await _publish(publisher, messages)
        except RedisError as error:
            raise ConnectionError(f"Redis did not take a message: {error}") from error


def _client(url: str, *, retries: int = 0) -> Redis:
    # No socket_timeout: redis-py would read through asyncio.wait_for, which loses cancellations in Python 3.11.
    return Redis.from_url(
        url, socket_timeout=None, socket_connect_timeout=PATIENCE_S, retry=Retry(NoBackoff(), retries), protocol=2
    )


def _packed(message: Message) -> bytes:
    return msgspec.msgpack.encode({**message, _SENT_AT: time.time()})


async def _publish(publisher: Redis, messages: Iterable[tuple[str, bytes]]) -> None:
    async with publisher.pipeline(transaction=False) as pipeline:
        for name, message in messages:
            pipeline.publish(name, message)
        await pipeline.execute()


class _Link:
    """The two connections of a process, on one event loop, and a task that keeps its groups subscribed for ever."""

    def __init__(self, url: str, inbox: str, capacity: int) -> None:
        self.loop = asyncio.get_running_loop()
        self._subscriber = _client(url)
        self._publisher = _client(url, retries=1)  # one, for the connection that a restart of Redis left dead
        self._publishing = asyncio.Lock()
        self._inbox = inbox
        self._capacity = capacity
        self._channels: dict[str, asyncio.Queue[Message]] = {}
        self._groups: dict[str, set[str]] = {}  # what is wanted: the channels of each group
        self._asked: set[str] = set()  # the names Redis was asked for on the present connection
        self._in_force: set[str] = set()  # the names Redis has confirmed on it
        self._changed = asyncio.Event()  # set, and replaced, whenever `_in_force` or `_stale` changes
        self._stale = False  # something may have been missed, a reset is due
        self._pubsub: PubSub | None = None
        self._sending = asyncio.Lock()  # guards `_pubsub` and `_asked`
        self._task = self.loop.create_task(self._stay_subscribed(), name="redis subscriber")

    async def open_channel(self) -> str:
        channel = self._inbox + secrets.token_hex(8)
        self._channels[channel] = asyncio.Queue()
        await self._subscription(self._inbox)
        return channel

    async def receive(self, channel: str) -> Message:
        try:
            return await self._channels[channel].get()
        except asyncio.CancelledError:  # Channels has no other way to say that nobody will receive here any more
            self._channels.pop(channel, None)
            raise

    async def join(self, name: str, channel: str) -> None:
        self._groups.setdefault(name, set()).add(channel)
        await self._ask_for(name)
        await self._subscription(name)

    async def leave(self, name: str, channel: str) -> None:
        members = self._groups.get(name, set())
        members.discard(channel)
        if not members:
            self._groups.pop(name, None)
            await self._ask_for(name)

    async def publish(self, *messages: tuple[str, bytes]) -> None:
        async with self._publishing:
            await _publish(self._publisher, messages)

    async def close(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self._subscriber.aclose()
        await self._publisher.aclose()

    async def _subscription(self, name: str) -> None:
        """Return when a subscription is in force, or else a reset is due."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not (name in self._in_force or self._stale or self._is_unwanted(name)):
                    await self._changed.wait()
        except TimeoutError:
            self._expect_reset("it does not answer")

    def _is_unwanted(self, name: str) -> bool:
        return name != self._inbox and name not in self._groups

    async def _ask_for(self, name: str) -> None:
        """Subscribe or unsubscribe, as is wanted by the time it can be sent."""
        async with self._sending:
            if self._pubsub is None:  # `_subscribe` asks for everything wanted
                return
            try:
                async with asyncio.timeout(PATIENCE_S):
                    if name in self._groups and name not in self._asked:
                        self._asked.add(name)
                        await self._pubsub.subscribe(name)
                    elif name not in self._groups and name in self._asked:
                        self._asked.discard(name)
                        self._in_force.discard(name)
                        await self._pubsub.unsubscribe(name)
            except (RedisError, OSError):
                await self._pubsub.aclose()  # the reading task notices, and begins again

    async def _stay_subscribed(self) -> None:
        while True:
            try:
                async with self._subscriber.pubsub() as pubsub:
                    await self._subscribe(pubsub)
                    await self._read(pubsub)
            except Exception as error:  # noqa: BLE001  whatever it was: a process must not go deaf
                self._pubsub = None
                self._asked.clear()
                self._in_force.clear()
                self._expect_reset(str(error) or repr(error))
                await asyncio.sleep(RETRY_S)

    async def _subscribe(self, pubsub: PubSub) -> None:
        async with self._sending, asyncio.timeout(PATIENCE_S):
            names = (self._inbox, *self._groups)
            await pubsub.subscribe(*names)
            self._asked.update(names)
            self._pubsub = pubsub

    async def _read(self, pubsub: PubSub) -> None:
        asked_for_a_word = False
        while True:
            reply = await pubsub.get_message(timeout=SILENCE_S)
            if reply is None:
                if asked_for_a_word:
                    raise TimeoutError("silent for too long")
                await pubsub.ping()
                asked_for_a_word = True
                continue
            asked_for_a_word = False
            name = reply["channel"].decode() if reply["channel"] else ""
            if reply["type"] == "subscribe":
                self._confirm(name)
            elif reply["type"] == "message":
                self._deliver(name, reply["data"])

    def _confirm(self, name: str) -> None:
        if name == self._inbox and name in self._in_force:
            raise ConnectionError("redis-py replaced the connection by itself")
        if name in self._asked:
            self._in_force.add(name)
        if self._stale and self._groups.keys() <= self._in_force:
            self._stale = False
            _log.warning("Redis is back, %d groups are subscribed again", len(self._groups))
            for queue in self._channels.values():
                self._put(queue, _reset())
        self._tell_waiting()

    def _deliver(self, name: str, data: bytes) -> None:
        try:
            if name == self._inbox:
                channel, message = msgspec.msgpack.decode(data, type=tuple[str, Message])
                receivers = {channel: message}
            else:
                receivers = {c: msgspec.msgpack.decode(data, type=Message) for c in self._groups.get(name, ())}
                for message in receivers.values():
                    _LAG_SECONDS.observe(max(0.0, time.time() - message.pop(_SENT_AT, time.time())))
        except msgspec.DecodeError as error:
            _log.warning("a message on %s is none of ours: %s", name, error)
            return
        for channel, message in receivers.items():
            if queue := self._channels.get(channel):
                self._put(queue, message)

    def _put(self, queue: asyncio.Queue[Message], message: Message) -> None:
        if queue.qsize() >= self._capacity:
            while not queue.empty():
                queue.get_nowait()
            message = _reset()
        queue.put_nowait(message)

    def _expect_reset(self, reason: str) -> None:
        if not self._stale:
            _log.warning("Redis is away, other processes are not heard: %s", reason)
        self._stale = True
        self._tell_waiting()

    def _tell_waiting(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def _reset() -> Message:
    return {"type": "layer.reset"}
