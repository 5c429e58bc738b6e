"""The channel layer over Redis: publish, subscribe, and a signal when something may have been missed. Not a queue.

Delivery is at most once. What this layer promises beyond that:

* `new_channel`, `receive`, `group_add` and `group_discard` never fail, and never wait long, because Redis is away.
* When `group_add` returns, the subscription is in force at Redis, or {"type": "layer.reset"} will follow.
* Every channel here receives {"type": "layer.reset"} when a lost subscription is in force again, and in place of
  what a full channel had to drop. Whoever reads the truth anew after a reset has missed nothing.
* `group_send` and `send` raise an OSError within `PATIENCE_S` when Redis does not take the message.

A process with channels holds one connection, which publishes in the order of the calls, and speaks RESP3 (Redis 6).
"""

import asyncio
import logging
import secrets
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import hiredis
import msgspec
from channels.layers import BaseChannelLayer
from prometheus_client import Histogram
from redis.asyncio import ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

Message = dict[str, Any]

Published = tuple[str, bytes]
"""A name at Redis, and what is published there."""

PATIENCE_S = 1.5
"""The longest anybody waits for Redis."""

RETRY_S = 0.3
"""Between two attempts to subscribe again."""

PING_S = 10.0
"""Between two questions whether Redis is still there."""

PONG_S = 10.0
"""A connection on which that is not answered within so long counts as lost."""

_HEAD = struct.Struct(">16sd")
"""Before every message to a group: whose channels are not to receive it, and when it was published, by that clock."""

_NOBODY = bytes(16)

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
        await self._publish([(self._group(group), _packed(message, _NOBODY))])

    def tell_elsewhere(self, messages: Iterable[tuple[str, Message]]) -> None:
        """Publish messages to a group each, in their order and without waiting; no channel here receives them.

        Raises OSError if Redis is away, or late with its answers. It may go away before it has taken them.
        """
        link = self._here()
        link.publish([(self._group(group), _packed(message, link.id)) for group, message in messages])

    async def send(self, channel: str, message: Message) -> None:
        """Publish a message to one channel, wherever it is. Raises OSError."""
        self.require_valid_channel_name(channel)
        await self._publish([(self.non_local_name(channel), msgspec.msgpack.encode((channel, message)))])

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

    async def _publish(self, messages: list[Published]) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                if self._link and self._link.loop is asyncio.get_running_loop():
                    await self._link.publish(messages).answered()
                else:  # a connection belongs to one event loop, and this one may not live long
                    line = await _Line.open(self._url)
                    try:
                        line.publish(messages)
                        await line.answered()
                    finally:
                        line.close()
        except (RedisError, hiredis.HiredisError) as error:
            raise ConnectionError(f"Redis did not take a message: {error}") from error


def _packed(message: Message, not_to: bytes) -> bytes:
    return _HEAD.pack(not_to, time.time()) + msgspec.msgpack.encode(message)


def _command(*parts: str | bytes) -> bytes:
    packed: bytes = hiredis.pack_command(parts)  # type: ignore[arg-type]  # the stubs take it for a tuple of one
    return packed


class _Line(asyncio.Protocol):
    """A connection to Redis, which answers in order what it is asked, and pushes in between what was subscribed to.

    redis-py makes the connection, since it knows addresses, TLS and passwords. Then its transport is taken over, and
    read with hiredis: through redis-py every message would cost more than all the rest of a move.
    """

    def __init__(self, writer: asyncio.StreamWriter, hear: Callable[[list[Any]], object]) -> None:
        self._hear = hear
        self._writer = writer  # would close its transport if nobody held it
        self._transport: Any = writer.transport
        self._transport.set_protocol(self)
        self._reader = hiredis.Reader()
        self._loop = asyncio.get_running_loop()
        self._asked = self._answered = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        self.heard_at = self._loop.time()
        self.lost: asyncio.Future[None] = self._loop.create_future()

    @classmethod
    async def open(cls, url: str, hear: Callable[[list[Any]], object] = list) -> "_Line":
        """Connect; `hear` is told what is pushed. Raises RedisError and OSError."""
        # No socket_timeout: redis-py would read through asyncio.wait_for, which loses cancellations in Python 3.11.
        options = {"socket_timeout": None, "retry": Retry(NoBackoff(), 0), "protocol": 2}
        connection: Any = ConnectionPool.from_url(url, **options).make_connection()
        try:
            async with asyncio.timeout(PATIENCE_S):
                await connection.connect()
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        line = cls(connection._writer, hear)  # noqa: SLF001  # redis-py has no other name for it
        connection._reader = connection._writer = None  # noqa: SLF001  # so that it does not close what is ours now
        line.ask("HELLO", "3")
        return line

    def ask(self, *command: str) -> None:
        """Send a command that has one answer."""
        self._send_counted([_command(*command)])

    def send(self, packed: bytes) -> None:
        """Send commands that are answered by what is pushed."""
        self._transport.write(packed)

    def publish(self, messages: list[Published]) -> None:
        """Send without waiting. Raises OSError if the connection is lost, or as good as."""
        if self._answered < self._asked and self._loop.time() - self.heard_at > PATIENCE_S:
            self.close()
        if self._transport.is_closing():
            raise ConnectionError("Redis does not answer")
        self._send_counted([_command("PUBLISH", name, data) for name, data in messages])

    def _send_counted(self, commands: list[bytes]) -> None:
        if self._asked == self._answered:
            self.heard_at = self._loop.time()  # nothing was to be heard before
        self._asked += len(commands)
        self.send(b"".join(commands))

    async def answered(self) -> None:
        """Return when everything asked so far is answered. Raises OSError and HiredisError."""
        if self.lost.done():
            self.lost.result()
        if self._answered == self._asked:
            return
        answer: asyncio.Future[None] = self._loop.create_future()
        self._waiting.append((self._asked, answer))
        try:
            await answer
        except asyncio.CancelledError:  # it takes too long
            self.close()
            raise

    def close(self) -> None:
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self.heard_at = self._loop.time()
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not False:
                if isinstance(reply, hiredis.PushNotification):
                    self._hear(reply)
                elif isinstance(reply, hiredis.ReplyError):
                    raise reply  # like what is no reply at all
                else:
                    self._answered += 1
        except hiredis.HiredisError as error:
            self._lose(error)
            self.close()
        while self._waiting and self._waiting[0][0] <= self._answered:
            answer = self._waiting.popleft()[1]
            if not answer.done():
                answer.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        self._lose(error or ConnectionError("Redis closed the connection"))

    def _lose(self, error: Exception) -> None:
        for future in (self.lost, *(answer for _, answer in self._waiting)):
            if not future.done():
                future.set_exception(error)
                future.exception()  # seen, even if nobody asks for it
        self._waiting.clear()


class _Link:
    """What a process hears from Redis, on one event loop, and a task that stays connected for ever."""

    def __init__(self, url: str, inbox: str, capacity: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.id = secrets.token_bytes(16)
        self._url = url
        self._inbox = inbox
        self._capacity = capacity
        self._channels: dict[str, asyncio.Queue[Message]] = {}
        self._groups: dict[str, set[str]] = {}  # what is wanted: the channels of each group
        self._asked: set[str] = set()  # the names Redis was asked for on the present connection
        self._in_force: set[str] = set()  # the names Redis has confirmed on it
        self._expected: dict[str, asyncio.Future[None]] = {}  # of the names that somebody waits for
        self._newly_expected: list[asyncio.Future[None]] = []
        self._to_ask: dict[str, None] = {}  # the names that are wanted or not since the last turn of the loop
        self._stale = False  # something may have been missed, a reset is due
        self._timed_at = 0.0  # of what comes together the first is timed
        self._line: _Line | None = None
        self._task = self.loop.create_task(self._stay_connected(), name="redis")

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
        self._ask_for(name)
        await self._subscription(name)

    async def leave(self, name: str, channel: str) -> None:
        members = self._groups.get(name, set())
        members.discard(channel)
        if not members:
            self._groups.pop(name, None)
            self._tell_waiting(name)
            self._ask_for(name)

    def publish(self, messages: list[Published]) -> _Line:
        """On the connection that is answered. Raises OSError."""
        if self._line is None:
            raise ConnectionError("Redis is away")
        self._line.publish(messages)
        return self._line

    async def close(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _subscription(self, name: str) -> None:
        """Return when a subscription is in force, or not wanted any more, or else a reset is due."""
        if name in self._in_force or self._stale:
            return
        expected = self._expected.get(name)
        if expected is None:
            expected = self._expected[name] = self.loop.create_future()
            if not self._newly_expected:
                self.loop.call_soon(self._have_patience)
            self._newly_expected.append(expected)
        await asyncio.shield(expected)

    def _have_patience(self) -> None:
        """Those that are expected since the same turn of the loop share a timer."""
        expected, self._newly_expected = self._newly_expected, []
        self.loop.call_later(PATIENCE_S, self._lose_patience, expected)

    def _lose_patience(self, expected: Iterable[asyncio.Future[None]]) -> None:
        if not all(each.done() for each in expected):
            self._expect_reset("it does not answer")

    def _ask_for(self, name: str) -> None:
        """Subscribe or unsubscribe, as is wanted, together with all that come in this turn of the loop."""
        if not self._to_ask:
            self.loop.call_soon(self._ask)
        self._to_ask[name] = None

    def _ask(self) -> None:
        """Without a connection, `_stay_connected` asks for everything."""
        names, self._to_ask = self._to_ask, {}
        wanted = [name for name in names if name in self._groups and name not in self._asked]
        unwanted = [name for name in names if name not in self._groups and name in self._asked]
        if self._line is None:
            return
        self._asked.update(wanted)
        self._asked.difference_update(unwanted)
        self._in_force.difference_update(unwanted)
        commands = (("SUBSCRIBE", wanted), ("UNSUBSCRIBE", unwanted))
        self._line.send(b"".join(_command(what, *those) for what, those in commands if those))

    async def _stay_connected(self) -> None:
        while True:
            try:
                await self._connect()
            except Exception as error:  # noqa: BLE001  whatever it was: a process must not go deaf
                self._expect_reset(str(error) or repr(error))
            await asyncio.sleep(RETRY_S)

    async def _connect(self) -> None:
        """Raise what ends the connection."""
        line = await _Line.open(self._url, self._hear)
        try:
            self._line = line
            self._asked = {self._inbox, *self._groups}
            line.send(_command("SUBSCRIBE", *self._asked))
            while not (await asyncio.wait({line.lost}, timeout=PING_S))[0]:
                line.ask("PING")
                try:
                    async with asyncio.timeout(PONG_S):
                        await line.answered()
                except TimeoutError:
                    raise TimeoutError("silent for too long") from None
            line.lost.result()
        finally:
            self._line = None
            self._asked.clear()
            self._in_force.clear()
            line.close()

    def _hear(self, push: list[Any]) -> None:
        kind, data = push[0], push[2]
        if kind == b"message" and data[: len(self.id)] == self.id:  # one's own, which Redis sends back
            self._note_lag(data)
            return
        name = push[1].decode()
        if kind == b"message":
            self._deliver(name, data)
        elif kind == b"subscribe":
            self._confirm(name)

    def _confirm(self, name: str) -> None:
        if name in self._asked:
            self._in_force.add(name)
            self._tell_waiting(name)
        if self._stale and self._groups.keys() <= self._in_force:
            self._stale = False
            _log.warning("Redis is back, %d groups are subscribed again", len(self._groups))
            for queue in self._channels.values():
                self._put(queue, _reset())

    def _deliver(self, name: str, data: bytes) -> None:
        try:
            if name == self._inbox:
                channel, message = msgspec.msgpack.decode(data, type=tuple[str, Message])
                receivers = {channel: message}
            else:
                self._note_lag(data)
                body = memoryview(data)[_HEAD.size :]
                receivers = {c: msgspec.msgpack.decode(body, type=Message) for c in self._groups.get(name, ())}
        except (struct.error, msgspec.DecodeError) as error:
            _log.warning("a message on %s is none of ours: %s", name, error)
            return
        for channel, message in receivers.items():
            if queue := self._channels.get(channel):
                self._put(queue, message)

    def _note_lag(self, packed: bytes) -> None:
        if self._line and self._timed_at != self._line.heard_at:
            self._timed_at = self._line.heard_at
            _, sent_at = _HEAD.unpack_from(packed)
            _LAG_SECONDS.observe(max(0.0, time.time() - sent_at))

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
        for name in tuple(self._expected):
            self._tell_waiting(name)

    def _tell_waiting(self, name: str) -> None:
        expected = self._expected.pop(name, None)
        if expected:
            expected.set_result(None)


def _reset() -> Message:
    return {"type": "layer.reset"}
