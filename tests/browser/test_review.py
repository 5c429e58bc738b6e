"""A finished game gone over: by link on a phone, by keyboard, and without a script."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import Person, wait_to_hear
from tests.known_games import SHORT
from tests.processes import Server

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

SLIP = 3
"""The one ply of the game that was not the best, from 1: South wins by 8 in the end, and with best play by 4."""


@pytest.fixture(scope="module")
def place(browser: Browser, _one_site: Server) -> str:
    """The address of the review of a game that two have just played on one device."""
    two = Person.arrive(browser)
    link = two.post(_one_site.url, "/rooms/", visibility="shared", rules="both-stores", pits="3", stones="3")
    two.watch(link)
    for ply, letter in enumerate(SHORT):
        two.sow(letter)
        two.sees(ply + 1)
    expect(two.page.locator("#result")).to_be_visible()
    two.page.keyboard.press("Escape")  # from beside the board as well as from the result
    two.page.get_by_role("link", name="Review").click()
    expect(two.page).to_have_url(f"{link}1/review/")
    return two.page.url


def is_worked_out(page: Page) -> None:
    expect(page.locator("#progress")).to_be_hidden()
    expect(page.locator(".slip:visible [aria-hidden]")).to_have_text(["−2"])


def test_a_review_opened_by_link_on_a_phone_shows_the_better_way(browser: Browser, place: str) -> None:
    reader = Person.arrive(browser, **PHONE)
    page = reader.page
    page.goto(place)
    is_worked_out(page)
    expect(page.locator(".marks > [data-side=S]")).to_contain_text("100 %")
    expect(page.locator(".marks > [data-side=N]")).to_contain_text("choices were the best")
    assert page.evaluate("document.documentElement.scrollWidth") == 390

    page.get_by_role("button", name="Next slip").tap()
    game = reader.sees(SLIP)
    step = page.locator(".step[data-current]")
    expect(step).to_contain_text(
        re.compile(r"Better: pit [e-g]\. Moon could have lost by only 4\. This gave away 2 stones\.")
    )
    better = re.search(r"Better: pit (\w)\.", step.inner_text())[1]
    page.get_by_role("button", name="Show the better way").tap()
    reader.sees(SLIP)  # by another ply than the game's
    way = page.locator(".better__line button")
    expect(way.first).to_have_attribute("aria-current", "step")
    expect(way.first).to_contain_text(f"Moon, pit {better}")
    assert reader.counts() != game
    wait_to_hear(page, "Better way: 1 of")

    page.get_by_role("button", name="To the end").tap()
    south, north = map(int, re.findall(r"\d+", page.locator(".better__end").inner_text()))
    assert (south + north, south - north) == (18, 4)
    expect(page.locator("#board [data-hole='3'] .count")).to_have_text(str(south))
    page.get_by_role("button", name="Back to the game").tap()
    assert reader.sees(SLIP) == game
    expect(page.locator("#way")).to_be_hidden()

    # A finger on the line leads to a ply: at its right end to the last.
    box = page.locator("#chart > svg").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 2, box["y"] + 10)
    last = reader.sees(len(SHORT))

    page.get_by_role("link", name="This board in the solver").tap()
    board = [page.locator(f"[data-hole='{hole}'] input").input_value() for hole in range(len(last))]
    assert tuple(map(int, board)) == last


def test_a_review_is_read_by_keyboard(browser: Browser, place: str) -> None:
    reader = Person.arrive(browser)
    page = reader.page
    page.goto(f"{place}#move-{SLIP - 1}")
    is_worked_out(page)
    page.keyboard.press("ArrowRight")
    game = reader.sees(SLIP)
    page.locator("#better").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".better__line button").first).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowRight")
    reader.sees(SLIP + 1)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    reader.sees(SLIP - 1)
    page.keyboard.press("Escape")
    assert reader.sees(SLIP) == game
    page.locator("#table summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#table tbody tr").nth(SLIP - 1)).to_contain_text("4")


def test_without_a_script_all_that_is_known_can_be_read(browser: Browser, place: str) -> None:
    reader, plain = Person.arrive(browser), Person.arrive(browser, java_script_enabled=False)
    reader.page.goto(place)
    is_worked_out(reader.page)
    plain.page.goto(place)
    expect(plain.page.locator("#progress")).to_be_hidden()
    expect(plain.page.locator("#chart")).to_be_hidden()
    plain.page.locator("#table summary").click()
    row = plain.page.locator("#table tbody tr").nth(SLIP - 1)
    expect(row.locator("th, td").nth(4)).to_have_text("2")
    expect(row.locator("td").last).to_have_text(re.compile("^[a-g]+$"))


def test_who_is_playing_somebody_is_sent_back_there(browser: Browser, site: Server, place: str) -> None:
    ann, ben = Person.arrive(browser), Person.arrive(browser)
    link = ann.post(site.url, "/rooms/", side="S")
    ann.page.goto(place)
    is_worked_out(ann.page)
    ben.post(site.url, f"{urlsplit(link).path}seat/")
    ann.page.reload()
    assert ann.forgives("409")
    ann.page.get_by_role("link", name="Back to the game", exact=True).click()
    expect(ann.page).to_have_url(link)
    assert ann.sees(0)
