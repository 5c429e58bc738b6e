"""Makes rooms in which two guests sit and nothing is sown yet, for load to be put on them. Never a server.

    DATA_DIR=/tmp/somewhere python -m benchmarks.prepare 1000 500 /tmp/somewhere/rooms.json

Writes what load/adapters/mancala.mjs needs to sit down as South and North, and to watch as a guest:
`{"rooms": [{"code": ..., "S": cookie, "N": cookie}, ...], "spectators": [cookie, ...]}`.
"""

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import django
from django.conf import settings
from django.core.management import call_command
from django.db import transaction


def main(rooms: int, spectators: int, file: Path) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mancala_site.settings")
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    with transaction.atomic():
        made = {"rooms": [_room() for _ in range(rooms)], "spectators": [_guest()[1] for _ in range(spectators)]}
    file.write_text(json.dumps(made))


def _room() -> dict[str, str]:
    from games import actions  # noqa: PLC0415  after Django is set up
    from games.rules.position import Side  # noqa: PLC0415  likewise

    south, south_cookie = _guest()
    north, north_cookie = _guest()
    game = actions.open_room(south, ruleset="classic-6x4", side=Side.SOUTH)
    actions.take_seat(game.room_id, north)
    return {"code": game.room_id, "S": south_cookie, "N": north_cookie}


def _guest():
    from games import actions, players  # noqa: PLC0415  likewise

    session = import_module(settings.SESSION_ENGINE).SessionStore()
    guest = players.guest(SimpleNamespace(session=session))
    session.save()
    return actions.keep_guest(guest.id, guest.name), f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
