"""Two who play on while others are up to no good, and one who watches: what each of them must be told, in time."""

import asyncio
import json
import time
from random import Random

from websockets.asyncio.client import ClientConnection, connect

from games.rules import ruleset as rulesets
from games.rules.position import Side
from tests.patience import PATIENCE_S
from tests.processes import Server


class Neighbours:
    """A game, and when it is over another, in a room of their own. Raises as soon as anything goes wrong for them."""

    def __init__(self, server: Server, room: dict[str, str], random: Random) -> None:
        self.room = room
        self.moves = 0
        self.slowest_s = 0.0
        self._server = server
        self._random = random
        self._rules = rulesets.by_key("classic-6x4")
        self._sockets: dict[str, ClientConnection] = {}

    async def play(self, until: asyncio.Event) -> None:
        """Play until told to end, at a game's end or not."""
        address = f"ws://127.0.0.1:{self._server.port}/ws/v1/rooms/{self.room['code']}/"
        for viewer in ("S", "N", "watching"):
            cookie = {"Cookie": self.room[viewer]} if viewer in self.room else None
            self._sockets[viewer] = await connect(address, origin=self._server.url, additional_headers=cookie)
            assert (await self._hear(viewer, "welcome"))["snapshot"]["ply"] == 0
        game = 1
        while not until.is_set():
            await self._play_game(game, until)
            game += 1
        for socket in self._sockets.values():
            await socket.close()

    async def _play_game(self, game: int, until: asyncio.Event) -> None:
        position = self._rules.start()
        ply = 0
        while (legal := self._rules.legal_pits(position)) and not until.is_set():
            pit = self._random.choice(legal)
            side = position.turn if game % 2 else position.turn.opponent  # they swap sides with every game
            position = self._rules.sow(position, pit).after
            turn = position.turn.value if self._rules.outcome(position) is None else None
            begun = time.monotonic()
            await self._say(side, type="play", game=game, ply=ply, pit=pit)
            for viewer in self._sockets:
                told = await self._hear(viewer, "sown")
                assert (told["game"], told["ply"], told["pit"], told["turn"]) == (game, ply, pit, turn), told
                assert tuple(told["stones"]) == position.stones, told
            self.slowest_s = max(self.slowest_s, time.monotonic() - begun)
            self.moves += 1
            ply += 1
            await asyncio.sleep(self._random.random() / 10)  # on the fastest machine never more than a socket may
        if not legal:
            await self._say(Side.SOUTH, type="offer", game=game, kind="rematch")
            await self._say(Side.NORTH, type="offer", game=game, kind="rematch")
            for viewer in self._sockets:
                assert (await self._hear(viewer, "snapshot"))["game"] == game + 1

    async def _say(self, side: Side, **message: object) -> None:
        await self._sockets[side.value].send(json.dumps(message))

    async def _hear(self, viewer: str, kind: str) -> dict:
        """The next message that matters to a game, which is of this kind; what others do here may be heard between."""
        while True:
            async with asyncio.timeout(PATIENCE_S):
                message = json.loads(await self._sockets[viewer].recv())
            if message["type"] == kind:
                return message
            assert message["type"] in {"presence", "reacted", "offered", "talk"}, message
