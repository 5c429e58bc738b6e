"""Around the moves: somebody waits, walks about, finds the way back, and sees in the lobby what goes on elsewhere."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.processes import Server


def own_rows(person: Person):
    return person.page.locator("#mine-list .game-row")


def test_own_games_are_found_again_from_everywhere(browser: Browser, site: Server) -> None:
    """B74, B139: who leaves by the page, or by Back, is not gone for ever; every page leads back."""
    ann, ben = Person.arrive(browser), Person.arrive(browser)
    ann.call(site.url, "Ann")
    ben.call(site.url, "Ben")
    expect(ann.page.locator("#mine")).to_be_hidden()
    link = ann.open_room(site.url)

    # Ann looks round while she waits; Ben sits down meanwhile.
    ann.page.get_by_role("link", name="Mancala, leave for the lobby").click()
    expect(own_rows(ann)).to_have_attribute("data-turn", "nobody")
    expect(own_rows(ann).get_by_role("button", name="Leave the game")).to_be_visible()
    ben.sit_down(link)
    expect(own_rows(ann)).to_have_attribute("data-turn", "you")
    expect(own_rows(ann)).to_contain_text("Against Ben")
    expect(own_rows(ann).get_by_role("button", name="Leave the game")).to_be_hidden()
    expect(ann.page.locator("#mine-said")).to_have_text("It is your turn in one of your games.")

    # She reads the rules first, and finds the way back from there.
    ann.page.get_by_role("link", name="How to play").first.click()
    ann.page.get_by_role("link", name=re.compile("Return to your game with")).click()
    expect(ann.page).to_have_url(link)

    # Now Ben is in the lobby, and she sows.
    ben.page.goto(site.url)
    expect(own_rows(ben)).to_have_attribute("data-turn", "them")
    ann.sow("d")
    expect(own_rows(ben)).to_have_attribute("data-turn", "you")
    expect(own_rows(ben)).to_contain_text("0 : 1")
    expect(ben.page.locator("#return")).to_be_visible()
    ann.page.locator("[data-open=resign]:visible").first.click()
    ann.page.locator("#resign-yes").click()
    expect(ben.page.locator("#mine")).to_be_hidden()
    expect(ben.page.locator("#return")).to_be_hidden()

    # A room opened in another tab is listed here, and is left from here.
    code = urlsplit(ben.post(site.url, "/rooms/")).path.split("/")[2]
    expect(own_rows(ben)).to_have_attribute("data-code", code)
    ben.page.get_by_role("button", name="Leave the game").click()
    expect(ben.page.locator(".messages")).to_have_text("You have left the game. Its link still works.")
    expect(own_rows(ben)).to_have_count(0)
    ben.page.get_by_role("link", name="Finished games").click()
    expect(ben.page.locator(".played__game")).to_contain_text("Ann resigned.")


def test_anyone_plays_at_once_with_whoever_waits_and_nobody_with_themselves(browser: Browser, site: Server) -> None:
    ann, ben = Person.arrive(browser), Person.arrive(browser)
    ann.call(site.url, "Ann")
    link = ann.open_room(site.url, visibility="public", side="random", stones="3")
    shop = ann.context.new_page()  # another tab of hers
    shop.goto(site.url)
    expect(shop.locator("#mine-list .game-row")).to_have_attribute("data-turn", "nobody")
    ben.page.goto(site.url)
    expect(ben.page.locator("#open-list .game-row")).to_contain_text("Ann")
    expect(shop.locator("#open-list .game-row")).to_have_count(0)

    for name, value in {"visibility": "public", "stones": "3"}.items():
        ben.page.locator(f"input[name='{name}'][value='{value}']").check(force=True)
    ben.page.get_by_role("button", name="Find a game").click()
    expect(ben.page).to_have_url(link)
    for person in (ann, ben):
        expect(person.board).to_have_attribute("data-status", "playing")
