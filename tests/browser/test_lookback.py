"""Looking at earlier moves of a game that goes on meanwhile: by key, button, slider, list and address."""

import pytest
from playwright.sync_api import Browser, expect

from games.rules import transcript
from games.rules.ruleset import by_key
from tests.browser.people import Person, sit_together, wait_to_hear
from tests.known_games import SHORT
from tests.processes import Server

SOWINGS = tuple(transcript.replay(by_key("both-stores-3x3"), SHORT))
START = (3, 3, 3, 0) * 2
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def stones(ply: int) -> tuple[int, ...]:
    """The board after so many plies."""
    return SOWINGS[ply - 1].after.stones if ply else START


class Game:
    """Two players, both at the board, and how far they are."""

    def __init__(self, browser: Browser, site: Server, plies: int) -> None:
        self.south, self.north = Person.arrive(browser), Person.arrive(browser)
        self.link = sit_together(site.url, self.south, self.north, rules="both-stores", pits="3", stones="3")
        self.ply = 0
        self.sow(plies)

    def sow(self, plies: int) -> None:
        for ply in range(self.ply, self.ply + plies):
            {"S": self.south, "N": self.north}[SOWINGS[ply].side.value].sow(SHORT[ply])
            for player in (self.south, self.north):
                assert player.sees(ply + 1) == stones(ply + 1)
        self.ply += plies


def test_a_spectator_steps_back_while_three_plies_come_in_and_returns(browser: Browser, site: Server) -> None:
    """B89: stepping back jumps to live on every move, or never catches up."""
    game = Game(browser, site, plies=4)
    watcher = Person.arrive(browser)
    watcher.watch(game.link)
    page = watcher.page
    bar, where, live = page.locator("#lookback"), page.locator("#where"), page.locator("#lookback [data-go=last]")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    assert watcher.sees(4) == stones(4)
    expect(bar).to_be_hidden()

    page.keyboard.press(",")
    page.keyboard.press(",")
    assert watcher.sees(2) == stones(2)
    expect(where).to_have_text("Move 2 of 4")
    name = game.south.page.locator(".plate[data-side=S] [data-part=name]").inner_text()
    wait_to_hear(page, f"Move 2 of 4. {name} sowed")
    expect(page.locator("#moves [aria-current]")).to_have_attribute("data-ply", "1")

    game.sow(3)
    expect(where).to_have_text("Move 2 of 7")
    expect(live).to_contain_text("3 new moves")
    wait_to_hear(page, "Meanwhile in the game:")
    assert watcher.sees(2) == stones(2)
    page.wait_for_url("**/?ply=2")

    page.keyboard.press("Escape")
    assert watcher.sees(7) == stones(7)
    expect(bar).to_be_hidden()
    wait_to_hear(page, "Back in the game.")
    page.wait_for_url(game.link)
    game.sow(1)
    assert watcher.sees(8) == stones(8)
    assert [url for url in asked if url.endswith(".json")] == [f"{game.link}1.json"]


def test_every_way_leads_to_the_same_boards_and_the_address_too(browser: Browser, site: Server) -> None:
    game = Game(browser, site, plies=8)
    watcher = Person.arrive(browser)
    watcher.watch(game.link)
    page = watcher.page
    captures = page.locator("#moves b:not(:empty)")
    expect(page.locator("#moves [data-ply]")).to_have_count(8)
    assert captures.all_inner_texts() == [f"×{sowing.captured}" for sowing in SOWINGS[:8] if sowing.captured]

    page.locator("#panel [data-go=first]").click()
    assert watcher.sees(0) == START
    page.locator("#lookback [data-go=next]").click()
    assert watcher.sees(1) == stones(1)
    page.locator("#moves [data-ply='4']").click()
    assert watcher.sees(5) == stones(5)
    page.locator("#lookback .steps__slider").fill("3")
    assert watcher.sees(3) == stones(3)
    page.keyboard.press(".")
    assert watcher.sees(4) == stones(4)
    page.wait_for_url("**/?ply=4")

    page.reload()
    expect(watcher.board).to_have_attribute("data-link", "online")
    assert watcher.sees(4) == stones(4)
    expect(page.locator("#where")).to_have_text("Move 4 of 8")
    page.keyboard.press(",")
    assert watcher.sees(3) == stones(3)
    page.wait_for_url("**/?ply=3")
    page.locator("[data-open=settings]:visible").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("#where")).to_have_text("Zug 3 von 8")
    assert watcher.sees(3) == stones(3)
    page.locator("#lookback [data-go=last]").click()
    assert watcher.sees(8) == stones(8)


def test_a_player_sows_only_in_the_game_as_it_is(browser: Browser, site: Server) -> None:
    game = Game(browser, site, plies=4)
    mover = {"S": game.south, "N": game.north}[SOWINGS[4].side.value]
    pit = mover.board.locator(f"[data-letter={SHORT[4]}]")
    mover.page.keyboard.press(",")
    assert mover.sees(3) == stones(3)
    expect(mover.board.locator("[data-legal]")).to_have_count(0)
    pit.click(force=True)
    expect(mover.page.locator(".toast:not(.silent)")).to_contain_text("This is an earlier move.")
    mover.page.locator("#lookback [data-go=last]").focus()
    mover.page.keyboard.press("Enter")
    assert mover.sees(4) == stones(4)
    expect(mover.board.locator(".pit:focus")).to_have_count(1)
    for player in (game.south, game.north):
        assert player.board.get_attribute("data-ply") == "4"
    game.sow(1)


@pytest.mark.parametrize("ply", ["2", "7", "last"])
def test_an_address_of_no_earlier_ply_is_that_of_the_game(browser: Browser, site: Server, ply: str) -> None:
    game = Game(browser, site, plies=2)
    page = game.south.page
    page.goto(f"{game.link}?ply={ply}&from=a+friend#main")
    expect(game.south.board).to_have_attribute("data-link", "online")
    assert game.south.sees(2) == stones(2)
    expect(page).to_have_url(f"{game.link}?from=a+friend#main")
    game.sow(2)
    page.reload()
    assert game.south.sees(4) == stones(4)
    game.sow(1)


def test_on_a_phone_a_tap_on_a_move_leads_to_its_board(browser: Browser, site: Server) -> None:
    game = Game(browser, site, plies=6)
    watcher = Person.arrive(browser, **PHONE)
    watcher.watch(game.link)
    page = watcher.page
    page.locator("#open-panel").tap()
    page.locator("#moves [data-ply='2']").tap()
    assert watcher.sees(3) == stones(3)
    expect(page.locator("#panel")).not_to_have_attribute("data-open", "")
    page.locator("#lookback [data-go=next]").tap()
    assert watcher.sees(4) == stones(4)
    page.locator("#lookback [data-go=last]").tap()
    assert watcher.sees(6) == stones(6)


def test_a_game_that_ends_meanwhile_shows_its_result_on_return(browser: Browser, site: Server) -> None:
    game = Game(browser, site, plies=8)
    watcher = Person.arrive(browser)
    watcher.watch(game.link)
    watcher.page.keyboard.press(",")
    assert watcher.sees(7) == stones(7)
    game.sow(2)
    expect(game.south.page.locator("#result")).to_be_visible()
    expect(watcher.page.locator("#lookback [data-go=last]")).to_contain_text("2 new moves")
    expect(watcher.page.locator("#result")).to_be_hidden()
    watcher.page.keyboard.press("Escape")
    expect(watcher.page.locator("#result")).to_be_visible()
    assert watcher.sees(10) == stones(10)


def test_a_pasted_record_is_replayed_and_shared(browser: Browser, site: Server) -> None:
    reader, friend = Person.arrive(browser), Person.arrive(browser)
    page = reader.page
    page.goto(site.url)
    page.get_by_role("link", name="Replay a game").click()
    page.locator("#text").fill("bba")
    page.get_by_role("button", name="Step through it").click()
    expect(page.locator("#text-error")).to_have_text("Move 2, b: it is the turn of Moon, with the pits h to m.")
    assert reader.forgives("status of 400")
    record = transcript.record(by_key("both-stores-3x3"), SHORT, south="Ann", north="Ben")
    page.locator("#text").fill(record)
    page.get_by_role("button", name="Step through it").click()
    page.wait_for_url(f"**/replay/both-stores-3x3/{SHORT}/")
    assert reader.counts() == START
    page.keyboard.press(".")
    page.locator("[data-go=next]").click()
    assert reader.sees(2) == stones(2)
    expect(page.locator("#where")).to_have_text(f"Move 2 of {len(SHORT)}")

    friend.page.goto(page.url)
    assert friend.sees(2) == stones(2)
    friend.page.locator("[data-go=last]").click()
    last = friend.sees(len(SHORT))
    assert last == stones(len(SHORT))
    friend.page.get_by_role("link", name="This board in the solver").click()
    board = [friend.page.locator(f"[data-hole='{hole}'] input").input_value() for hole in range(len(last))]
    assert tuple(map(int, board)) == last
    expect(friend.page.get_by_role("radio", name="Both stores")).to_be_checked()
