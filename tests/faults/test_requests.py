"""Requests that no browser sends are answered as what they are, and no failure of ours in the log."""

import asyncio
import logging
import re
import socket

import pytest
from django.conf import settings
from twisted.logger import LogLevel
from twisted.python.failure import Failure

from mancala_site import serve as serving
from mancala_site.requests import BoundedRequest
from tests.patience import PATIENCE_S
from tests.processes import Server

CHUNK = b"x" * 65_536
TOO_MUCH = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1


def answer(server: Server, line: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """All that the server says to a request before it closes the connection."""
    said = {"Host": f"127.0.0.1:{server.port}", "Connection": "close", "Content-Length": str(len(body)), **headers}
    head = f"{line} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in said.items() if value)
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as connection:
        heard = b""
        try:
            connection.sendall(head.encode("latin-1") + b"\r\n" + body)
            while part := connection.recv(65_536):
                heard += part
        except ConnectionError:
            pass  # it has heard enough
    return heard


def status(heard: bytes) -> int:
    return int(heard.split(b" ", 2)[1])


FORM = "application/x-www-form-urlencoded"
UNREADABLE = {
    "a form that is no UTF-8": (f"{FORM}; charset=utf-16", b"name=Ann"),
    "a form in a charset that is none": (
        "multipart/form-data; boundary=b; charset=zlib",
        b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAnn\r\n--b--\r\n',
    ),
    "a form in a charset that reads nothing": (
        "multipart/form-data; boundary=b; charset=undefined",
        b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAnn\r\n--b--\r\n',
    ),
    "a form of too many fields": (FORM, b"name=Ann&" * 1001),
}


@pytest.mark.parametrize(("kind", "body"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_form_that_cannot_be_read_is_a_400_and_no_news(site: Server, kind: str, body: bytes):
    before = site.log
    assert status(answer(site, "POST /name/", {"Content-Type": kind}, body)) == 400
    assert site.log == before


def test_nor_is_an_address(site: Server):
    before = site.log
    assert status(answer(site, f"GET /?{'a=b&' * 1001}", {"Content-Type": "text/html; charset=utf-16"})) == 400
    assert site.log == before


def test_a_form_with_a_name_in_another_script_is_answered(site: Server):
    """Twisted gave up on it, and said so to nobody."""
    part = b"--b\r\nContent-Disposition: form-data; name*=utf-8''name\r\n\r\nAnn\r\n--b--\r\n"
    assert status(answer(site, "POST /name/", {"Content-Type": "multipart/form-data; boundary=b"}, part)) == 403


@pytest.mark.parametrize("prefix", ["/elsewhere", "//elsewhere.example", "caf\xe9"])
def test_nobody_says_where_the_site_begins(site: Server, prefix: str):
    heard = answer(site, "GET /", {"Daphne-Root-Path": prefix})
    assert status(heard) == 200
    assert b'action="/rooms/"' in heard


def test_a_body_that_says_that_it_is_too_large_is_refused_before_it_comes(site: Server):
    heard = answer(site, "POST /name/", {"Content-Length": str(TOO_MUCH)})
    assert status(heard) == 413


def test_a_body_that_grows_too_large_is_refused_before_it_ends(site: Server):
    chunk = b"10000\r\n" + CHUNK + b"\r\n"
    headers = {"Transfer-Encoding": "chunked", "Content-Length": ""}
    heard = answer(site, "POST /name/", headers, chunk * (TOO_MUCH // len(CHUNK) + 1) + b"0\r\n\r\n")
    assert not heard or status(heard) == 413  # who still sends may miss it
    assert b"HTTP/1.1 4" not in heard[1:]


def test_a_page_is_made_to_its_end_though_whoever_asked_is_gone():
    """Django, cancelled in the middle of it, left a traceback now and then."""
    asked = BoundedRequest.__new__(BoundedRequest)
    asked.path, asked.application_queue = b"/", asyncio.Queue()
    asked.send_disconnect()
    assert asked.application_queue.empty()


@pytest.mark.parametrize("version", ["0", "99", "x"])
def test_who_speaks_another_websocket_is_told_so_and_it_is_no_news(site: Server, version: str):
    before = site.log
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    heard = answer(site, "GET /ws/v1/lobby/", {**headers, "Sec-WebSocket-Version": version})
    assert status(heard) in {400, 426}
    assert site.log == before


def test_what_goes_wrong_in_twisted_is_logged(caplog):
    event = {"log_level": LogLevel.critical, "log_namespace": "here", "log_time": 0, "log_format": "Unhandled Error"}
    serving._twisted_errors()(event | {"log_failure": Failure(ValueError("odd"))})
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("twisted", logging.CRITICAL)
    assert re.search("ValueError: odd", caplog.text)
