"""Several servers behind one port: starts them, starts anew whichever ends, ends them together. Serves nothing itself.

All accept from one listening socket, so that a port is never without somebody who answers it, not even while one of
them is replaced. Whoever wants them replaced one by one sends each SIGTERM, which drains it.
"""

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

from prometheus_client.multiprocess import mark_process_dead

from mancala_site.operations import SHARED_FOLDER

PATIENCE_S = 15
"""How long they may take to end before they are killed."""

EARLY_S = 30.0
"""Whoever ends within this time of its start, and not in order, has failed to start."""

FAILURES = 5
"""So many failed starts in a row end them all."""


class Crew:
    """Runs `command` in so many processes until told to end, or until they no longer start."""

    def __init__(self, command: Sequence[str], size: int, listener: socket.socket) -> None:
        self._listener = listener
        # Nobody writes to it: it closes when this process is gone, however it went, and they end too.
        self._life, self._hold = os.pipe()
        self._command = [*command, "--fd", str(listener.fileno()), "--with", str(self._life)]
        self._size = size
        self._started_at: dict[int, float] = {}
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._ending = False
        self.complaint: str | None = None

    def run(self) -> None:
        """Start them, and return when all have ended. They count together what they are asked for at /metrics."""
        with tempfile.TemporaryDirectory(prefix="mancala-metrics-") as figures:
            os.environ[SHARED_FOLDER] = figures
            self._run(figures)

    def _run(self, figures: str) -> None:
        for told in (signal.SIGTERM, signal.SIGINT):
            signal.signal(told, self._told_to_end)
        signal.signal(signal.SIGALRM, self._lost_patience)
        for _ in range(self._size):
            self._start()
        failures = 0
        while self._running:
            pid, status = os.wait()
            ended = self._running.pop(pid, None)
            mark_process_dead(pid, figures)  # type: ignore[no-untyped-call]
            if ended is None:
                continue
            ended.returncode = os.waitstatus_to_exitcode(status)
            lived_s = time.monotonic() - self._started_at.pop(pid)
            if self._ending:
                continue
            failures = failures + 1 if ended.returncode and lived_s < EARLY_S else 0
            if failures == FAILURES:
                self.complaint = f"Mancala ends: its processes do not start, the last ended with {ended.returncode}."
                self._end()
            else:
                print(f"Process {pid} ended with {ended.returncode}, another takes its place.", flush=True)  # noqa: T201
                self._start()
        signal.alarm(0)

    def _start(self) -> None:
        process = subprocess.Popen(  # noqa: S603  our own command
            self._command,
            pass_fds=(self._listener.fileno(), self._life),
            process_group=0,  # a Ctrl-C is for this process, which passes it on
        )
        self._running[process.pid] = process
        self._started_at[process.pid] = time.monotonic()
        if self._ending:  # told while this one was being started
            os.kill(process.pid, signal.SIGTERM)

    def _told_to_end(self, signum: int, frame: FrameType | None) -> None:
        self._end()

    def _end(self) -> None:
        self._ending = True
        self._tell_all(signal.SIGTERM)
        signal.alarm(PATIENCE_S)

    def _lost_patience(self, signum: int, frame: FrameType | None) -> None:
        self._tell_all(signal.SIGKILL)

    def _tell_all(self, what: signal.Signals) -> None:
        for pid in tuple(self._running):
            with suppress(ProcessLookupError):
                os.kill(pid, what)  # not through Popen, which would take its end away from `os.wait`
