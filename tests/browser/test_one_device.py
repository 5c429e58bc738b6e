"""Two people on one device, and somebody who watches by the link."""

from playwright.sync_api import Browser, expect

from games.rules import transcript
from games.rules.ruleset import by_key
from tests.browser.people import Person
from tests.known_games import SHORT
from tests.processes import Server


def test_two_play_a_whole_game_on_one_device_and_are_watched(browser: Browser, site: Server) -> None:
    """B66, B83: both sides in one browser, because somebody asked for it; a draw there is asked for twice, in words."""
    two, watcher = Person.arrive(browser), Person.arrive(browser)
    link = two.open_room(site.url, rules="both-stores", pits="3", stones="3")
    two.page.goto(link)  # the own invitation
    two.page.get_by_role("button", name="Play here together").click()
    expect(two.board).to_have_attribute("data-link", "online")
    watcher.watch(link)
    follow = two.page.get_by_role("button", name="Turn the board with the turn")

    for ply, sowing in enumerate(transcript.replay(by_key("both-stores-3x3"), SHORT)):
        if ply == 3:  # one tap takes back, a double tap no more than one, and the turn is played once more
            two.page.get_by_role("button", name="Take back").dblclick()
            assert two.sees(2) == watcher.sees(2)
            two.page.keyboard.press(SHORT[2])
            assert two.sees(3) == sowing.before.stones
            follow.click()
        if ply == 5:
            two.page.reload()
            expect(follow).to_have_attribute("aria-pressed", "true")
            expect(two.board).to_have_attribute("data-link", "online")
        if ply >= 4:  # the board has turned: whoever is to move sits near
            near = two.page.locator(".rank[data-place='near']")
            expect(near).to_have_attribute("data-side", sowing.side.value)
        if ply % 2:
            expect(two.board).to_have_attribute("data-hand", sowing.side.value)
            two.page.keyboard.press(SHORT[ply])
        else:
            two.sow(SHORT[ply])
        for person in (two, watcher):
            assert person.sees(ply + 1) == sowing.after.stones, f"ply {ply}"
    expect(watcher.page.locator(".rank[data-place='near']")).to_have_attribute("data-side", "S")

    for person in (two, watcher):
        expect(person.page.locator("#result-title")).to_have_text("Sun won")
        expect(person.page).to_have_title("Sun against Moon · Mancala")
    two.page.locator("#again").click()
    for person in (two, watcher):
        expect(person.board).to_have_attribute("data-game", "2")
        expect(person.page.locator("#series")).to_have_text("Games won: 1 to 0")
    two.sow("a")
    two.sow("b")
    assert two.sees(2) == watcher.sees(2)

    draw = two.page.locator(".action[data-offer=draw]")
    for _ in range(2):  # a double click asks once, and whoever asks again at once is asked again
        draw.dblclick()
        two.page.get_by_role("button", name="Keep playing").click()
    two.page.keyboard.press("g")  # for Moon
    assert two.sees(3) == watcher.sees(3)
    draw.click()
    two.page.get_by_role("button", name="Call it a draw").click()
    for person in (two, watcher):
        expect(person.page.locator("#result-title")).to_have_text("A draw")
    expect(watcher.page.locator("#watchers > span[aria-hidden]")).to_have_text("1")
