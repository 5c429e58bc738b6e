"""A person against the computer: a whole game and another one, and a reload while it is its turn."""

import json
import re
from urllib.request import urlopen

from playwright.sync_api import Browser, expect

from tests.browser.people import Person, wait_to_hear
from tests.conftest import ServerFactory
from tests.processes import Server, wait_for

MOVED = """() => document.querySelector('#board').dataset.status === 'over'
    || document.querySelector('#board [data-hole][data-legal]') !== null"""


def play(person: Person, site: Server, *, side: str, **choices: str) -> None:
    """Begin a game against Pip from the lobby."""
    page = person.page
    page.goto(site.url)
    page.get_by_text("Computer", exact=True).click()
    page.get_by_text("Pip", exact=True).click()
    expect(page.locator("#about-level-1")).to_be_visible()
    expect(page.locator("#control, [name=pie]").filter(visible=True)).to_have_count(0)
    page.locator(".create__more").evaluate("(more) => { more.open = true; }")  # folded on a phone
    for name, value in {"side": side, **choices}.items():
        page.locator(f"input[name='{name}'][value='{value}']").check(force=True)
    page.get_by_role("button", name="Play the computer").click()
    expect(person.board).to_have_attribute("data-link", "online")


def record(person: Person, game: int = 1) -> str:
    """The plies of a game as the server has them."""
    with urlopen(f"{person.page.url.partition('?')[0]}{game}.json") as answer:
        return json.load(answer)["transcript"]


def listed(person: Person) -> str:
    """The plies in the list of moves."""
    return "".join(person.page.locator("#moves .move > span[aria-hidden]").all_text_contents())


def play_to_the_end(person: Person) -> None:
    """Sow whatever can be sown until the game is over."""
    page = person.page
    while True:
        page.wait_for_function(MOVED)
        if person.board.get_attribute("data-status") == "over":
            return
        ply = person.board.get_attribute("data-ply")
        page.locator("#board [data-hole][data-legal]").first.click()
        expect(person.board).not_to_have_attribute("data-ply", ply)


def test_a_child_plays_pip_from_the_lobby_to_the_result_and_once_more(browser: Browser, serve: ServerFactory) -> None:
    """B147: whatever the computer sows is in the list, extra turns too."""
    site = serve(COMPUTER_PACE="0")
    child = Person.arrive(browser)
    page = child.page
    play(child, site, side="N", pits="3", stones="3")
    pip = page.locator("#plate-S")
    expect(pip).to_have_attribute("aria-label", "Pip, sun, computer, level 1 of 5")
    expect(pip).to_have_attribute("data-presence", "here")
    for gone in ("[data-react]", "[data-open='talk']", "#claim:not([hidden])", "#invite:not([hidden])"):
        expect(page.locator(gone)).to_have_count(0)
    page.wait_for_function(MOVED)
    play_to_the_end(child)
    expect(page.locator("#result")).to_be_visible()
    sown = record(child)
    assert set(sown) & set("abc"), "Pip has sown"
    wait_for(lambda: listed(child) == sown, f"the list has {sown}")

    page.locator("#again").click()
    expect(child.board).to_have_attribute("data-game", "2")
    expect(page.locator("#plate-N")).to_have_attribute("aria-label", "Pip, moon, computer, level 1 of 5")
    expect(page.locator("#result")).to_be_hidden()
    child.sow("a")
    page.wait_for_function(MOVED)
    sown = record(child, 2)
    assert sown[0] == "a"
    wait_for(lambda: listed(child) == sown, f"the list has {sown}")


def test_a_reload_while_it_thinks_is_followed_by_one_reply(browser: Browser, serve: ServerFactory) -> None:
    ann = Person.arrive(browser)
    play(ann, serve(COMPUTER_PACE="1000"), side="S", pits="3", stones="3")  # 5 s or more, and anew for who comes
    ann.sow("b")
    ann.sees(1)
    for _ in range(2):
        ann.page.reload()
        expect(ann.board).to_have_attribute("data-link", "online")
        expect(ann.page.locator("#plate-N")).to_have_attribute("data-state", "turn")
        expect(ann.page.locator("#plate-N [data-part=turn]")).to_have_text("Thinking…")
        assert record(ann) == "b"
    ann.sees(2)
    sown = record(ann)
    assert len(sown) == 2
    wait_for(lambda: listed(ann) == sown, f"the list has {sown}")


def test_a_hint_shows_a_pit_and_says_why_until_something_is_sown(browser: Browser, serve: ServerFactory) -> None:
    """In the place where, once the game is over, another one can be asked for."""
    ann = Person.arrive(browser)
    page = ann.page
    play(ann, serve(COMPUTER_PACE="0"), side="S", pits="3", stones="3")
    hint, told = page.locator(".action[data-ask]"), page.locator(".toast[data-hint]")
    for ask in (hint.click, lambda: page.keyboard.press("y")):
        page.wait_for_function(MOVED)
        expect(hint).to_have_attribute("aria-disabled", "false")
        ply = ann.board.get_attribute("data-ply")
        ask()
        pit = page.locator("#board .pit[data-preview~='from']")
        expect(pit).to_have_attribute("data-legal", "")
        expect(told).to_have_text(re.compile(rf"^Try pit {pit.get_attribute('data-letter')}\. ."))
        wait_to_hear(page, "Try pit")
        pit.click()
        expect(told).to_have_count(0)
        expect(ann.board).not_to_have_attribute("data-ply", ply)
    page.wait_for_function(MOVED)
    play_to_the_end(ann)
    expect(page.locator(".action[data-offer=rematch]")).to_be_attached()
    expect(hint).to_be_hidden()
