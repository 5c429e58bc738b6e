"""A backup that was made while people played brings every game back."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from tests.processes import PROJECT, PostgreSQL

SCRIPT = """
import os, django
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mancala_site.settings")
django.setup()
from games.models import Player
from tests.rooms import begin, sow
"""
PLAY = f"""{SCRIPT}
import itertools
for number in itertools.count():
    two = [Player.objects.create(name=f"{{name}} {{number}}") for name in ("Ann", "Ben")]
    sow(begin(*two), "cfh")
    print(number, flush=True)
"""
COUNT = f"""{SCRIPT}
from games.models import Game
print(Game.objects.filter(ply=3).count(), Player.objects.count())
"""


def python(script: str, environment: dict[str, str], **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script]
    return subprocess.Popen(
        command, cwd=PROJECT, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, **options
    )


def answer(script: str, environment: dict[str, str]) -> str:
    with python(script, environment) as process:
        return process.communicate(timeout=60)[0].strip()


def manage(environment: dict[str, str], *arguments: str | Path) -> str:
    command = [sys.executable, "manage.py", *map(str, arguments)]
    done = subprocess.run(
        command, cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout


def played_while(backup: Callable[[], object], place: dict[str, str]) -> int:
    """How many games were over their third ply when a backup began; others are played during it."""
    with python(PLAY, place) as playing:
        for _ in range(3):
            played = int(playing.stdout.readline()) + 1
        backup()
        assert playing.poll() is None
        playing.kill()
    return played


def has_all(played: int, restored: dict[str, str]) -> None:
    games, players = map(int, answer(COUNT, restored).split())
    assert games >= played == 3
    assert players >= 2 * games
    assert "games are as their records say" in manage(restored, "check_games")


def test_sqlite_is_copied_while_games_go_on_and_the_copy_has_all_that_was_played_before(tmp_path: Path):
    place = {"DATA_DIR": str(tmp_path / "data"), "DATABASE_URL": ""}
    manage(place, "migrate", "--verbosity=0")
    played = played_while(lambda: manage(place, "backup", tmp_path / "copy"), place)
    (tmp_path / "restored").mkdir()
    shutil.copy(tmp_path / "copy", tmp_path / "restored" / "mancala.sqlite3")
    has_all(played, {**place, "DATA_DIR": str(tmp_path / "restored")})


def test_postgresql_is_dumped_and_restored_by_the_documented_commands(postgresql: PostgreSQL, tmp_path: Path):
    dump, restore = re.findall(
        r"^    (pg_(?:dump|restore) .*)$", (PROJECT / "docs/operations.md").read_text(), re.MULTILINE
    )
    place = {"DATA_DIR": str(tmp_path), "DATABASE_URL": postgresql.url}
    manage(place, "migrate", "--verbosity=0")

    def run(command: str, url: str) -> None:
        words = re.sub(
            r"/backups/\S*?\.dump", str(tmp_path / "copy.dump"), command.replace("$(date +%F)", "2026-01-31")
        )
        subprocess.run(words, shell=True, check=True, env={**os.environ, "DATABASE_URL": url})  # noqa: S602  ours

    played = played_while(lambda: run(dump, postgresql.url), place)
    other = postgresql.create("restored")
    run(restore, other)
    has_all(played, {**place, "DATABASE_URL": other})


def test_a_file_that_is_there_is_not_written_over(db, tmp_path: Path):
    (tmp_path / "copy").write_text("dear")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "dear"


def test_for_postgresql_it_names_the_program(db, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(connections["default"], "vendor", "postgresql")
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", tmp_path / "copy")
