"""The sockets of rooms and of the lobby: message -> action -> text. Never a query, a rule or a permission decision."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from games import actions, advice, bots, caps, lists, metrics, players, protocol, snapshot, storage, thinking
from games.hub import Hub
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
    Resign,
    Say,
    Swap,
    SwitchTalk,
    Sync,
    TalkMessage,
    Welcome,
)
from games.reading import Reading
from games.sockets import SocketConsumer
from games.topics import Seating

_log = logging.getLogger(__name__)

_FirstTold = tuple[str | None, Welcome, TalkMessage | None]


class RoomConsumer(SocketConsumer):
    """A socket in a room: players and spectators alike."""

    kind = "room"

    async def enter(self) -> None:
        """Join the room's audience, then read the game, then welcome; and tell a player what the two wrote."""
        self.topic = self.scope["url_route"]["kwargs"]["code"]
        self._has_clock: bool | None = None
        self._ledger: storage.Ledger | None = None
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
                if self._advised:
                    self._advised.cancel()  # the last question counts
                # Beside: who waits for the answer may sow meanwhile.
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
        ledger = self._ledger = self._ledger or storage.ledger()
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
        self._heard = True
        ledger.record(move, partial(self._recorded, message, began))
        return True

    def _recorded(self, message: Play, began: float, answer: bool | Exception) -> None:
        if answer is True:
            metrics.moved(began)
            self._dealt_with()
        else:
            acting = asyncio.ensure_future(self.act(message))
            acting.add_done_callback(self._dealt_with)

    async def _play(self, message: Play | Swap | Resign | Offer | Answer | Claim) -> None:
        match message:
            case Play(game=game, ply=ply, pit=pit):
                began = time.perf_counter()
                await self._write(actions.prepare, actions.play, game=game, ply=ply, pit=pit)
                metrics.moved(began)
            case Swap(game=game, ply=ply):
                await storage.write(actions.swap, self.topic, self._player, game=game, ply=ply)
            case Resign(game=game):
                await storage.write(actions.resign, self.topic, self._player, game=game)
            case Offer(game=game, kind=kind, ply=ply):
                await self._write(actions.prepare_offer, actions.offer, game=game, kind=kind, ply=ply)
            case Answer(game=game, offer=number, accept=accept):
                await self._write(actions.prepare_answer, actions.answer, game=game, number=number, accept=accept)
            case Claim(game=game, win=win):
                await storage.write(actions.claim, self.topic, self._player, game=game, win=win)

    async def _write(self, prepare: Callable[..., storage.Entry | None], act: Callable[..., object], **to: Any) -> None:
        """By the row that this process wrote last, or else by the row as it is now; or on a database thread."""
        if await self._record(prepare, to):
            return
        if ledger := storage.ledger():
            await ledger.settled()  # maybe it is that row which is being written
            with suppress(sqlite3.Error):
                actions.keep_current(self.topic, ledger)
            if await self._record(prepare, to):
                return
        await storage.write(act, self.topic, self._player, **to)

    async def _record(self, prepare: Callable[..., storage.Entry | None], to: dict[str, Any]) -> bool:
        entry = prepare(self.topic, self._player, **to)
        return entry is not None and await storage.record(entry)

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


_first_told = Reading(_read_first, lambda socket: socket.topic)


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
        lobby = await storage.run(lists.lobby)
        return lobby.text()

    async def _mine(self) -> str:
        mine = await storage.run(lists.mine, self._player)
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
