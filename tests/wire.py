"""A wire between a browser and servers, which can be cut and mended: a TCP forwarder in threads. Knows no protocol."""

import contextlib
import socket
import threading

from tests.patience import PATIENCE_S

_CHUNK = 65_536


class Wire:
    """Forwards each connection to the first of `ports` that takes it, as a proxy in front of several servers does."""

    def __init__(self, *ports: int) -> None:
        self._ports = ports
        self._is_cut = False
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def lead_to(self, *ports: int) -> None:
        """From now on new connections go to these ports."""
        self._ports = ports

    def cut(self) -> None:
        """Connections stay open and nothing comes through, as when a phone walks out of reach."""
        self._is_cut = True

    def mend(self) -> None:
        """New connections come through again; what was cut is dead for good."""
        self._drop_all()
        self._is_cut = False

    def close(self) -> None:
        self._listener.close()
        self._drop_all()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:  # closed
                return
            far = None if self._is_cut else self._connect()
            if far is None:
                near.close()
                continue
            with self._guard:
                self._open |= {near, far}
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, target), daemon=True).start()

    def _connect(self) -> socket.socket | None:
        for port in self._ports:
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        return None

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            source.settimeout(None)
            while chunk := source.recv(_CHUNK):
                if not self._is_cut:
                    target.sendall(chunk)
        self._drop(source, target)

    def _drop(self, *ends: socket.socket) -> None:
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
            with self._guard:
                self._open.discard(end)

    def _drop_all(self) -> None:
        with self._guard:
            ends = tuple(self._open)
        self._drop(*ends)
