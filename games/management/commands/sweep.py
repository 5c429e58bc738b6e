"""What happens when nobody looks: flags fall, computers reply, and what nobody comes back to is closed."""

import logging
import time
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db import Error as DatabaseError, close_old_connections
from django.utils import timezone

from games import actions, bots, snapshot
from games.actions.rooms import IDLE_DAYS, WAITING_DAYS

_EVERY_S = 0.5
_IDLE_EVERY_S = 3600.0
_THINK_EVERY_S = 2.0
_UNMOVED = timedelta(days=IDLE_DAYS)
_UNBEGUN = timedelta(days=WAITING_DAYS)

_log = logging.getLogger(__name__)


class Command(BaseCommand):
    """`manage.py sweep`: every server runs it in a thread. Any number may run beside each other."""

    help = "End games whose time is over, and once an hour close what is idle, for ever. Servers do this by themselves."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Once, or for ever."""
        parser.add_argument(
            "--once", action="store_true", help="make up for the time without any server, look once, and end"
        )

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        """Sweep. A database that does not answer is asked again, and no fault ends it: time goes on."""
        if once:
            actions.make_up(snapshot.moment())
            actions.fall_flags(snapshot.moment())
            return
        closed_at = thought_at = float("-inf")
        while True:
            try:
                close_old_connections()
                now = snapshot.moment()
                actions.keep_time(now)
                if actions.fall_flags(now):
                    actions.beat(now)
                if time.monotonic() - thought_at > _THINK_EVERY_S:
                    thought_at = time.monotonic()
                    bots.sweep()
                if time.monotonic() - closed_at > _IDLE_EVERY_S:
                    closed_at = time.monotonic()
                    today = timezone.now()
                    actions.close_idle(moved_before=today - _UNMOVED, opened_before=today - _UNBEGUN)
            except DatabaseError as error:
                _log.warning("not swept: %r", error)
            except Exception:
                _log.exception("not swept")
            time.sleep(_EVERY_S)
