"""Settings with which only the process that starts the others gets anywhere."""

import sys

if "--fd" in sys.argv:
    sys.exit(3)

from mancala_site.settings import *  # noqa: F403
