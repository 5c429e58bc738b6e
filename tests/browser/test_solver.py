"""The solver in a real browser: by keyboard alone from an empty board to best play, by touch on a phone, and back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person

SIZES = [(1440, 900), (1280, 720), (390, 844), (844, 390), (320, 568)]


def open_solver(browser, quick_site, query="", **options) -> Page:
    page = Person.arrive(browser, **options).page
    page.goto(f"{quick_site.url}/solver/{query}")
    expect(page.locator("#found")).to_have_attribute("aria-busy", "false")
    return page


def hole(page: Page, name: str):
    return page.get_by_role("spinbutton", name=name)


def test_by_keyboard_alone_from_an_empty_board_to_a_value_and_a_step_of_best_play(browser, quick_site):
    page = open_solver(browser, quick_site)
    keyboard = page.keyboard
    page.get_by_role("button", name="Clear the board").focus()
    keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("Game over. A draw, 0 each.")

    # Sun has one stone in e and one in f, Moon two in h. f goes home, e then captures the two across: 4 to 0.
    hole(page, "Sun’s pit e").focus()
    keyboard.type("1")
    keyboard.press("Tab")
    expect(hole(page, "Sun’s pit f")).to_be_focused()
    keyboard.press("ArrowUp")
    hole(page, "Moon’s pit h").focus()
    for _ in range(3):
        keyboard.press("ArrowUp")
    keyboard.press("ArrowDown")
    expect(page.locator("#verdict")).to_have_text("Sun wins by 4 with best play")
    assert page.url.endswith("?rules=classic&position=0,0,0,0,1,1,0/2,0,0,0,0,0,0%20S")
    moves = page.locator("#list li")
    expect(moves).to_have_count(2)
    expect(moves.last).to_contain_text("Sun wins by 4. Extra turn")
    expect(moves.last).to_have_attribute("data-best", "")
    page.wait_for_function(
        "() => document.querySelector('#announcer').textContent.trim() === 'Sun wins by 4 with best play'"
    )

    page.get_by_role("link", name="Sow it: Pit f").focus()
    keyboard.press("Enter")
    expect(page.locator("#found")).to_be_focused()
    expect(page.locator("#list li")).to_contain_text(["Sun wins by 4. Captures 3"])
    assert page.url.endswith("position=0,0,0,0,1,0,1/2,0,0,0,0,0,0%20S")
    expect(hole(page, "Sun’s store")).to_have_value("1")

    page.go_back()
    expect(page.locator("#list li")).to_have_count(2)
    expect(hole(page, "Sun’s store")).to_have_value("0")
    page.reload()
    expect(page.locator("#verdict")).to_have_text("Sun wins by 4 with best play")
    expect(hole(page, "Sun’s pit e")).to_have_value("1")


def test_by_touch_on_a_phone(browser, quick_site):
    query = "?rules=classic&position=0,0,1,9/2,0,1,11%20S"
    page = open_solver(
        browser, quick_site, query, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    expect(page.locator("#verdict")).to_have_text("Moon wins by 4 with best play")
    page.locator("#board [data-hole='0'] .pit__hollow").tap()
    expect(hole(page, "Sun’s pit a")).to_have_value("1")
    page.get_by_role("button", name="One stone more").tap()
    expect(page.locator("#step-hole")).to_have_text("Sun’s pit a: 2")
    page.get_by_role("button", name="One stone less").tap()
    expect(hole(page, "Sun’s pit a")).to_have_value("1")
    assert page.locator("#board .stone").count() == 25
    page.get_by_text("Moon", exact=True).tap()
    expect(page.locator(".worths[data-side='N'] .worth")).to_have_count(2)
    page.locator(".worths[data-side='N'] .worth").first.tap()
    expect(page).to_have_url(re.compile("position="))
    expect(page.locator("#found")).to_have_attribute("aria-busy", "false")


def test_another_size_of_the_board_is_another_page_and_rules_are_asked_for_at_once(browser, quick_site):
    page = open_solver(browser, quick_site, "?rules=classic&position=0,0,1,9/2,0,1,11%20S")
    page.locator("[name=rules][value=avalanche]").check(force=True)
    expect(page).to_have_url(re.compile("rules=avalanche"))
    page.locator("[name=pits][value='4']").check(force=True)
    expect(page.locator("#board")).to_have_attribute("data-pits", "4")
    expect(page).to_have_url(re.compile(r"rules=avalanche&position=4,4,4,4,0/4,4,4,4,0%20S"))


def test_a_lost_line_is_said_and_the_values_come_when_it_is_back(browser, quick_site):
    person = Person.arrive(browser)
    page = person.page
    page.goto(f"{quick_site.url}/solver/?rules=classic&position=0,0,1,9/2,0,1,11%20S")
    expect(page.locator("#verdict")).to_have_text("Moon wins by 4 with best play")
    person.context.set_offline(True)
    page.locator("[name=rules][value=avalanche]").check(force=True)
    expect(page.locator("#verdict")).to_have_text("No connection. The values will come when it is back.")
    person.context.set_offline(False)
    expect(page.locator("#verdict")).to_have_text("Moon wins by 4 with best play")


@pytest.mark.parametrize("query", ["", "?rules=classic&position=2,1,2,2,1,0,15/0,0,2,1,0,0,22%20S"])
def test_the_board_fits_every_screen_beside_or_above_what_it_is_worth(browser, quick_site, query):
    page = open_solver(browser, quick_site, query)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        board, found = (page.locator(part).bounding_box() for part in ("#board", "#found"))
        assert board["y"] + board["height"] <= height
        apart = found["x"] >= board["x"] + board["width"] or found["y"] >= board["y"] + board["height"]
        assert apart, f"nothing lies over the board at {width}×{height}"
        for target in page.locator("#found a:visible, .solver__bar button:visible, .solver__choices label").all():
            assert target.bounding_box()["height"] >= 44


def test_without_a_script_it_is_a_form(browser, quick_site):
    page = Person.arrive(browser, java_script_enabled=False).page
    page.goto(f"{quick_site.url}/solver/?rules=classic&position=0,0,1,9/2,0,1,11%20S")
    expect(page.locator("#verdict")).to_have_text("Moon wins by 4 with best play")
    hole(page, "Sun’s pit c").fill("0")
    hole(page, "Sun’s pit b").fill("1")
    page.get_by_role("button", name="Show the values").click()
    expect(page.locator("#list li")).to_have_count(1)
    page.locator("#list a").click()
    assert "position=" in page.url
    expect(hole(page, "Sun’s pit b")).to_have_value("0")
