"""The lobby: what is chosen for a new game stays chosen until the game begins."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.people import Person
from tests.processes import Server


def test_choices_outlive_a_refused_name_and_another_language_but_not_the_game(browser: Browser, site: Server) -> None:
    ann = Person.arrive(browser)
    page = ann.page
    page.goto(site.url)
    page.locator("[name=stones][value='5']").check(force=True)
    page.locator("[name=pie]").check()
    page.locator("#control").select_option("5+3")
    expect(page.locator("#name-limit")).to_be_hidden()
    page.locator("#name").fill("A" * 21)
    expect(page.locator("#name-limit")).to_have_text("A name has 1 to 20 characters.")
    expect(page.locator("#name-limit")).to_be_visible()
    page.locator("#name").press("Enter")
    expect(page.locator("#name-error")).to_have_text("A name has 1 to 20 characters.")
    assert ann.forgives("status of 400")
    expect_choices(page)
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect_choices(page)
    page.locator(".create > .create__body > .button").click()
    expect(page.locator("#invite")).to_be_visible()
    page.goto(site.url)
    expect(page.locator("[name=stones][value='4']")).to_be_checked()
    expect(page.locator("[name=pie]")).not_to_be_checked()


def expect_choices(page: Page) -> None:
    expect(page.locator("[name=stones][value='5']")).to_be_checked()
    expect(page.locator("[name=pie]")).to_be_checked()
    expect(page.locator("[name=majority]")).not_to_be_checked()
    expect(page.locator("#control")).to_have_value("5+3")
    expect(page.locator("[name=side][value=random]")).to_be_checked()
