"""A copy of the database while the site goes on."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection


class Command(BaseCommand):
    """`manage.py backup FILE`: everything that was committed when it began, in one file."""

    help = "Copy the SQLite database into a new file, while servers go on. For PostgreSQL there is pg_dump."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to."""
        parser.add_argument("file", type=Path, help="a file that does not exist yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Copy it."""
        if connection.vendor != "sqlite":
            raise CommandError('This is PostgreSQL: pg_dump --format=custom --file=FILE "$DATABASE_URL"')
        if file.exists():
            raise CommandError(f"{file} exists already")
        try:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(file)])
        except DatabaseError as error:
            raise CommandError(f"no backup: {error}") from error
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")
