"""Moon takes Sun's side by the pie rule: both boards turn round, and whoever watches reads the names anew."""

from playwright.sync_api import Browser, expect

from tests.browser.people import Person, sit_together, wait_to_hear
from tests.processes import Server


def test_two_swap_sides_and_play_on(browser: Browser, site: Server) -> None:
    maya, leo, third = people = tuple(Person.arrive(browser) for _ in range(3))
    maya.call(site.url, "Maya")
    leo.call(site.url, "Leo")
    link = sit_together(site.url, maya, leo, pie="on")
    third.watch(link)
    maya.sow("d")
    expect(leo.page.locator("#swap p")).to_have_text("Swap sides? You may take Sun’s side.")
    wait_to_hear(leo.page, "You may take Sun’s side.")
    for person in (maya, third):
        expect(person.page.locator("#swap")).to_be_hidden()

    # To play on puts the question away, after a reload too; in another tab it is still there.
    leo.page.locator("#swap-no").click()
    expect(leo.page.locator("#swap")).to_be_hidden()
    leo.page.reload()
    leo.sees(1)
    expect(leo.page.locator("#swap")).to_be_hidden()
    leo.page = leo.context.new_page()
    leo.page.goto(link)
    leo.page.locator("#swap-yes").click()

    for person in people:
        assert person.sees(2) == (4, 4, 4, 0, 5, 5, 1, 5, 4, 4, 4, 4, 4, 0)
        expect(person.page.locator("#plate-S [data-part=name]")).to_have_text("Leo")
        expect(person.page.locator("#plate-N [data-part=name]")).to_have_text("Maya")
        expect(person.page.locator("#swap")).to_be_hidden()
        expect(person.page.locator("#moves [data-ply='1']")).to_have_text("Move 2: Leo takes Sun’s side⇄")
        expect(person.page.locator("#moves [data-ply='0']")).to_have_text("Move 1: Maya, pit dd")
    expect(maya.page.locator("#toasts")).to_have_text("Leo takes Sun’s side. You are Moon now, and it is your turn.")
    expect(third.page.locator("#toasts")).to_have_text("Leo takes Sun’s side. Maya is to move.")
    for person, side in ((maya, "N"), (leo, "S"), (third, "S")):
        assert person.page.locator(".rank[data-place=near]").get_attribute("data-side") == side
    maya.sow("j")
    for person in people:
        person.sees(3)
    third.page.keyboard.press(",")
    third.page.keyboard.press(",")
    wait_to_hear(third.page, "Maya sowed 4 stones from pit d.")
    assert site.manage("check_games", "--skip-checks").returncode == 0
