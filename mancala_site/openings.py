"""How browsers ask for a websocket, read in one step, past the parsers of the server, to which it is most of the work.

RFC 6455, section 4.2. Whatever is asked in any other way is left to the parsers, and to judge by them.
"""

import base64
import hashlib
import re
from typing import NamedTuple

_LONGEST = 8_192
"""Bytes of what is read here."""

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

_HEAD = re.compile(
    rb"GET (?P<path>/[!-~]*) HTTP/1\.1\r\n"
    rb"(?P<headers>(?:[-!#$%&'*+.^`|~0-9A-Za-z]+: ?[!-~](?:[ -~]*[!-~])?\r\n)+)\r\n"
)
_ELSEWHERE = re.compile(rb"[;#]")  # in an address: what urlparse takes apart
_KEY = re.compile(r"[+/0-9A-Za-z]{22}==")
_ORIGIN = re.compile(r"https?://[-.0-9A-Za-z]+(?::(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}))?")
_NOT_HERE = frozenset(("content-length", "transfer-encoding", "daphne-root-path", "expect", "trailer", "te"))


class Opening(NamedTuple):
    """What somebody asks for."""

    path: str
    query: bytes
    headers: dict[str, str]
    """Their names in small letters, each once."""

    def answer(self) -> bytes:
        """What lets them in, speaking no extension and no subprotocol."""
        key = self.headers["sec-websocket-key"].encode()
        accept = base64.b64encode(hashlib.sha1(key + _MAGIC, usedforsecurity=False).digest())
        return (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: %s\r\n\r\n" % accept
        )


def read(data: bytes) -> Opening | None:
    """What the first bytes of a connection ask for, if that is a websocket, and nothing is odd about it."""
    head = _HEAD.fullmatch(data) if len(data) <= _LONGEST else None
    if head is None or _ELSEWHERE.search(head["path"]):
        return None
    lines = head["headers"].decode("ascii").split("\r\n")[:-1]
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if len(headers) != len(lines) or not headers.keys().isdisjoint(_NOT_HERE) or not _is_for_a_websocket(headers):
        return None
    path, _, query = head["path"].partition(b"?")
    return Opening(path.decode("ascii"), query, headers)


def _is_for_a_websocket(headers: dict[str, str]) -> bool:
    return (
        headers.get("upgrade", "").lower() == "websocket"
        and "upgrade" in re.split(r"\s*,\s*", headers.get("connection", "").lower())
        and headers.get("sec-websocket-version") == "13"
        and "host" in headers
        and _KEY.fullmatch(headers.get("sec-websocket-key", "")) is not None
        and _ORIGIN.fullmatch(headers.get("origin", "")) is not None
    )
