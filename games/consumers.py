"""Websockets: text -> message -> action -> text. Never a query, a rule or a permission decision."""

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import Error as DatabaseError

from games import actions, advice, bots, caps, metrics, players, protocol, snapshot, storage, thinking
from games.broadcast import LOBBY, Attended, Hub, Seating, is_room
from games.limits import Bucket
from games.listener import Listener, Outlet, Refresh, Text
from games.presence import Counts
from games.protocol import (
    Advise,
    Answer,
    Claim,
    Close,
    Incoming,
    Offer,
    Ping,
    Play,
    Pong,
    React,
    Refusal,
    Refused,
    RefusedMessage,
    Resign,
    Say,
    Swap,
    SwitchTalk,
    Sync,
    TalkMessage,
    Welcome,
)

_PATIENCE = 100  # messages too many, or nonsense, that one socket may send at once before it is closed

_log = logging.getLogger(__name__)


class SocketConsumer(AsyncWebsocketConsumer):
    """A socket of a topic: limits, refusals, and a place in the hub. What it says is up to the subclasses."""

    kind = ""
    """Among the figures."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = Bucket(settings.SOCKET_RATE, settings.SOCKET_BURST)
        self._patience = Bucket(rate=1, burst=_PATIENCE)
        self._listener: Listener | None = None
        self._outlet: Outlet | None = None
        self._open = True
        self._is_busy = False
        self._heard: asyncio.Future[Any] | None = None  # what is done about a message that came past ASGI
        self._advised: asyncio.Future[None] | None = None  # what is thought about beside
        self._address: str | None = None  # of a socket that is counted
        self.topic = LOBBY

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket. Whatever ends it, an exception or a stopping server too, it leaves the hub.

        Channels would listen to a layer beside, for which every message costs two tasks, and hop through the
        database thread for each.
        """
        self.scope = scope
        self.base_send = send
        try:
            with suppress(StopConsumer):
                while True:
                    self._is_busy = False
                    message = await receive()
                    self._is_busy = True
                    while self._heard:
                        await asyncio.wait((self._heard,))
                    if message["type"] == "websocket.receive":
                        await self.receive(message.get("text"), message.get("bytes"))
                    else:
                        await getattr(self, get_handler_name(message))(message)
        finally:
            if self._outlet:
                self._outlet.hear = None
            if self._advised:
                self._advised.cancel()
            if self._listener:
                Hub.current().leave(self.topic, self._listener)
                metrics.went(self.kind, self._room)
            if self._address is not None:
                caps.gone(self._address)

    async def connect(self) -> None:
        """Accept, so that whatever follows can be read by the page; then join and send the whole state."""
        await self.accept()
        offered: dict[str, Any] = self.scope.get("extensions") or {}
        self._outlet = offered.get("mancala.outlet")
        address = caps.address_of(self.scope)
        if not caps.may_come(address):
            await self.shut(Close.FLOODING)
            return
        self._address = address
        try:
            await self.enter()
        except Refused as refused:
            if caps.is_guessing(address):
                await self.shut(Close.FLOODING)
            elif refused.refusal is Refusal.NO_SUCH_ROOM:
                caps.missed(address)
                await self.shut(Close.NO_SUCH_ROOM)
            elif refused.refusal is Refusal.NOT_OVER:
                await self.shut(Close.NOT_OVER)
            else:
                await self.shut(Close.RESTARTING)
        except DatabaseError as error:
            _log.error("a socket of %s: the database did not answer: %r", self.topic, error, extra=self._ids())
            await self.shut(Close.RESTARTING)
        except Exception:
            _log.exception("a socket of %s could not be served", self.topic, extra=self._ids())
            await self.shut(Close.RESTARTING)

    async def enter(self) -> None:
        """Join the hub, then read, then tell. Raises `Refused`."""
        raise NotImplementedError

    async def handle(self, message: Incoming) -> None:
        """Act on a message. Raises `Refused`."""
        raise NotImplementedError

    def who(self) -> uuid.UUID | None:
        """Who opened this socket."""
        return players.identity(self.scope)

    async def join(self, refresh: Refresh, own: Refresh | None = None, attended: Attended | None = None) -> Listener:
        """Listen to this socket's topic: `refresh` reads its state for all here, `own` what is for this player.

        `attended` is told when the number of those who are there changes.
        """
        self._listener = Listener(self.tell, self.shut, self.who(), own, self._outlet)
        metrics.came(self.kind, self._room, again=self.scope["query_string"] == b"again")
        await Hub.current().join(self.topic, self._listener, refresh, attended)
        return self._listener

    async def tell(self, text: str) -> None:
        """Send a text. Who asks on and on and reads nothing is sent away, to come back when there is a line again."""
        if self._outlet is None:
            await self.send(text)
        elif not self._outlet.write(Text(text).frame):
            await self.shut(Close.RESTARTING)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Act on a frame; whatever is wrong with it is told to its sender and to nobody else."""
        if not self._open:
            return
        if not self._bucket.take(time.monotonic()):
            await self.bear(Refusal.TOO_FAST)
        elif text_data is None:
            await self.bear(Refusal.MALFORMED)
        elif len(text_data.encode(errors="replace")) > protocol.MAX_FRAME_BYTES:
            await self.shut(Close.TOO_LARGE)
        else:
            await self._receive_text(text_data)

    async def _receive_text(self, text: str) -> None:
        try:
            message = protocol.parse(text)
        except Refused as refused:
            await self.bear(refused.refusal)
            return
        await self.act(message)

    async def act(self, message: Incoming) -> None:
        """Act on a message; why it cannot be done is told to its sender."""
        await self._attempt(str(message.__struct_config__.tag), self.handle(message))

    async def _attempt(self, asked: str, handling: Awaitable[None]) -> None:
        try:
            try:
                await handling
            except Refused as refused:
                await self.explain(asked, refused.refusal)
        except DatabaseError as error:
            _log.error("%s in %s: the database did not answer: %r", asked, self.topic, error, extra=self._ids())
            await self.refuse(asked, Refusal.UNAVAILABLE)
        except Exception:
            _log.exception("%s in %s failed", asked, self.topic, extra=self._ids())
            await self.refuse(asked, Refusal.UNAVAILABLE)

    async def explain(self, asked: str, refusal: Refusal) -> None:
        """Say why a well-formed message was refused."""
        await self.refuse(asked, refusal)

    async def refuse(self, asked: str, refusal: Refusal) -> None:
        """Say no to the sender."""
        metrics.REFUSALS.labels(refusal.value).inc()
        await self.tell(RefusedMessage(re=asked, code=refusal.value).text())

    async def bear(self, refusal: Refusal) -> None:
        """Refuse too much, or nonsense. Who keeps sending it is closed."""
        if self._patience.take(time.monotonic()):
            await self.refuse("", refusal)
        else:
            await self.shut(Close.FLOODING)

    async def shut(self, code: Close) -> None:
        """Close the socket with a code that the page understands."""
        if self._open:
            self._open = False
            metrics.CLOSED.labels(code.value).inc()
            if code in {Close.FLOODING, Close.TOO_LARGE}:
                _log.warning("a socket of %s was closed: %s", self.topic, code.name, extra=self._ids())
            await self.close(code=code.value)

    @property
    def _room(self) -> str:
        """The code of the room, or nothing."""
        return self.topic if is_room(self.topic) else ""

    def _ids(self) -> dict[str, str]:
        """What a structured log says besides the words."""
        return {"room": self._room, "player": str(self.who() or "")}


_FirstTold = tuple[str | None, Welcome, TalkMessage | None]


class RoomConsumer(SocketConsumer):
    """A socket in a room: players and spectators alike."""

    kind = "room"

    async def enter(self) -> None:
        """Join the room's audience, then read the game, then welcome; and tell a player what the two wrote."""
        self.topic = self.scope["url_route"]["kwargs"]["code"]
        self._has_clock: bool | None = None
        self._player = self.who()
        listener = await self.join(self._refresh, self._talk, self._attended)
        listener.name, welcome, talk = await _first_told.ask(self)
        if welcome.you is None and caps.is_guessing(caps.address_of(self.scope)):
            raise Refused(Refusal.TOO_FAST)
        listener.begin(welcome.text())
        listener.tell(talk.text() if talk else "", self._refresh)
        self._seat(welcome)
        if self._outlet:
            self._outlet.hear = self._hear

    def read(self, room: snapshot.Room) -> _FirstTold:
        """What this socket is known by and told first."""
        game = room.game
        sits = {"S": game.south, "N": game.north}.get(game.seat_of(self._player) or "")
        name = sits.name if sits else players.name(self.scope)
        return name, snapshot.welcome_to(game, self._player, room.state), snapshot.talk_of(game, self._player)

    def _seat(self, welcome: Welcome) -> None:
        state = welcome.snapshot
        if any(seat and seat.level for seat in (state.seats.S, state.seats.N)):
            bots.look_after(self.topic)
        self._has_clock = bool(state.control)
        Hub.current().welcomed(self.topic, Seating(state.game, state.version, *state.seats.players()))

    async def _attended(self, counts: Counts) -> None:
        if self._has_clock is not False:
            await storage.write(actions.attend, self.topic, south=counts.south > 0, north=counts.north > 0)

    async def _refresh(self) -> str:
        state = await storage.run(snapshot.read, self.topic)
        return state.text()

    async def _talk(self) -> str:
        talk = await storage.run(snapshot.talk, self.topic, self._player) if self._player else None
        return talk.text() if talk else ""

    async def handle(self, message: Incoming) -> None:
        """Act on a message of somebody in the room."""
        match message:
            case Sync():
                _, welcome, talk = await _first_told.ask(self)
                self._seat(welcome)
                await self.tell(welcome.text())
                if talk:
                    await self.tell(talk.text())
            case Ping(game=game, version=version, sent_at=sent_at):
                await self._answer_ping((game, version), sent_at)
            case React() | SwitchTalk() | Say():
                await self._speak(message)
            case Advise():
                if self._advised is None or self._advised.done():  # beside: who waits for it may sow meanwhile
                    self._advised = asyncio.ensure_future(self._attempt("advise", self._advise(message)))
            case _:
                await self._play(message)

    async def _advise(self, message: Advise) -> None:
        question = await storage.run(advice.question, self.topic, self._player, game=message.game, ply=message.ply)
        thinkers = thinking.thinkers()
        if thinkers.is_busy:
            raise Refused(Refusal.UNAVAILABLE)
        given = await asyncio.wrap_future(thinkers.soon(partial(advice.answer, question)))
        await self.tell(given.text())

    def _hear(self, text: bytes) -> bool:
        """Deal with a ply as it comes, if nothing is in its way. Whatever is to be refused is none of its business."""
        ledger = storage.ledger()
        if ledger is None or self._is_busy or self._heard or not self._open:
            return False
        began = time.perf_counter()
        message = protocol.parse_play(text)
        if message is None:
            return False
        try:
            move = actions.prepare(self.topic, self._player, game=message.game, ply=message.ply, pit=message.pit)
        except Exception:
            _log.exception("a ply in %s could not be prepared", self.topic, extra=self._ids())
            return False
        if move is None or not self._bucket.take(time.monotonic()):
            return False
        self._heard = ledger.record(move)
        self._heard.add_done_callback(lambda recorded: self._recorded(recorded, message, began))
        return True

    def _recorded(self, recorded: asyncio.Future[bool], message: Play, began: float) -> None:
        self._heard = None
        if not recorded.exception() and recorded.result():
            metrics.moved(began)
        else:
            self._heard = asyncio.ensure_future(self.act(message))
            self._heard.add_done_callback(self._acted)

    def _acted(self, _: object) -> None:
        self._heard = None

    async def _play(self, message: Play | Swap | Resign | Offer | Answer | Claim) -> None:
        match message:
            case Play(game=game, ply=ply, pit=pit):
                began = time.perf_counter()
                move = actions.prepare(self.topic, self._player, game=game, ply=ply, pit=pit)
                if move is None or not await storage.record(move):
                    await storage.write(actions.play, self.topic, self._player, game=game, ply=ply, pit=pit)
                metrics.moved(began)
            case Swap(game=game, ply=ply):
                await storage.write(actions.swap, self.topic, self._player, game=game, ply=ply)
            case Resign(game=game):
                await storage.write(actions.resign, self.topic, self._player, game=game)
            case Offer(game=game, kind=kind, ply=ply):
                await storage.write(actions.offer, self.topic, self._player, game=game, kind=kind, ply=ply)
            case Answer(game=game, offer=number, accept=accept):
                await storage.write(actions.answer, self.topic, self._player, game=game, number=number, accept=accept)
            case Claim(game=game, win=win):
                await storage.write(actions.claim, self.topic, self._player, game=game, win=win)

    async def _speak(self, message: React | SwitchTalk | Say) -> None:
        # Each for itself: the cache is asked too, and no move waits in the same transaction for that.
        match message:
            case React(kind=kind):
                await storage.run(actions.react, self.topic, self._player, kind=kind)
            case SwitchTalk(on=on):
                await storage.run(actions.switch_talk, self.topic, self._player, on=on)
            case Say(text=text):
                await storage.run(actions.say, self.topic, self._player, text=text)

    async def explain(self, asked: str, refusal: Refusal) -> None:
        """Say why; who is behind the game is brought up to date, and leaves a room that is gone."""
        if refusal is Refusal.NO_SUCH_ROOM:
            await self.shut(Close.NO_SUCH_ROOM)
            return
        await super().explain(asked, refusal)
        if refusal in {Refusal.STALE_PLY, Refusal.GAME_OVER, Refusal.OFFER_GONE, Refusal.NO_CLAIM}:
            await self.tell(await self._refresh())

    async def _answer_ping(self, held: tuple[int, int], sent_at: float) -> None:
        if await storage.run(snapshot.version, self.topic) == held:
            await self.tell(Pong(sent_at=sent_at, now=snapshot.moment()).text())
        else:
            await self.tell(await self._refresh())


def _read_first(sockets: Sequence[RoomConsumer]) -> list[_FirstTold | Exception]:
    """What each of many is told first; a room that several came to is read once."""
    rooms = snapshot.rooms(socket.topic for socket in sockets)
    return [
        socket.read(rooms[socket.topic]) if socket.topic in rooms else Refused(Refusal.NO_SUCH_ROOM)
        for socket in sockets
    ]


_first_told = storage.Reading(_read_first)


class WatchConsumer(RoomConsumer):
    """A socket of a room inside somebody else's page: it watches, whoever's browser it is."""

    kind = "watch"

    def who(self) -> None:
        """Nobody."""


class LobbyConsumer(SocketConsumer):
    """A socket of somebody looking at the lobby."""

    kind = "lobby"

    async def enter(self) -> None:
        """Join the lobby's audience, then read it, then tell; and whoever it is, their own games."""
        self._player = self.who()
        listener = await self.join(self._refresh, self._mine)
        listener.begin(await self._refresh())
        if self._player:
            listener.tell(await self._mine(), self._refresh)

    async def _refresh(self) -> str:
        lobby = await storage.run(snapshot.lobby)
        return lobby.text()

    async def _mine(self) -> str:
        mine = await storage.run(snapshot.mine, self._player)
        return mine.text()

    async def handle(self, message: Incoming) -> None:
        """The lobby can be asked for, and pinged."""
        match message:
            case Ping(sent_at=sent_at):
                await self.tell(Pong(sent_at=sent_at, now=snapshot.moment()).text())
            case Sync():
                await self.tell(await self._refresh())
                if self._player:
                    await self.tell(await self._mine())
            case _:
                raise Refused(Refusal.NOT_SEATED)


class NowhereConsumer(SocketConsumer):
    """A socket on a path that we do not serve: told so in a way that a page can read."""

    def __init__(self, code: Close = Close.NO_SUCH_ROOM) -> None:
        super().__init__()
        self._code = code

    async def enter(self) -> None:
        """Close at once."""
        await self.shut(self._code)

    async def handle(self, message: Incoming) -> None:
        """Nothing can be asked here."""
