"""What goes wrong between one browser and one server, and how the board comes out of it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.people import Person, wait_to_hear
from tests.conftest import ServerFactory
from tests.processes import Server
from tests.wire import Wire

START = (4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0)
AFTER_C = (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0)
"""c gives South an extra turn."""
AFTER_C_A = (0, 5, 1, 6, 6, 5, 1, 4, 4, 4, 4, 4, 4, 0)
AFTER_C_A_K = (1, 5, 1, 6, 6, 5, 1, 4, 4, 4, 0, 5, 5, 1)

Wired = tuple[Wire, Person, Person]
"""A wire, South behind it, and North with a line of their own, about to play."""


@pytest.fixture
def wired(browser: Browser, serve: ServerFactory) -> Iterator[Wired]:
    wire = Wire()
    site = serve(PUBLIC_URL=wire.url)
    wire.lead_to(site.port)
    south, north = Person.arrive(browser), Person.arrive(browser)
    link = south.open_room(wire.url)
    north.sit_down(link.replace(wire.url, site.url))
    assert south.sees(0) == START
    yield wire, south, north
    wire.close()


def test_a_play_into_a_dead_line_is_sent_again_and_counts_once(wired: Wired) -> None:
    """B22, B23: a play that never reached the server left a dead board, or was made twice."""
    wire, south, north = wired
    wire.cut()
    south.sow("c")
    expect(south.board).to_have_attribute("data-link", "offline")
    assert north.counts() == START
    wire.mend()
    for person in (south, north):
        assert person.sees(1) == AFTER_C
    south.sow("a")
    for person in (south, north):
        assert person.sees(2) == AFTER_C_A

    wire.cut()
    north.sow("k")
    assert north.sees(3) == AFTER_C_A_K
    wire.mend()
    assert south.sees(3) == AFTER_C_A_K
    rival = south.page.locator("#plate-N [data-part=name]").text_content()
    wait_to_hear(south.page, f"Move 3: {rival}, pit k. You have 1, {rival} has 1. Your turn, 6 pits to choose from.")


def test_what_else_is_asked_for_on_a_dead_line_is_asked_for_again(wired: Wired) -> None:
    """B22 of a draw: offered by who was cut off, later accepted by them, each once and without a word to them."""
    wire, south, north = wired
    wire.cut()
    south.page.locator("[data-offer=draw]:visible").click()
    expect(south.board).to_have_attribute("data-link", "offline")
    wire.mend()
    north.page.locator("#offer [data-answer=no]").click()
    expect(south.page.locator("#offer")).to_be_hidden()
    north.page.locator("[data-offer=draw]:visible").click()
    yes = south.page.locator("#offer [data-answer=yes]")
    expect(yes).to_be_visible()
    banner = south.page.locator("#banner")
    expect(banner).to_have_attribute("data-kind", "back")
    expect(banner).to_have_css("pointer-events", "none")  # it lies where an offer does
    wire.cut()
    yes.click()
    expect(south.board).to_have_attribute("data-link", "offline")
    wire.mend()
    for person in (south, north):
        expect(person.page.locator("#result-title")).to_have_text("A draw")


def test_what_happens_between_the_page_and_its_socket_is_not_lost(browser: Browser, site: Server) -> None:
    """B33: a move between page and socket is lost."""
    south, north, late = (Person.arrive(browser) for _ in range(3))
    link = south.open_room(site.url)
    north.sit_down(link)
    held: list[Route] = []
    late.page.route(re.compile(r"/js/game\.[^/]*js$"), lambda script: held.append(script))  # noqa: PLW0108  # Playwright cannot take a built-in
    late.page.goto(link, wait_until="commit")
    expect(late.board).to_have_attribute("data-ply", "0")

    south.sow("c")
    south.sow("a")
    assert north.sees(2) == AFTER_C_A
    (script,) = held
    script.continue_()
    assert late.sees(2) == AFTER_C_A


def test_a_double_click_sows_once_even_where_it_gives_an_extra_turn(browser: Browser, site: Server) -> None:
    """B20: a fast double click acts twice."""
    south, north = Person.arrive(browser), Person.arrive(browser)
    north.sit_down(south.open_room(site.url))
    assert south.sees(0) == START
    south.page.locator("#board [data-hole='2'][data-legal]").dblclick(no_wait_after=True)
    for person in (south, north):
        assert person.sees(1) == AFTER_C
    assert "c" == south.page.evaluate("async () => (await (await fetch('state.json')).json()).transcript")


def test_a_double_click_on_a_word_says_it_and_sows_no_pit_that_lies_below(browser: Browser, site: Server) -> None:
    """B20, of a dialog that the first click closes: the second would be for the board."""
    south, north = Person.arrive(browser), Person.arrive(browser)
    north.sit_down(south.open_room(site.url))
    assert south.sees(0) == START
    south.page.locator("[data-open=talk]:visible").dblclick()  # which opens it, and does not close it again
    south.page.evaluate("addEventListener('click', ({ x, y }) => { window.clicked = [x, y]; }, { capture: true })")
    south.page.locator("#talk [data-react=think]").dblclick()
    expect(south.page.locator("#talk")).to_be_hidden()
    below = south.page.evaluate("document.elementFromPoint(...clicked).closest('.pit').dataset")
    assert "legal" in below
    expect(north.page.locator("#plate-S .plate__said")).to_have_text("Let me think…")
    south.sow("c")
    assert north.sees(1) == AFTER_C
