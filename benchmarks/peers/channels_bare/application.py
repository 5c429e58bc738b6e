"""A relay as in the Channels tutorial: `group_add` on connect, `group_send` for each sowing, a row in SQLite.

What it does not do: know who somebody is, limit, or tell who is here. Reads REDIS_URL and the folder in DATA_DIR.
"""

import json
import os
from dataclasses import asdict

import django
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.conf import settings
from django.urls import path

from benchmarks.peers.kalah import START, Game

# The defaults of redis-py 8 and channels_redis break this layer: a timeout of 5 s closes idle sockets, a pool of 100
# connections and a queue of 100 messages are too few for the 800 sockets of the largest load.
HOST = {"address": os.environ["REDIS_URL"], "socket_timeout": None, "max_connections": 5000}
LAYER = {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [HOST], "capacity": 5000}}
DATABASE = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": f"{os.environ['DATA_DIR']}/peer.sqlite3",
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    },
}
settings.configure(LOGGING_CONFIG=None, CHANNEL_LAYERS={"default": LAYER}, DATABASES={"default": DATABASE})
django.setup()

from django.db import connection, models  # noqa: E402  once there are settings


class Row(models.Model):
    room = models.CharField(max_length=40, primary_key=True)
    game = models.IntegerField()
    ply = models.IntegerField()
    stones = models.CharField(max_length=60)
    turn = models.CharField(max_length=1)
    over = models.BooleanField()

    class Meta:
        app_label = "channels_bare"


with connection.schema_editor() as schema:
    schema.create_model(Row)


games: dict[str, Game] = {}


@database_sync_to_async
def keep(room, before, after):
    """Whether the row still was `before`: it is `after` now."""
    row = {**asdict(after), "stones": ",".join(map(str, after.stones))}
    return Row.objects.filter(room=room, game=before.game, ply=before.ply).update(**row) == 1


@database_sync_to_async
def begin(room):
    Row.objects.get_or_create(room=room, defaults={**asdict(Game()), "stones": ",".join(map(str, START))})


class Relay(AsyncWebsocketConsumer):
    async def connect(self):
        where = self.scope["url_route"]["kwargs"]
        self.seat, self.room = where["seat"], where["room"]
        await self.channel_layer.group_add(self.room, self.channel_name)
        if self.room not in games:
            await begin(self.room)
            games.setdefault(self.room, Game())
        await self.accept()
        await self.send(games[self.room].text())

    async def disconnect(self, code):
        await self.channel_layer.group_discard(self.room, self.channel_name)

    async def receive(self, text_data=None, bytes_data=None):
        before = games[self.room]
        after = before.after(self.seat, json.loads(text_data))
        if after and await keep(self.room, before, after):
            games[self.room] = after
            await self.channel_layer.group_send(self.room, {"type": "sown", "text": after.text()})
        else:
            await self.send('{"refused":true}')

    async def sown(self, event):
        await self.send(event["text"])


application = URLRouter([path("ws/<room>/<seat>/", Relay.as_asgi())])
