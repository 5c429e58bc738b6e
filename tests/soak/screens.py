"""A browser in a room, without a page: it plays, loses its line, comes back, and remembers all it was told."""

import asyncio
import json
import time
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.reducer import Viewer

THINK_S = (0.5, 2.5)
HURRY_S = (0.1, 0.3)
HEARTBEAT_S, ANSWER_S, BACKOFF_S = 15.0, 10.0, (0.6, 15.0)
"""As in static/js/lib/connection.js."""


class Screen:
    """What one viewer sees. Whoever has a seat sows, sometimes resigns, and offers another game when one is over."""

    def __init__(self, room: dict[str, str], seat: str, port: int, seed: int) -> None:
        self.room = room["code"]
        self.counts: Counter[str] = Counter()
        """What happened to it, and how often."""
        self.faults: list[str] = []
        self.is_last = False
        """No game is to follow this one, which may be played in a hurry."""
        self.told: dict[int, str] = {}
        """Of each game by its number, the transcript it was told of."""
        self.sown: dict[tuple[int, int], int] = {}
        """The pit of each sowing that it was told of as such, by game and ply."""
        self.outcomes: dict[int, dict[str, Any]] = {}
        self.viewer: Viewer | None = None
        self._seat = seat
        self._port = port
        self._cookie = room[seat]
        self._random = Random(f"{seed} {self.room} {seat}")
        self._socket: ClientConnection | None = None
        self._pending: dict[str, Any] | None = None
        self._heard_at = 0.0
        self._attempts = 0

    @property
    def state(self) -> dict[str, Any]:
        return self.viewer.snapshot if self.viewer else {}

    async def live(self) -> None:
        """Be connected, again and again, until cancelled."""
        least, most = BACKOFF_S
        while True:
            with suppress(OSError, InvalidHandshake, InvalidMessage, ConnectionClosed, TimeoutError):
                await self._visit()
            self.counts["ways in looked for anew"] += 1
            await asyncio.sleep(min(most, least * 2**self._attempts) * self._random.uniform(0.5, 1))
            self._attempts += 1

    async def _visit(self) -> None:
        """Listen and play until the line breaks."""
        address = f"ws://127.0.0.1:{self._port}/ws/v1/rooms/{self.room}/"
        async with connect(
            address,
            origin=f"http://127.0.0.1:{self._port}",
            additional_headers={"Cookie": self._cookie},
            ping_interval=None,
            close_timeout=1,
        ) as self._socket:
            busy = [asyncio.create_task(self._keep_asking(self._socket))]
            if self._seat != "watching":
                busy.append(asyncio.create_task(self._play(self._socket)))
            try:
                async for text in self._socket:
                    self._heard_at = time.monotonic()
                    self._attempts = 0
                    await self._hear(json.loads(text))
            finally:
                for task in busy:
                    task.cancel()
                self.counts[f"lines closed with {self._socket.close_code}"] += 1

    async def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if self.viewer is None:
            assert kind == "welcome", message
            self.viewer = Viewer(message)
        else:
            self.viewer.hear(message)
        if kind == "sown":
            self.sown[message["game"], message["ply"]] = message["pit"]
        if kind == "refused":
            self.counts[f"refused: {message['code']}"] += 1
            if message["re"] in {"play", ""}:
                self._pending = None
        self._note()
        for asked in self.viewer.sent:
            await self._say(asked)
        self.viewer.sent.clear()
        if kind == "welcome" and self._pending:  # sent, and not recorded: it was lost on the way
            self.counts["moves sent again"] += 1
            await self._say(self._pending)

    def _note(self) -> None:
        """Remember what was told; of a move that is no more, complain."""
        state = self.state
        game, transcript = state["game"], state["transcript"]
        before = self.told.get(game, "")
        if not transcript.startswith(before):
            self.faults.append(f"{self.room}/{game} {self._seat}: was told {before}, then {transcript}")
        self.told[game] = transcript
        if state["outcome"]:
            self.outcomes[game] = state["outcome"]
        pending = self._pending
        if pending and (pending["game"] != game or pending["ply"] < state["ply"] or state["status"] == "over"):
            self._pending = None

    async def _play(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(self._random.uniform(*(HURRY_S if self.is_last else THINK_S)))
                state, you = self.state, self.viewer and self.viewer.you
                if not state or self._pending:
                    continue
                if state["status"] == "playing" and state["turn"] == you:
                    pit = self._random.choice(state["legal"])[0]
                    self._pending = {"type": "play", "game": state["game"], "ply": state["ply"], "pit": pit}
                    await self._say(self._pending)
                elif state["status"] == "playing" and self._random.random() < 0.002:
                    await self._say({"type": "resign", "game": state["game"]})
                elif state["status"] == "over" and not self.is_last:
                    offered = state["offer"]
                    if not offered or offered["side"] != you:
                        await self._say({"type": "offer", "game": state["game"], "kind": "rematch"})

    async def _keep_asking(self, socket: ClientConnection) -> None:
        """A heartbeat; a line on which nothing is heard for too long is given up."""
        self._heard_at = time.monotonic()
        with suppress(ConnectionClosed):
            while time.monotonic() - self._heard_at < HEARTBEAT_S + ANSWER_S:
                if time.monotonic() - self._heard_at >= HEARTBEAT_S or self._random.random() < 1 / HEARTBEAT_S:
                    state = self.state or {"game": 0, "version": 0}
                    await self._say({"type": "ping", "game": state["game"], "version": state["version"], "sent_at": 1})
                await asyncio.sleep(1)
        socket.transport.abort()

    async def _say(self, message: dict[str, Any]) -> None:
        assert self._socket
        await self._socket.send(json.dumps(message))
