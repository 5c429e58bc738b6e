"""A game between two through nginx, as deploy/nginx.conf sets it up, by https. Every time-out is nginx's own."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.conftest import ServerFactory
from tests.processes import Nginx, RedisServer, free_port


@pytest.fixture
def site_behind(serve: ServerFactory, redis_server: RedisServer, tmp_path: Path):
    """The https address of two servers behind nginx."""
    port = free_port()
    ports = [serve(redis=redis_server, PUBLIC_URL=f"https://localhost:{port}").port for _ in range(2)]
    nginx = Nginx(tmp_path / "nginx", ports, port=port).start()
    yield nginx
    nginx.stop()


def test_two_play_through_the_proxy(browser: Browser, site_behind: Nginx):
    """B120: links and sockets are as safe as the page, though the servers behind know no https."""
    south, north = (Person.arrive(browser, ignore_https_errors=True) for _ in range(2))
    link = south.open_room(site_behind.url)
    assert link.startswith(f"{site_behind.url}/r/")
    north.sit_down(link)
    for ply, (who, letter) in enumerate([(south, "c"), (south, "f"), (north, "h")], 1):
        who.sow(letter)
        assert south.sees(ply) == north.sees(ply)
    expect(south.board).to_have_attribute("data-link", "online")
    cookies = {cookie["name"]: cookie for cookie in south.context.cookies()}
    for name in ("sessionid", "csrftoken"):
        cookie = cookies[name]
        assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Lax"), name
    for person in (south, north):
        person.leave()
    assert site_behind.log == ""
