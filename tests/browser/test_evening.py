"""Two friends spend an evening: offers, another game in the same room, and a series, seen by all three boards."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person, sit_together, wait_to_hear
from tests.conftest import ServerFactory
from tests.processes import RedisServer, Server

pytestmark = pytest.mark.timeout(300)

START = (4, 4, 4, 4, 4, 4, 0) * 2
AFTER_C = (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0)
AFTER_A_K = (1, 5, 5, 5, 5, 4, 0, 4, 4, 4, 0, 5, 5, 1)
AFTER_A_K_B_A = (0, 0, 6, 6, 6, 5, 7, 4, 4, 4, 0, 0, 5, 1)
"""b ends in the store, so South sows again: a, into the empty b, captures five with its own."""
AFTER_A_K_C = (1, 5, 0, 6, 6, 5, 1, 5, 4, 4, 0, 5, 5, 1)


def asked(person: Person, words: str) -> None:
    expect(person.page.locator("#offer p")).to_have_text(words)


def do(person: Person, kind: str) -> None:
    person.page.locator(f".actions [data-offer={kind}]").click()


def answer(person: Person, yes: str) -> None:
    person.page.locator(f"#offer [data-answer={yes}]").click()


def answer_by_key(person: Person, yes: str) -> None:
    person.page.locator(f"#offer [data-answer={yes}]").press("Enter")


def again_by_key(person: Person) -> None:
    button = person.page.locator("#again")
    expect(button).to_be_visible()  # a click would wait for that, a key does not
    button.press("Enter")


def reload(person: Person) -> None:
    person.page.reload()
    expect(person.board).to_have_attribute("data-link", "online")


def resign(person: Person) -> None:
    person.page.locator(".actions [data-open=resign]").click()
    person.page.locator("#resign-yes").click()


def both_are_here(person: Person) -> None:
    for side in "SN":
        expect(person.page.locator(f"#plate-{side}")).to_have_attribute("data-presence", "here")


def test_offers_and_a_series_of_three_over_two_processes(
    browser: Browser, serve: ServerFactory, redis_server: RedisServer
) -> None:
    """B80, B81, B86, B90, B134, B144: two players, one with the mouse, one with keys, and one who watches.

    An offer lost over a reload; a takeback that not every board drew, or that left the score; a board left under the
    next; players who seemed gone.
    """
    one, two = serve(redis=redis_server), serve(redis=redis_server)
    maya, leo, third = people = [Person.arrive(browser) for _ in range(3)]
    maya.call(one.url, "Maya")
    leo.call(two.url, "Leo")
    link = maya.open_room(one.url)
    elsewhere = link.replace(one.url, two.url)
    leo.sit_down(elsewhere)
    third.watch(elsewhere)
    a_turn_is_taken_back(maya, leo, third)

    # Leo offers a draw and thinks better of it; Maya declines the next; then they agree.
    do(leo, "draw")
    asked(leo, "You offered a draw.")
    asked(maya, "Leo offers a draw.")
    answer_by_key(leo, "no")
    expect(maya.page.locator("#offer")).to_be_hidden()
    do(leo, "draw")
    answer(maya, "no")
    expect(leo.page.locator("#toasts")).to_contain_text("Maya would rather play on.")
    do(leo, "draw")
    answer(maya, "yes")
    for person in people:
        expect(person.page.locator("#result-title")).to_have_text("A draw")

    # Another game: one tap each, sides swapped, the same link, everybody carried along.
    reload(maya)
    maya.page.locator("#again").click()
    expect(maya.page.locator("#again")).to_be_disabled()
    reload(leo)
    expect(leo.page.locator(".result__offer")).to_have_text("Maya would like another game.")
    again_by_key(leo)
    begins(people, 2, "Leo against Maya", "Games won: 0 to 0 · 1 draw")
    leo.sow("c")
    for person in people:
        assert person.sees(1) == AFTER_C
    assert maya.page.locator(".rank[data-place=near]").get_attribute("data-side") == "N"
    reload(third)
    assert third.sees(1) == AFTER_C
    resign(maya)
    for person in people:
        expect(person.page.locator(".result__series")).to_have_text("Games won: 1 to 0 · 1 draw")

    # And the last of three, in which the sides are those of the first.
    again_by_key(leo)
    expect(maya.page.locator(".result__offer")).to_have_text("Leo would like another game.")
    maya.page.locator("#again").click()
    begins(people, 3, "Maya against Leo", "Games won: 0 to 1 · 1 draw")
    maya.sow("c")
    for person in people:
        assert person.sees(1) == AFTER_C
    resign(leo)
    for person in people:
        expect(person.page.locator(".result__series")).to_have_text("Games won: 1 to 1 · 1 draw")
    assert one.manage("check_games", "--skip-checks").returncode == 0


def a_turn_is_taken_back(maya: Person, leo: Person, back: Person) -> None:
    """Maya may take back an extra turn and a capture, and sows another pit. Who watches looks back meanwhile (B89)."""
    people = (maya, leo, back)
    maya.sow("a")
    back.sees(1)
    back.page.keyboard.press(",")
    assert back.sees(0) == START
    for ply, (person, pit) in enumerate(((leo, "k"), (maya, "b"), (maya, "a")), start=2):
        person.sow(pit)
        for viewer in people:
            viewer.sees(0 if viewer is back else ply)
    expect(back.page.locator("#missed")).to_have_text("3 new moves")
    back.page.keyboard.press("Escape")
    for person in people:
        assert person.sees(4) == AFTER_A_K_B_A

    do(maya, "takeback")
    for person in people[1:]:
        asked(person, "Maya asks to take back a turn.")
    wait_to_hear(leo.page, "Maya asks to take back a turn.")
    for person in (maya, leo):
        reload(person)
    asked(maya, "You asked to take back your turn.")
    asked(leo, "Maya asks to take back a turn.")
    answer_by_key(leo, "yes")
    for person in people:
        assert person.sees(2) == AFTER_A_K
        expect(person.page.locator("#offer")).to_be_hidden()
        expect(person.page.locator("#moves [data-ply]")).to_have_count(2)
        expect(person.board).to_have_attribute("data-turn", "S")
        both_are_here(person)
    maya.sow("c")
    for person in people:
        assert person.sees(3) == AFTER_A_K_C


def begins(people: list[Person], game: int, title: str, series: str) -> None:
    """Everybody is in the next game, on a clean board, the two who watch among them."""
    for person in people:
        expect(person.board).to_have_attribute("data-game", str(game))
        expect(person.page.locator("#result")).to_be_hidden()
        expect(person.page.locator("#title")).to_have_text(title)
        expect(person.page.locator("#series")).to_have_text(series)
        assert person.sees(0) == START
        assert person.board.locator("[data-hole]").count() == len(START)
        expect(person.board.locator(".board__stones .stone")).to_have_count(sum(START))
        both_are_here(person)


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
    wait_to_hear(leo.page, "Maya: Good luck!")
    say(third, "wow")
    for person in (maya, leo):
        expect(person.page.locator("#toasts")).to_have_text("Somebody watching: Wow!")
    assert third.page.locator(".plate__said:visible, #toasts > *").count() == 0

    resign(maya)
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
    resign(maya)
    expect(leo.board).to_have_attribute("data-status", "over")
    maya.page.locator("#again").click()
    answer(leo, "yes")
    expect(leo.board).to_have_attribute("data-game", "2")
    leo.page.clock.run_for(1_000)
    expect(leo.page.locator("#result")).to_be_hidden()
