"""Two players write to each other while somebody watches, who reads nothing of it but is known by name."""

import json

from playwright.sync_api import Browser, expect

from tests.browser.line import Line
from tests.browser.people import Person, sit_together, wait_to_hear
from tests.processes import Server


def open_talk(person: Person) -> None:
    person.page.locator("[data-open=talk]:visible").click()
    expect(person.page.locator("#letters")).to_be_visible()


def look_later(person: Person, news: str) -> None:
    """Who reloads has missed it, and finds it by the dot."""
    person.page.reload()
    unread = person.page.locator("[data-open=talk][data-unread]:visible")
    expect(unread).to_have_accessible_description(news)
    open_talk(person)
    expect(unread).to_have_count(0)


def write(person: Person, text: str) -> None:
    field = person.page.locator("#letters .input")
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_value("")  # it is back


def test_both_switch_it_on_write_reload_and_read_and_whoever_watches_sees_nothing(
    browser: Browser, site: Server
) -> None:
    """B93, B105, B116, B137"""
    ann = Person.arrive(browser)
    ben = Person.arrive(browser, viewport={"width": 390, "height": 844})
    for person, name in ((ann, "Ann"), (ben, "Ben")):
        person.call(site.url, name)
    link = sit_together(site.url, ann, ben)
    cleo = Person.arrive(browser)
    cleo.call(site.url, "Cleo")
    frames = []

    def listen(frame: str) -> None:
        frames.append(frame)

    cleo.page.on("websocket", lambda socket: socket.on("framereceived", listen))
    cleo.watch(link)

    open_talk(ann)
    ann.page.locator("#letters-on").check()
    expect(ann.page.locator("#letters-state")).to_have_text("Ben has not switched it on yet.")
    expect(ann.page.locator("#letters-both")).to_be_hidden()
    expect(ben.page.locator("#toasts")).to_have_text("Ann would like to write to you.")
    look_later(ben, "Ann would like to write to you.")
    ben.page.locator("#letters-on").check()
    write(ben, "<b>abc</b> 1?")  # no key of it reaches the board
    expect(ann.page.locator("#lines .line span")).to_have_text(["<b>abc</b> 1?"])
    ann.page.keyboard.press("Escape")
    assert ann.counts() == (4, 4, 4, 4, 4, 4, 0) * 2

    write(ben, "Your turn")
    wait_to_hear(ann.page, "Ben: Your turn")
    expect(ann.page.locator("[data-open=talk]:visible")).to_have_attribute("data-unread", "")
    ann.page.reload()
    expect(ann.page.locator("[data-open=talk]:visible")).to_have_attribute("data-unread", "")
    open_talk(ann)
    expect(ann.page.locator("#lines .line span")).to_have_text(["<b>abc</b> 1?", "Your turn"])
    expect(ann.page.locator("[data-open=talk][data-unread]")).to_have_count(0)

    mute = ann.page.get_by_role("button", name="Hide what Ben writes")
    mute.click()
    write(ann, "Bye")
    expect(ann.page.locator("#lines .line span")).to_have_text(["Bye"])
    expect(mute).to_have_attribute("aria-pressed", "true")
    expect(ben.page.locator("#lines .line span")).to_have_text(["<b>abc</b> 1?", "Your turn", "Bye"])

    ann.page.locator("#letters-on").uncheck()
    expect(ben.page.locator("#letters-state")).to_have_text("Ann has not switched it on yet.")
    expect(ben.page.locator("#letters-both")).to_be_hidden()

    ben.page.keyboard.press("Escape")
    ben.page.locator("#watchers").click()
    expect(ben.page.locator("#audience li")).to_have_text(["Cleo"])
    expect(cleo.page.locator("#letters")).to_be_hidden()
    kinds = {json.loads(frame)["type"] for frame in frames}
    assert "presence" in kinds
    assert kinds <= {"welcome", "presence", "pong"}


def test_what_is_typed_stays_until_it_is_back_and_what_did_not_load_is_loaded_later(
    browser: Browser, site: Server
) -> None:
    ann, ben = Person.arrive(browser), Person.arrive(browser)
    line = Line(ann.page)
    ben.call(site.url, "Ben")
    sit_together(site.url, ann, ben)
    ann.page.route("**/talk*.js", lambda route: route.abort())
    with ann.page.expect_event("requestfailed"):
        ann.page.locator("[data-open=talk]:visible").click()
    ann.page.unroute("**/talk*.js")
    assert ann.forgives("ERR_FAILED")
    ben.page.locator("[data-open=talk]:visible").click()
    ben.page.locator("[data-react=hello]").click()  # whatever is told: it is tried again
    expect(ann.page.locator("#plate-N .plate__said")).to_be_visible()
    expect(ann.page.locator("#letters-mute")).not_to_be_empty()  # it has come
    ann.page.locator("#letters-on").check()
    expect(ann.page.locator("#letters-state")).to_have_text("Ben has not switched it on yet.")
    open_talk(ben)
    ben.page.locator("#letters-on").check()

    field, note = ann.page.locator("#letters .input"), ann.page.locator("#letters-note")
    field.fill("Nice capture!")
    line.hold()
    field.press("Enter")
    line.tell({"type": "refused", "re": "react", "code": "too_fast"})
    expect(ann.page.locator("#toasts")).to_have_text("That was too fast. Please try again.")
    expect(note).to_be_empty()
    line.let_go()
    expect(field).to_have_value("")

    field.fill("And again")
    line.hold()
    field.press("Enter")
    line.tell({"type": "refused", "re": "say", "code": "too_fast"})
    expect(note).to_have_text("That was too fast. Please try again.")
    expect(field).to_have_value("And again")
    line.let_go()
    expect(field).to_have_value("")
