"""The socket of a page, led through the test."""

import json
import re

from playwright.sync_api import Page, WebSocketRoute


class Line:
    """Lets everything through, until what the server says is held back or the line is cut."""

    def __init__(self, page: Page) -> None:
        self.sent: list[str] = []
        self._held: list[str] | None = None
        self._is_cut = False
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)
        if self._is_cut:
            return  # nobody will answer
        server = socket.connect_to_server()
        socket.on_message(lambda message: (self.sent.append(message), server.send(message)))
        server.on_message(self._arrive)

    def _arrive(self, message: str) -> None:
        if self._held is None:
            self._sockets[-1].send(message)
        else:
            self._held.append(message)

    def hold(self) -> None:
        """Keep what the server says."""
        self._held = []

    def let_go(self) -> None:
        """Tell the page what was kept."""
        held, self._held = self._held, None
        for message in held:
            self._sockets[-1].send(message)

    def tell(self, message: dict) -> None:
        """Tell the page something that the server has not said."""
        self._sockets[-1].send(json.dumps(message))

    def close(self, code: int = 3000) -> None:
        """End the socket; the page may open another."""
        self._sockets[-1].close(code=code)

    def cut(self) -> None:
        """End the socket, and answer no other."""
        self._is_cut = True
        self.close()

    def mend(self) -> None:
        """Answer the next socket again, and end the one that was not."""
        self._is_cut = False
        self.close()

    def plays(self) -> int:
        """How many plays the page has sent."""
        return sum('"play"' in message for message in self.sent)
