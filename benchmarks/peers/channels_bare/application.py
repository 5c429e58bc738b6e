"""A relay as in the Channels tutorial: `group_add` on connect, `group_send` for each sowing, games in memory only.

With REDIS_URL it uses the Redis layer that the tutorial recommends, else the in-memory layer. What it does not do:
save, know who somebody is, limit, or tell who is here.
"""

import json
import os
from dataclasses import dataclass

import django
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.conf import settings
from django.urls import path

from benchmarks.peers.channels_bare import rules

# The defaults of redis-py 8 and channels_redis break this layer: a timeout of 5 s closes idle sockets, a pool of 100
# connections and a queue of 100 messages are too few for the 800 sockets of the largest load.
HOST = {"address": os.environ.get("REDIS_URL"), "socket_timeout": None, "max_connections": 5000}
LAYERS = {
    False: {"BACKEND": "channels.layers.InMemoryChannelLayer"},
    True: {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [HOST], "capacity": 5000}},
}
settings.configure(LOGGING_CONFIG=None, CHANNEL_LAYERS={"default": LAYERS["REDIS_URL" in os.environ]})
django.setup()


@dataclass
class Game:
    ply: int = 0
    stones: tuple[int, ...] = rules.START
    turn: str = "S"
    over: bool = False

    def sow(self, seat, ply, pit):
        if self.over or ply != self.ply or seat != self.turn:
            return False
        after = rules.sow(self.stones, seat, pit)
        if after is None:
            return False
        self.stones, self.turn, self.over = after
        self.ply += 1
        return True

    def text(self):
        return json.dumps(vars(self), separators=(",", ":"))


games: dict[str, Game] = {}


class Relay(AsyncWebsocketConsumer):
    async def connect(self):
        where = self.scope["url_route"]["kwargs"]
        self.seat, self.group = where["seat"], where["room"]
        self.game = games.setdefault(self.group, Game())
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        await self.send(self.game.text())

    async def disconnect(self, code):
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data=None, bytes_data=None):
        message = json.loads(text_data)
        if self.game.sow(self.seat, message["ply"], message["pit"]):
            await self.channel_layer.group_send(self.group, {"type": "sown", "text": self.game.text()})
        else:
            await self.send('{"refused":true}')

    async def sown(self, event):
        await self.send(event["text"])


application = URLRouter([path("ws/<room>/<seat>/", Relay.as_asgi())])
