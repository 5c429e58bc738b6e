"""Settings with which a SQLite database that lets nobody write is given up after two seconds instead of five."""

from mancala_site.settings import *  # noqa: F403
from mancala_site.settings import DATABASES

DATABASES["default"]["OPTIONS"]["timeout"] = 2
