"""A proxy that drops the headers of websockets and lets pages through: what people are told and still see."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.conftest import ServerFactory
from tests.processes import Nginx, Server, free_port

BLOCKED = "Something on the way to us blocks websockets."


@pytest.fixture
def stripping(serve: ServerFactory, tmp_path: Path) -> Iterator[tuple[Nginx, Server]]:
    """An nginx without the headers, and the server behind it."""
    port = free_port()
    server = serve(PUBLIC_URL=f"https://localhost:{port}")
    nginx = Nginx(tmp_path / "nginx", [server.port], port=port)
    conf = tmp_path / "nginx" / "mancala.conf"
    kept = [line for line in conf.read_text().splitlines() if "Upgrade  " not in line and "Connection  " not in line]
    conf.write_text("\n".join(kept))
    yield nginx.start(), server
    nginx.stop()


def test_whoever_gets_no_socket_is_told_why_and_sees_the_game_all_the_same(
    browser: Browser, stripping: tuple[Nginx, Server]
) -> None:
    """B121, B42"""
    nginx, server = stripping
    maya, leo = (Person.arrive(browser, ignore_https_errors=True) for _ in range(2))
    link = maya.open_room(nginx.url)
    leo.page.goto(link)
    leo.page.get_by_role("button", name="Sit down and play").click()
    expect(maya.board).to_have_attribute("data-status", "playing")  # it was asked for by other means
    expect(maya.page.locator("#lost")).to_have_text(BLOCKED)
    leo.page.goto(nginx.url)
    told = leo.page.locator("#blocked")
    expect(told).to_be_visible()
    expect(told).to_have_text(f"{BLOCKED} If you run this site: let its proxy pass them on, as deploy/nginx.conf does.")
    assert "a websocket came without its Upgrade header" in server.log
