"""A bare relay on uvicorn: games in memory, one text to every socket of a room for each sowing, and no more.

About the least that one process of Python can do: its frames go the way of ours, past ASGI, and nothing is stored,
published, limited or previewed.
"""

import json
from collections import defaultdict

from benchmarks.peers.kalah import Game
from games.listener import Text


class Room:
    def __init__(self):
        self.game = Game()
        self.outlets = []


rooms = defaultdict(Room)


async def application(scope, receive, send):
    _, _, code, seat, _ = scope["path"].split("/")  # /ws/<room>/<seat>/
    room, outlet = rooms[code], scope["extensions"]["mancala.outlet"]

    def hear(text):
        after = room.game.after(seat, json.loads(text))
        if after:
            room.game = after
        state = Text(after.text() if after else '{"refused":true}')
        for each in room.outlets if after else (outlet,):
            each.write(state.frame)
        return True

    await receive()
    await send({"type": "websocket.accept"})
    room.outlets.append(outlet)
    outlet.write(Text(room.game.text()).frame)
    outlet.hear = hear
    while (await receive())["type"] != "websocket.disconnect":
        pass
    room.outlets.remove(outlet)
