"""Two friends spend an evening: offers, another game in the same room, and a series, seen by all three boards."""

from playwright.sync_api import Browser, expect

from tests.browser.people import Person, sit_together
from tests.conftest import ServerFactory
from tests.processes import RedisServer, Server

START = (4, 4, 4, 4, 4, 4, 0) * 2
AFTER_C = (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0)


def asked(person: Person, words: str) -> None:
    expect(person.page.locator("#offer p")).to_have_text(words)


def do(person: Person, kind: str) -> None:
    person.page.locator(f".actions [data-offer={kind}]").click()


def answer(person: Person, yes: str) -> None:
    person.page.locator(f"#offer [data-answer={yes}]").click()


def test_offers_and_another_game_over_two_processes(
    browser: Browser, serve: ServerFactory, redis_server: RedisServer
) -> None:
    one, two = serve(redis=redis_server), serve(redis=redis_server)
    maya, leo, third = (Person.arrive(browser) for _ in range(3))
    people = (maya, leo, third)
    maya.call(one.url, "Maya")
    leo.call(two.url, "Leo")
    link = maya.open_room(one.url)
    elsewhere = link.replace(one.url, two.url)
    leo.sit_down(elsewhere)
    third.watch(elsewhere)
    maya.sow("d")
    for person in people:
        person.sees(1)

    # Maya may take her turn back, and sows another pit.
    do(maya, "takeback")
    asked(leo, "Maya asks to take back a turn.")
    asked(third, "Maya asks to take back a turn.")
    leo.page.reload()
    asked(leo, "Maya asks to take back a turn.")
    answer(leo, "yes")
    for person in people:
        assert person.sees(0) == START
        expect(person.page.locator("#offer")).to_be_hidden()
    maya.sow("c")
    for person in people:
        assert person.sees(1) == AFTER_C

    # Leo offers a draw and thinks better of it; Maya declines the next; then they agree.
    do(leo, "draw")
    asked(maya, "Leo offers a draw.")
    answer(leo, "no")
    expect(maya.page.locator("#offer")).to_be_hidden()
    do(leo, "draw")
    answer(maya, "no")
    expect(leo.page.locator("#toasts")).to_contain_text("Maya would rather play on.")
    do(leo, "draw")
    answer(maya, "yes")
    for person in people:
        expect(person.page.locator("#result-title")).to_have_text("A draw")

    # Another game: one tap each, sides swapped, the same link, everybody carried along.
    maya.page.locator("#again").click()
    expect(maya.page.locator("#again")).to_be_disabled()
    expect(leo.page.locator(".result__offer")).to_have_text("Maya would like another game.")
    leo.page.locator("#again").click()
    for person in people:
        expect(person.board).to_have_attribute("data-game", "2")
        expect(person.page.locator("#result")).to_be_hidden()
        expect(person.page.locator("#title")).to_have_text("Leo against Maya")
        expect(person.page.locator("#series")).to_have_text("Games won: 0 to 0 · 1 draw")
        assert person.sees(0) == START
    leo.sow("c")
    for person in people:
        assert person.sees(1) == AFTER_C
    assert maya.page.locator(".rank[data-place=near]").get_attribute("data-side") == "N"
    third.page.reload()
    assert third.sees(1) == AFTER_C

    maya.page.locator(".actions [data-open=resign]").click()
    maya.page.locator("#resign-yes").click()
    expect(leo.page.locator(".result__series")).to_have_text("Games won: 1 to 0 · 1 draw")
    expect(maya.page.locator(".result__series")).to_have_text("Games won: 1 to 0 · 1 draw")
    assert one.manage("check_games").returncode == 0


def say(person: Person, kind: str) -> None:
    person.page.locator("[data-open=talk]:visible").click()
    person.page.locator(f"#talk [data-react={kind}]").click()
    expect(person.page.locator("#talk")).to_be_hidden()


def test_ready_made_words_are_seen_and_heard_by_those_who_want_them(browser: Browser, site: Server) -> None:
    maya, leo, third = (Person.arrive(browser) for _ in range(3))
    maya.call(site.url, "Maya")
    third.prefer(site.url, talk="0")
    third.watch(sit_together(site.url, maya, leo))
    say(maya, "luck")
    for person in (maya, leo):
        expect(person.page.locator("#plate-S .plate__said")).to_have_text("Good luck!")
    expect(leo.page.locator("#announcer")).to_have_text("Maya: Good luck!")
    say(third, "wow")
    for person in (maya, leo):
        expect(person.page.locator("#toasts")).to_have_text("Somebody watching: Wow!")
    assert third.page.locator(".plate__said:visible, #toasts > *").count() == 0

    maya.page.locator(".actions [data-open=resign]").click()
    maya.page.locator("#resign-yes").click()
    leo.page.locator("#result [data-react=well]").click()
    expect(maya.page.locator(".result__said")).to_contain_text("Well played!")
    for _ in range(5):
        leo.page.locator("#result [data-react=well]").click()
    expect(leo.page.locator("#toasts")).to_contain_text("fast")


def test_a_result_that_comes_late_is_not_shown_over_the_next_game(browser: Browser, site: Server) -> None:
    maya, leo = Person.arrive(browser), Person.arrive(browser)
    sit_together(site.url, maya, leo)
    leo.page.clock.install()
    leo.page.clock.pause_at(leo.page.evaluate("Date.now() + 1000"))
    maya.page.locator(".actions [data-open=resign]").click()
    maya.page.locator("#resign-yes").click()
    expect(leo.board).to_have_attribute("data-status", "over")
    maya.page.locator("#again").click()
    answer(leo, "yes")
    expect(leo.board).to_have_attribute("data-game", "2")
    leo.page.clock.run_for(1_000)
    expect(leo.page.locator("#result")).to_be_hidden()
