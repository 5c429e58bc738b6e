"""The puzzles in a real browser: tried, shown, solved and kept, by mouse and by keyboard."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import Person, wait_to_hear
from tests.browser.test_lesson import FRAMES, SCREENS
from tests.processes import Server

START = [1, 2, 0, 1, 1, 1, 14, 5, 2, 1, 0, 0, 12, 8]
"""The first puzzle: f, then e."""


@pytest.fixture
def ann(browser: Browser, site: Server) -> Person:
    """Somebody in front of the first puzzle, where nothing moves."""
    person = Person.arrive(browser)
    go_to(person.page, site, 1)
    return person


def go_to(page: Page, site: Server, number: int) -> None:
    page.goto(f"{site.url}/puzzles/{number}/")
    expect(page.locator("#board")).to_have_attribute("data-link", "online")


def pit(page: Page, letter: str):
    return page.locator(f"#board .pit[data-letter={letter}]")


def reads(page: Page, name: str) -> None:
    """That text is seen, and no other."""
    expect(page.locator(".step:visible")).to_have_id(name)


def lies_again(page: Page) -> None:
    """The board stands as the puzzle began."""
    for hole, stones in enumerate(START):
        expect(page.locator(f"#board [data-hole='{hole}'] .count")).to_have_text(str(stones))


def test_a_wrong_try_is_answered_and_goes_back_and_the_right_one_is_kept(
    ann: Person, browser: Browser, site: Server
) -> None:
    page = ann.page
    reads(page, "task")
    pit(page, "e").click()
    reads(page, "wrong")
    # Moon sows i: its 2 stones end in the empty k, and across lies nothing. Then 48 stones are shared 19 to 29.
    words = "Moon answers with i and captures 1 stone. Now the best you can get is 19 to 29."
    expect(page.locator("#why-not")).to_have_text(words)
    wait_to_hear(page, words)
    lies_again(page)
    pit(page, "f").click()
    reads(page, "on")
    with page.expect_response("**/puzzles/1/solved/") as kept:
        pit(page, "e").click()
    assert kept.value.status == 204
    reads(page, "solved")
    page.get_by_role("link", name="Next").click()
    expect(page.locator("h1")).to_have_text("Look across")
    expect(page.locator(".tour__list [data-done]")).to_have_text("One more turn")
    tablet = Person.arrive(browser, cookies_of=ann).page
    tablet.goto(f"{site.url}/puzzles/")
    expect(tablet.locator(".puzzles__count")).to_have_text("1 of 10 solved")
    expect(tablet.locator(".puzzles__item[data-done] h2")).to_contain_text("One more turn")


def test_a_chain_by_the_keyboard_alone(ann: Person, site: Server) -> None:
    page = ann.page
    go_to(page, site, 9)
    for letter, after in (("f", "on"), ("c", "on"), ("f", "on")):
        page.keyboard.press(letter)
        expect(pit(page, letter)).to_have_attribute("data-count", "0")
        expect(page.locator("#board")).to_have_attribute("data-busy", "false")
        reads(page, after)
    page.keyboard.press("ArrowLeft")
    expect(pit(page, "e")).to_be_focused()
    page.keyboard.press("Enter")
    reads(page, "solved")
    wait_to_hear(page, "Solved!")


def test_it_is_shown_to_whoever_asks_and_is_then_not_solved(ann: Person, site: Server) -> None:
    page = ann.page
    page.get_by_role("button", name="Show me").click()
    expect(pit(page, "f")).to_have_attribute("data-preview", "from")
    reads(page, "shown")
    expect(page.locator(".tour__list [data-done]")).to_have_count(0)
    page.get_by_role("button", name="Again").click()
    reads(page, "task")
    lies_again(page)


def test_with_the_network_away_it_is_solved_and_kept_once_it_is_back(ann: Person) -> None:
    page = ann.page
    ann.context.set_offline(True)
    for letter, after in (("f", "on"), ("e", "solved")):
        pit(page, letter).click()
        reads(page, after)
    with page.expect_response("**/puzzles/1/solved/") as kept:
        ann.context.set_offline(False)
    assert kept.value.status == 204


PARTS = (".tour__board", ".tour__steps", ".tour__bar")


def boxes_at(page: Page, width: int, height: int) -> list[dict[str, float]]:
    """Where board, text and buttons are: all on the screen."""
    page.set_viewport_size({"width": width, "height": height})
    page.locator(".tour__board").scroll_into_view_if_needed()
    page.evaluate(FRAMES)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    boxes = [page.locator(part).bounding_box() for part in PARTS]
    for box in boxes:
        assert box["y"] >= 0, f"it is not above the screen of {width}×{height}"
        assert box["y"] + box["height"] <= height, f"it is on the screen of {width}×{height}"
    return boxes


def test_all_of_it_is_on_one_screen_and_never_moves(ann: Person) -> None:
    page = ann.page
    for width, height in SCREENS:
        page.get_by_role("button", name="Again").click(force=True)
        reads(page, "task")
        boxes = boxes_at(page, width, height)
        for letter, after in (("a", "wrong"), ("f", "on"), ("e", "solved")):
            pit(page, letter).click()
            reads(page, after)
            assert [page.locator(part).bounding_box() for part in PARTS] == boxes, (width, height, after)
            if after == "wrong":
                lies_again(page)


@pytest.mark.parametrize(("language", "number"), [("de", 6), ("fr", 10), ("es", 4)])
def test_wordier_languages_have_room_as_well(browser: Browser, site: Server, language: str, number: int) -> None:
    page = Person.arrive(browser, locale=language).page
    go_to(page, site, number)
    for width, height in SCREENS:
        boxes_at(page, width, height)


def test_without_javascript_it_asks_and_answers(browser: Browser, site: Server) -> None:
    page = Person.arrive(browser, java_script_enabled=False).page
    page.goto(f"{site.url}/puzzles/1/")
    expect(page.locator("#board")).to_be_visible()
    reads(page, "task")
    page.get_by_text("Show me", exact=True).first.click()
    expect(page.locator("details strong")).to_have_text("f, e")
