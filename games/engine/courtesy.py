"""Threads that think go behind those that serve people, where those need not wait for them."""

import os
import sys
import threading

_STEPS = 19  # as far as one can


def step_back() -> None:
    """Let every other thread of this machine go before this one, where a thread has a priority of its own.

    Only for one that works without the GIL: for whoever holds it all of its process waits, behind all the others.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _STEPS)
