"""A room inside a page of somebody else: live, through all games, at every size; and the way to another device."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person, sit_together
from tests.processes import Server

FITS = """() => [...document.querySelectorAll('html, body, main')].every((node) => (
  node.scrollHeight <= node.clientHeight && node.scrollWidth <= node.clientWidth))"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Another site: the folder that it serves, and its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield tmp_path, f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_a_page_elsewhere_shows_a_room_live_through_all_its_games(
    browser: Browser, site: Server, elsewhere: tuple[Path, str]
) -> None:
    # B86: after another game the old board is gone.
    folder, address = elsewhere
    ann, ben, reader = (Person.arrive(browser) for _ in range(3))
    for person, name in ((ann, "Ann"), (ben, "Ben")):
        person.post(site.url, "/name/", name=name, next="/")
    link = sit_together(site.url, ann, ben)
    sizes = ((280, 200), (300, 480), (640, 360))
    frames = "".join(f'<iframe src="{link}embed/" width="{w}" height="{h}"></iframe>' for w, h in sizes)
    (folder / "index.html").write_text(f"<!doctype html><title>elsewhere</title><link rel=icon href=data:,>{frames}")
    reader.page.goto(address)
    views = [reader.page.frame_locator("iframe").nth(k) for k in range(len(sizes))]

    ann.sow("c")
    ann.sow("f")
    for view in views:
        expect(view.locator("#board")).to_have_attribute("data-ply", "2")
        expect(view.locator(".embed__side[data-state=turn]")).to_contain_text("Ben")
        expect(view.locator(".embed__side[data-side=S] b")).to_have_text("2")
    for frame in reader.page.frames[1:]:
        assert frame.evaluate(FITS), frame.evaluate("[innerWidth, innerHeight]")
    assert reader.context.cookies() == []

    ben.page.locator("[data-open=resign]:visible").first.click()
    ben.page.locator("#resign-yes").click()
    expect(views[0].locator(".embed__side[data-state=won]")).to_contain_text("Ann")
    for person in (ann, ben):
        person.page.locator("#again").click()
    expect(views[0].locator("#board")).to_have_attribute("data-game", "2")
    expect(views[0].locator(".embed__side[data-state=turn]")).to_contain_text("Ben")
    expect(views[0].locator("#board")).to_have_attribute("data-ply", "0")

    with reader.context.expect_page() as opened:
        views[2].get_by_role("link", name="Open in Mancala").click()
    expect(opened.value).to_have_url(link)


def test_a_link_that_works_once_takes_the_seat_to_another_device(browser: Browser, site: Server) -> None:
    """B67, its second half: a private link restores the seat."""
    ann, ben, phone = (Person.arrive(browser) for _ in range(3))
    link = sit_together(site.url, ann, ben)
    lobby = ann.context.new_page()
    lobby.goto(f"{site.url}/another-device/")
    lobby.get_by_role("button", name="Make a link").click()
    phone.page.goto(lobby.locator("#device-link").input_value())
    phone.page.get_by_role("button", name="Go on as").click()
    expect(phone.page.locator(".messages")).to_contain_text("Hello again!")
    phone.page.locator("#mine-list").get_by_role("link", name="Return").click()
    expect(phone.page).to_have_url(link)
    expect(phone.board).to_have_attribute("data-link", "online")
    phone.sow("c")
    for person in (phone, ann, ben):
        person.sees(1)
    ann.sow("f")
    phone.sees(2)
    expect(phone.page.locator("#board")).to_have_attribute("data-hand", "S")
    assert urlsplit(phone.page.url).query == ""
