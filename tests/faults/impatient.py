"""Settings with which a database that lets nobody write is given up after two seconds instead of five."""

from mancala_site.settings import *  # noqa: F403
from mancala_site.settings import DATABASES

if "timeout" in DATABASES["default"]["OPTIONS"]:
    DATABASES["default"]["OPTIONS"]["timeout"] = 2
else:
    DATABASES["default"]["OPTIONS"]["options"] = "-c lock_timeout=2s"
