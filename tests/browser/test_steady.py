"""Nothing on the page moves while a game is played, but stones."""

import pytest
from playwright.sync_api import Browser, expect

from games.rules import transcript
from games.rules.ruleset import by_key
from tests.browser.people import Person
from tests.processes import Server

GAME = "bgccbca"
"""A whole game of `classic-3x6`, 16:20: scores of one digit and of two, an extra turn, a capture, a sweep."""

NOTE_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    window.shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""
DESK = {"viewport": {"width": 1280, "height": 720}}
SMALL_PHONE = {"viewport": {"width": 320, "height": 568}, "is_mobile": True, "has_touch": True}


@pytest.mark.parametrize(("size", "motion"), [(DESK, "no-preference"), (SMALL_PHONE, "reduce")], ids=["desk", "phone"])
def test_nothing_shifts_from_the_first_sowing_to_the_result(
    browser: Browser, site: Server, size: dict[str, object], motion: str
) -> None:
    south = Person.arrive(browser, **size, reduced_motion=motion)
    north, third = (Person.arrive(browser, **size) for _ in range(2))
    people = (south, north, third)
    south.prefer(site.url, speed="brisk")
    for person in people:
        person.page.add_init_script(NOTE_SHIFTS)
    link = south.open_room(site.url, pits="3", stones="6")
    north.sit_down(link)
    third.watch(link)
    for person in people:
        person.sees(0)
        person.page.evaluate("window.shifts.length = 0")  # while somebody sits down, things may find their places
    for ply, sowing in enumerate(transcript.replay(by_key("classic-3x6"), GAME)):
        {"S": south, "N": north}[sowing.side.value].sow(GAME[ply])
        for person in people:
            assert person.sees(ply + 1) == sowing.after.stones
    for person in people:
        expect(person.page.locator("#result")).to_be_visible()
        assert person.page.evaluate("window.shifts") == []
