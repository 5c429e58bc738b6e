"""Without a mouse and without a screen: a whole game by keyboard, and all that is said aloud of it."""

import itertools
import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from games.rules import transcript
from games.rules.position import Side
from games.rules.ruleset import by_key
from games.rules.sowing import Kind, Sowing
from games.rules.transcript import letter
from tests.browser.people import Person, heard, sit_together
from tests.processes import Server

GOLDEN = Path(__file__).parents[1] / "golden" / "games-sizes-classic.jsonl"
GAME = "bgbfcgafgeagf"
"""A golden game of classic-3x3: extra turns, captures, laps all around, a sweep at the end."""

STANDS = "() => getComputedStyle(document.querySelector('#board')).getPropertyValue('--view') === 'tall'"


class Player(Person):
    """Somebody who hears what is announced, and whose browser notes the plays that it sends."""

    plays: list[str]

    @classmethod
    def arrive(cls, browser: Browser, **options: object) -> "Player":
        player = super().arrive(browser, **options)
        player.plays = []
        player.page.on("websocket", lambda socket: socket.on("framesent", player._note))
        return player

    def _note(self, text: str) -> None:
        if '"play"' in text:
            self.plays.append(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to_the_board(self) -> None:
        while not self.focus.isdigit():
            self.press("Tab")

    @property
    def focus(self) -> str:
        """The hole that has the focus, else the id of what has it."""
        return self.page.evaluate("document.activeElement.dataset.hole ?? document.activeElement.id")

    def hears(self, text: str) -> None:
        """Wait until this is what was said last."""
        expect(self.page.locator("#announcer")).to_have_text(text)

    @property
    def name(self) -> str:
        return self.page.locator(".plate:has([data-part=you]:not([hidden])) [data-part=name]").inner_text()


def by_arrows(player: Player, place: int) -> None:
    player.press("Home", *["ArrowRight"] * place, "Enter")


def by_arrows_from_the_end(player: Player, place: int) -> None:
    player.press("End", *["ArrowLeft"] * (2 - place), "Space")


def by_number(player: Player, place: int) -> None:
    player.press(str(place + 1))


def by_letter(player: Player, place: int) -> None:
    player.press(player.page.locator(".rank[data-place=near] .pit").nth(place).get_attribute("data-letter"))


def stones(n: int) -> str:
    return "1 stone" if n == 1 else f"{n} stones"


def told(sowing: Sowing, you: Side | None, names: dict[Side, str]) -> str:
    """What somebody who sits on `you`, or watches, must hear of a sowing."""
    after = sowing.after
    who = "You" if sowing.side is you else names[sowing.side]
    said = [f"{who} sowed {stones(sowing.before.stones[sowing.pit])} from pit {letter(sowing.pit)}."]
    stores = {side: after.stones[after.store(side)] for side in Side}
    if not sowing.extra_turn:
        where = "a store" if sowing.last in map(after.store, Side) else f"pit {letter(sowing.last)}"
        said.append(f"The last one falls in {where}.")
    if sowing.captured:
        said.append(f"Captured {stones(sowing.captured)}.")
    if sum(stores.values()) == sum(after.stones):
        for side in Side:
            swept = [move for move in sowing.transfers if move.kind is Kind.SWEEP and move.target == after.store(side)]
            if swept:
                keeps = "You keep" if side is you else f"{names[side]} keeps"
                said.append(f"{keeps} the last {stones(sum(move.stones for move in swept))}.")
        winner = max(Side, key=stores.__getitem__)
        wins = "You" if winner is you else names[winner]
        return " ".join([*said, f"Game over. {wins} won, {max(stores.values())} to {min(stores.values())}."])
    first = you or Side.SOUTH
    has = "You have" if you else f"{names[first]} has"
    said.append(f"{has} {stores[first]}, {names[first.opponent]} has {stores[first.opponent]}.")
    if sowing.extra_turn:
        said.append("Extra turn for you." if who == "You" else f"Extra turn for {who}.")
    elif after.turn is you:
        choices = sum(after.stones[pit] > 0 for pit in after.pits(you))
        said.append(f"Your turn, {choices} pit{'s' * (choices != 1)} to choose from.")
    else:
        said.append(f"{names[after.turn]}’s turn.")
    return " ".join(said)


def test_two_play_a_whole_game_by_keyboard_and_it_is_read_back_in_words(browser: Browser, site: Server) -> None:
    """B17, B140, B142: moves of a game that is over, keys that broke unnoticed, words at every step."""
    south, north, watcher = (Player.arrive(browser) for _ in range(3))
    watcher.watch(sit_together(site.url, south, north, pits="3", stones="3"))
    seats = {Side.SOUTH: south, Side.NORTH: north}
    names = {side: player.name for side, player in seats.items()}
    (golden,) = (game for game in map(json.loads, GOLDEN.read_text().splitlines()) if game["transcript"] == GAME)
    sowings = transcript.replay(by_key(golden["ruleset"]), GAME)
    ways = itertools.cycle((by_arrows, by_letter, by_number, by_arrows_from_the_end))
    said: dict[Side | None, list[str]] = {side: [] for side in (*Side, None)}
    focus = {}
    for side, player in seats.items():
        player.tab_to_the_board()
        focus[side] = player.focus

    for ply, (sowing, way, record) in enumerate(zip(sowings, ways, golden["plies"], strict=False), start=1):
        way(seats[sowing.side], sowing.pit % 4)
        focus[sowing.side] = str(sowing.pit)
        for side, person in (*seats.items(), (None, watcher)):
            said[side].append(told(sowing, side, names))
            person.hears(said[side][-1])
            assert person.sees(ply) == tuple(record["stones"])
        if ply < len(GAME):  # then the result asks for it
            assert {side: player.focus for side, player in seats.items()} == focus

    for side, person in (*seats.items(), (None, watcher)):
        expect(person.page.locator("#result")).to_be_visible()
        assert heard(person.page) == said[side]
        assert len(person.plays) == sum(play["side"] == (side and side.value) for play in golden["plies"])
    south.press("Escape")
    assert south.focus == focus[Side.SOUTH]
    for _ in range(20):
        south.press("Tab")
        assert not south.focus.isdigit()
    pit = south.board.locator("[data-letter=b]")
    pit.hover()
    expect(south.board.locator("[data-preview], .flag:visible, [data-legal]")).to_have_count(0)
    pit.click(force=True)
    south.hears("The game is over.")


def test_a_long_sowing_is_one_message(browser: Browser, site: Server) -> None:
    """B142: announcing each step floods the reader."""
    south, north = Player.arrive(browser), Player.arrive(browser)
    sit_together(site.url, south, north, pits="3", stones="6")
    for ply, pit in enumerate("agbecf", start=1):
        if pit == "f":
            south.page.emulate_media(reduced_motion="no-preference")
        (south if pit in "abc" else north).press(pit)
        for player in (south, north):
            player.sees(ply)
    south.hears(
        f"{north.name} sowed 13 stones from pit f. The last one falls in pit e. "
        f"You have 4, {north.name} has 6. Your turn, 3 pits to choose from."
    )
    assert len(heard(south.page)) == 6


def test_arrows_walk_over_the_pits_as_they_are_seen(browser: Browser, site: Server) -> None:
    south, north = Player.arrive(browser), Player.arrive(browser)
    sit_together(site.url, south, north)
    pits = south.board.locator(".pit")
    south.press("Tab")
    expect(south.page.locator(".skip-link")).to_be_focused()
    south.press("Enter", "Tab")
    assert south.focus == "0"
    for key, hole in (
        ("ArrowUp", 12),
        ("ArrowRight", 11),
        ("End", 7),
        ("ArrowRight", 7),
        ("ArrowDown", 5),
        ("Home", 0),
    ):
        south.press(key)
        assert south.focus == str(hole)
        expect(south.board.locator("[tabindex='0']")).to_have_count(1)
    south.page.set_viewport_size({"width": 390, "height": 844})
    south.page.wait_for_function(STANDS)
    for key, hole in (("ArrowDown", 1), ("ArrowRight", 11), ("ArrowUp", 12), ("ArrowLeft", 0)):
        south.press(key)
        assert south.focus == str(hole)
    for label, seen in pits.evaluate_all("(pits) => pits.map((pit) => [pit.ariaLabel, pit.innerText.split(/\\s+/)])"):
        mark, count = filter(None, seen)
        assert f"pit {mark}, {count} stones" in label.lower()


def test_whoever_picks_wrongly_is_told_why_and_nothing_is_sent(browser: Browser, site: Server) -> None:
    """B29, B137: a click out of turn seems a bug; keys skip the checks that the mouse has."""
    south, north, watcher = (Player.arrive(browser) for _ in range(3))
    link = south.open_room(site.url)
    expect(south.board).to_have_attribute("data-link", "online")
    south.press("a")
    south.hears("The other seat is still free.")
    north.sit_down(link)
    watcher.watch(link)
    watcher.press("1")
    watcher.hears("You are watching this game.")
    expect(north.board).to_have_attribute("data-link", "online")
    north.press("h")
    north.hears(f"Wait for {south.name}.")
    north.board.locator("[data-letter=i]").click(force=True)
    north.page.wait_for_function("() => window.heard.length === 2")
    first, second = heard(north.page)
    assert first == second

    south.press("c")
    south.sees(1)
    south.press("3")
    south.hears("Pit c is empty.")
    south.board.locator("[data-letter=j]").click(force=True)
    south.hears("That pit is not yours.")
    assert [len(player.plays) for player in (south, north, watcher)] == [1, 0, 0]


def test_keys_typed_elsewhere_never_sow(browser: Browser, site: Server) -> None:
    """B137: keys typed in a field move, confirm or navigate."""
    south, north = Player.arrive(browser), Player.arrive(browser)
    sit_together(site.url, south, north)
    typed = ["c", "3", "ArrowLeft", "Home", "v", "?", "Escape"]
    for field in ("input", "textarea", "select"):
        south.page.evaluate("(name) => document.querySelector('#main').append(document.createElement(name))", field)
        south.page.locator(f"#main > {field}").focus()
        south.press(*typed, "Enter")
    south.tab_to_the_board()
    pit = south.focus
    south.press("?")
    expect(south.page.locator("#keys")).to_be_visible()
    south.press(*typed[:-2], "Escape")
    expect(south.page.locator("#keys")).to_be_hidden()
    assert south.focus == pit
    south.press("Control+c", "Alt+3")
    assert (south.plays, south.counts()[2]) == ([], 4)
    assert south.page.evaluate("document.documentElement.dataset.sound") == "1"

    south.page.locator("button[data-open=settings]").focus()
    south.press("Enter")
    south.page.get_by_role("switch", name="Play with single keys").focus()
    south.press("Space", "Escape")
    assert south.focus == ""  # the button has no id
    south.press("c", "3", "?")
    expect(south.page.locator("#keys")).to_be_hidden()
    assert south.plays == []
    south.board.locator("[data-letter=a]").focus()
    south.press("ArrowRight", "ArrowRight", "Enter")
    assert south.sees(1)[2] == 0


def test_tap_twice_shows_first_and_sows_then_by_key_and_by_pointer(browser: Browser, site: Server) -> None:
    south, north = Player.arrive(browser), Player.arrive(browser)
    for player in (south, north):
        player.prefer(site.url, twotap="1")
    sit_together(site.url, south, north)
    flag = south.board.locator(".flag")
    south.press("c")
    expect(flag).to_have_text("Extra turn")
    assert (south.focus, south.plays) == ("2", [])
    south.press("3")
    assert south.sees(1)[2] == 0
    south.press("ArrowLeft", "ArrowLeft", "Enter")
    expect(flag).to_have_text("Tap again to sow")
    assert len(south.plays) == 1
    south.press("Enter")
    assert south.sees(2)[0] == 0

    north.sees(2)
    for pit in ("h", "k"):
        north.board.locator(f"[data-letter={pit}]").click()
        expect(north.board.locator(f"[data-letter={pit}]")).to_have_attribute("data-preview", "from")
    assert north.plays == []
    north.board.locator("[data-letter=k]").click()
    assert north.sees(3)[10] == 0
    assert len(north.plays) == 1


@pytest.mark.parametrize("size", [(390, 844), (844, 390)], ids=["upright", "across"])
def test_escape_closes_what_lies_on_top_and_the_focus_goes_back_to_where_it_was_opened(
    browser: Browser, site: Server, size: tuple[int, int]
) -> None:
    width, height = size
    south, north = Player.arrive(browser, viewport={"width": width, "height": height}), Player.arrive(browser)
    sit_together(site.url, south, north)
    sheet, opener = south.page.locator("#panel"), south.page.locator("#open-panel")
    resign, result = sheet.get_by_role("button", name="Resign"), south.page.locator("#result")

    opener.focus()
    south.press("Enter")
    resign.focus()
    south.press("Enter")
    expect(south.page.locator("#resign")).to_be_visible()
    south.press("Escape")
    expect(south.page.locator("#resign")).to_be_hidden()
    expect(sheet).to_have_attribute("data-open", "")
    expect(resign).to_be_focused()
    south.press("Escape")
    expect(sheet).not_to_have_attribute("data-open", "")
    expect(opener).to_be_focused()

    south.press("Enter")
    expect(sheet.locator(".panel__close")).to_be_focused()
    north.page.locator("#panel [data-open=resign]").click()
    north.page.locator("#resign-yes").click()
    expect(result).to_be_visible()
    south.press("Escape")
    expect(result).to_be_hidden()
    expect(sheet).to_have_attribute("data-open", "")
    expect(sheet.locator(".panel__close")).to_be_focused()
    south.press("Escape")
    expect(sheet).not_to_have_attribute("data-open", "")
    expect(opener).to_be_focused()


def test_whoever_would_rather_watch_is_at_the_board(browser: Browser, site: Server) -> None:
    south, watcher = Player.arrive(browser), Player.arrive(browser)
    watcher.watch(south.open_room(site.url))
    watcher.page.get_by_role("button", name="or just watch").focus()
    watcher.press("Enter")
    expect(watcher.page.locator("#sit")).to_be_hidden()
    expect(watcher.board.locator(".pit:focus")).to_have_count(1)


@pytest.mark.parametrize("focused", ["#invite-link", "#invite [data-copy]"])
def test_whoever_waits_at_the_link_is_at_the_board_once_the_friend_is(
    browser: Browser, site: Server, focused: str
) -> None:
    south, north = Player.arrive(browser), Player.arrive(browser)
    link = south.open_room(site.url)
    expect(south.board).to_have_attribute("data-link", "online")
    south.page.locator(focused).focus()
    north.sit_down(link)
    expect(south.page.locator("#invite")).to_be_hidden()
    expect(south.board.locator(".pit:focus")).to_have_count(1)
    south.press("ArrowRight", "Enter")
    assert south.sees(1)[1] == 0


def test_on_a_phone_whoever_resigns_at_the_dock_is_there_after_the_result(browser: Browser, site: Server) -> None:
    south, north = Player.arrive(browser, viewport={"width": 390, "height": 844}), Player.arrive(browser)
    sit_together(site.url, south, north)
    south.sow("a")
    south.sees(1)
    south.page.locator(".dock [data-open=resign]").focus()
    south.press("Enter")
    south.page.locator("#resign-yes").focus()
    south.press("Enter")
    expect(south.page.locator("#result")).to_be_visible()
    south.press("Escape")
    expect(south.page.locator("#result")).to_be_hidden()
    expect(south.page.locator("#open-panel")).to_be_focused()


def test_in_another_game_with_sides_changed_the_focus_is_in_the_own_row(browser: Browser, site: Server) -> None:
    south, north = Player.arrive(browser), Player.arrive(browser)
    sit_together(site.url, south, north)
    south.tab_to_the_board()
    south.press("c")
    assert south.focus == "2"
    south.sees(1)
    north.page.locator(".actions [data-open=resign]").click()
    north.page.locator("#resign-yes").click()
    expect(south.page.locator("#result")).to_be_visible()
    south.page.locator("#again").focus()
    south.press("Enter")
    again = north.page.locator("#again")
    expect(again).to_have_text("Play again")
    again.click()
    expect(south.board).to_have_attribute("data-game", "2")
    expect(south.board.locator(".rank[data-side='N'] > .pit:focus")).to_have_count(1)
    expect(south.board.locator(".rank[data-side='S'] > .pit[tabindex='0']")).to_have_count(0)
