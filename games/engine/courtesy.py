"""Threads that think go behind those that serve people."""

import os
import sys
import threading

_STEPS = 19  # as far as one can


def step_back() -> None:
    """Let every other thread of this machine go before this one, where a thread has a priority of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _STEPS)
