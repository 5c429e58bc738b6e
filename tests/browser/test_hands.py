"""What fingers do to a page: quick taps, pulls and swipes, away and back."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.line import Line
from tests.browser.people import Person, sit_together
from tests.processes import Server

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
AFTER_C = (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0)


@pytest.fixture
def seated(browser: Browser, site: Server) -> tuple[Person, Person]:
    """South and North, each with a phone."""
    south, north = Person.arrive(browser, **PHONE), Person.arrive(browser, **PHONE)
    sit_together(site.url, south, north)
    return south, north


def middle(person: Person, letter: str) -> tuple[float, float]:
    box = person.board.locator(f"[data-letter={letter}]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_two_quick_taps_do_not_zoom_and_two_fingers_still_do(seated: tuple[Person, Person]) -> None:
    """B128: quick taps zoom the page."""
    south, _ = seated
    page = south.page
    for letter in "ab":  # the second comes while the first is on its way
        page.touchscreen.tap(*middle(south, letter))
    assert south.sees(1)[:2] == (0, 5)
    assert page.evaluate("visualViewport.scale") == 1
    assert page.evaluate("getComputedStyle(document.querySelector('#board')).touchAction") == "manipulation"
    viewport = page.locator("meta[name=viewport]").get_attribute("content")
    assert not re.search("user-scalable|maximum-scale", viewport)


def test_a_pull_on_the_board_loses_nothing(seated: tuple[Person, Person]) -> None:
    """B130: pull-to-refresh or a swipe from the edge reloads the game."""
    south, _ = seated
    south.page.evaluate("window.neverReloaded = true")
    devtools = south.context.new_cdp_session(south.page)
    x, y = middle(south, "c")
    for start, end in (((x, y), (x, y + 300)), ((2, y), (300, y))):
        for kind, place in (("Start", start), ("Move", end), ("End", None)):
            points = [{"x": place[0], "y": place[1]}] if place else []
            devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    assert south.page.evaluate("getComputedStyle(document.documentElement).overscrollBehavior") == "none"
    assert south.page.evaluate("window.neverReloaded && scrollX === 0 && scrollY === 0")
    south.page.touchscreen.tap(x, y)
    assert south.sees(1) == AFTER_C  # and the first that was sown
    south.page.reload()
    assert south.sees(1) == AFTER_C


def test_away_and_back_the_page_is_live_again(seated: tuple[Person, Person]) -> None:
    """B38: a page taken out of the browser's memory has lost its socket."""
    south, north = seated
    south.page.goto("about:blank")
    north.sees(0)
    south.page.go_back()
    south.sow("a")
    assert north.sees(1)[0] == 0
    south.page.goto("about:blank")
    north.sow("h")
    after_h = north.sees(2)
    south.page.go_back()
    assert south.sees(2) == after_h
    south.sow("b")
    for person in (south, north):
        assert person.sees(3)[1] == 0


def test_out_of_the_browsers_memory_the_socket_is_opened_at_once(browser: Browser, site: Server) -> None:
    """B38, where Back brings the page as it was left; Chromium does not while it is driven by a test."""
    south, north = (Person.arrive(browser) for _ in range(2))
    line = Line(south.page)
    sit_together(site.url, south, north)
    south.page.clock.install()
    south.page.clock.pause_at(south.page.evaluate("Date.now() + 1000"))
    line.close(code=1000)
    expect(south.board).to_have_attribute("data-link", "offline")
    south.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(south.board).to_have_attribute("data-link", "online")
