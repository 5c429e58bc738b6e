"""Games with clocks: flags that fall though nobody is there, servers that stop, players who are cut off."""

import contextlib
import re
import sqlite3
import time

from playwright.sync_api import Browser, expect

from tests.browser.line import Line
from tests.browser.people import Person, sit_together, wait_to_hear
from tests.conftest import ServerFactory
from tests.processes import RedisServer, Server, wait_for
from tests.wire import Wire


def test_a_game_is_won_on_time_with_both_browsers_closed(
    browser: Browser, serve: ServerFactory, redis_server: RedisServer
) -> None:
    """B47, over two processes."""
    one, two = serve(redis=redis_server), serve(redis=redis_server)
    maya, leo, third = (Person.arrive(browser) for _ in range(3))
    leo.call(one.url, "Leo")
    link = sit_together(one.url, maya, leo, control="1s")
    third.watch(link.replace(one.url, two.url))
    leo.page.goto(leo.page.url.replace(one.url, two.url))
    maya.sow("d")
    expect(third.page.locator("#plate-N .plate__turn")).to_be_visible()
    leo.sow("h")
    maya.leave()
    leo.leave()
    expect(third.page.locator("#result-title")).to_have_text("Leo won")
    expect(third.page.locator(".result__reason")).to_contain_text("ran out of time.")
    expect(third.page.locator("#plate-S .plate__clock")).to_contain_text("0:00.0")
    assert two.manage("check_games", "--skip-checks").returncode == 0


def test_a_stopped_server_costs_nobody_time_and_it_is_said(browser: Browser, serve: ServerFactory) -> None:
    """B54."""
    server = serve()
    maya, leo = Person.arrive(browser), Person.arrive(browser)
    link = sit_together(server.url, maya, leo, control="60s")
    maya.sow("d")
    leo.sow("h")
    clock = maya.page.locator("#plate-S .plate__clock")
    expect(clock).to_have_attribute("data-runs", "")
    expect(maya.page.locator("#plate-S .plate__starts")).to_have_text("")
    began = state_of(maya, link)["clock"]["since"]
    killed = time.monotonic()
    server.kill()
    wait_for(lambda: time.monotonic() > killed + 2, "two seconds without a server")
    server.start()
    for person in (maya, leo):
        wait_to_hear(person.page, "Nobody lost time.")
    assert 1_500 <= state_of(maya, link)["clock"]["since"] - began <= 1000 * (time.monotonic() - killed)


def test_who_is_cut_off_is_waited_for_and_then_the_game_may_be_claimed(
    browser: Browser, serve: ServerFactory, redis_server: RedisServer
) -> None:
    """B61, B52: it is seen within the limit of the heartbeat, and the countdown that is shown is the one that holds."""
    wire = Wire()
    hurried = {"CLAIM_SECONDS": "2", "PING_SECONDS": "1"}
    one = serve(redis=redis_server, **hurried)
    two = serve(redis=redis_server, PUBLIC_URL=wire.url, **hurried)
    wire.lead_to(two.port)
    maya, leo, third = (Person.arrive(browser) for _ in range(3))
    maya.call(one.url, "Maya")
    leo.call(wire.url, "Leo")
    link = maya.open_room(one.url, control="30+20")
    leo.sit_down(link.replace(one.url, wire.url))
    third.watch(link.replace(one.url, two.url))
    leo.sees(0)
    expect(maya.page.locator("#plate-S .plate__starts")).to_have_text(re.compile(r"Clock starts in ([12]\d|30|\d) s"))
    expect(maya.page.locator("#plate-N [data-part=presence]")).to_have_text("Here")
    wire.cut()
    expect(maya.page.locator("#plate-N [data-part=presence]")).to_have_text("Lost connection")
    card = maya.page.locator("#claim")
    expect(card).to_contain_text("Leo is away.")
    assert time.time() * 1000 >= state_of(maya, link)["claims"]["S"]
    card.get_by_role("button", name="Claim the win").click()
    expect(maya.page.locator("#result-title")).to_have_text("You won!")
    expect(maya.page.locator(".result__reason")).to_contain_text("Leo was away for too long.")
    wire.mend()
    for person in (leo, third):
        expect(person.page.locator("#result-title")).to_have_text("Maya won")
    wire.close()


def test_a_turn_of_a_whole_day_may_be_claimed_by_who_waits(browser: Browser, serve: ServerFactory) -> None:
    """B55, without clocks: the card can be read and pressed, and is gone when the other moves after all."""
    server = serve()
    maya, leo = Person.arrive(browser), Person.arrive(browser)
    leo.call(server.url, "Leo")
    sit_together(server.url, maya, leo)
    maya.sow("d")
    leo.sees(1)
    a_day_goes_by(server)
    maya.page.reload()
    card = maya.page.locator("#claim")
    expect(card).to_contain_text("Leo has not moved for a day.")
    card.locator("[data-claim=wait]").click()
    expect(card).to_be_hidden()
    maya.page.reload()
    maya.sees(1)
    leo.sees(1)
    expect(leo.page.locator("#plate-S [data-part=presence]")).to_have_text("Here")
    expect(card).to_be_hidden()
    leo.sow("h")
    maya.sees(2)
    expect(card).to_be_hidden()
    a_day_goes_by(server)
    leo.page.reload()
    leo.page.locator("#claim [data-claim=win]").click()
    expect(leo.page.locator("#result-title")).to_have_text("You won!")


def test_no_clock_jumps_up_while_nobody_knows_what_the_server_says(browser: Browser, serve: ServerFactory) -> None:
    """Neither when the page is looked at again, nor when it is loaded anew: before any answer it shows what is left."""
    server = serve()
    maya, leo = Person.arrive(browser), Person.arrive(browser)
    sit_together(server.url, maya, leo, control="3+2")
    line = Line(leo.page)
    maya.sow("d")
    leo.sees(1)
    more_than_a_minute_goes_by(server)
    leo.page.reload()
    clock = leo.page.locator("#plate-N [data-part=clock]")
    falling = re.compile("^[01]:")
    expect(clock).to_have_text(falling)
    line.hold()
    before = clock.text_content()
    leo.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(clock).not_to_have_text(before)
    assert falling.match(clock.text_content())
    leo.page.reload()
    assert falling.match(clock.text_content())
    expect(leo.page.locator("#plate-N .plate__clock")).to_have_attribute("data-runs", "")
    expect(leo.board).to_have_attribute("data-link", "connecting")
    assert falling.match(clock.text_content())


def test_a_tab_from_before_its_reader_sat_down_can_do_all_that_a_player_can(
    browser: Browser, serve: ServerFactory
) -> None:
    server = serve(CLAIM_SECONDS="1")
    maya, leo = Person.arrive(browser), Person.arrive(browser)
    leo.call(server.url, "Leo")
    link = maya.open_room(server.url, control="30+20")
    leo.watch(link)
    early = leo.page
    early.get_by_role("button", name="or just watch").click()
    leo.page = leo.context.new_page()
    leo.sit_down(link)
    leo.page.close()
    expect(early.locator("#plate-N [data-part=you]")).to_be_visible()
    expect(early.locator(".plate__sit:visible")).to_have_count(0)
    for name in ("Take back", "Draw", "Resign"):
        expect(early.locator(".actions").get_by_role("button", name=name)).to_be_visible()
    maya.leave()
    early.locator("#claim [data-claim=win]").click()
    expect(early.locator("#result-title")).to_have_text("You won!")
    expect(early.locator("#again")).to_be_visible()


def more_than_a_minute_goes_by(server: Server) -> None:
    """Of the turn that has just begun, after its grace."""
    change_games(server, "turn_since = turn_since - 130000, deadline = deadline - 130000")


def a_day_goes_by(server: Server) -> None:
    """Nobody moves for so long."""
    change_games(server, "turn_since = 1")


def change_games(server: Server, change: str) -> None:
    with contextlib.closing(sqlite3.connect(server.database)) as database, database:
        assert database.execute(f"UPDATE games_game SET {change}").rowcount == 1  # noqa: S608  ours


def state_of(person: Person, link: str) -> dict:
    return person.context.request.get(f"{link}state.json").json()
