"""Closes what nobody comes back to: rooms where no game began, and games that nobody goes on with."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games import actions
from games.actions.rooms import IDLE_DAYS, WAITING_DAYS


class Command(BaseCommand):
    """`manage.py close_idle_rooms`: run it once a day; a second run right after finds nothing left to do."""

    help = "Delete rooms where nobody ever played and nobody is, and end games in which nobody has moved for long."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How long is long."""
        parser.add_argument(
            "--days", type=_days, default=IDLE_DAYS, help="a game ends after so many days without a move (%(default)s)"
        )
        parser.add_argument(
            "--waiting-days",
            type=_days,
            default=WAITING_DAYS,
            help="a room where no game has begun goes after so many days (%(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Close them all."""
        now = timezone.now()
        rooms, games = actions.close_idle(
            moved_before=now - timedelta(days=options["days"]),
            opened_before=now - timedelta(days=options["waiting_days"]),
        )
        self.stdout.write(f"{rooms} waiting rooms deleted, {games} games ended as abandoned")


def _days(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"a whole number of days, not {text!r}")
    return int(text)
