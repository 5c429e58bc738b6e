"""Games with clocks: flags that fall though nobody is there, servers that stop, players who are cut off."""

import re
import time

from playwright.sync_api import Browser, expect

from tests.browser.people import Person, sit_together
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
    assert two.manage("check_games").returncode == 0


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
        expect(person.page.locator("#announcer")).to_contain_text("Nobody lost time.")
    assert 1_500 <= state_of(maya, link)["clock"]["since"] - began <= 1000 * (time.monotonic() - killed)


def test_who_is_cut_off_is_waited_for_and_then_the_game_may_be_claimed(
    browser: Browser, serve: ServerFactory, redis_server: RedisServer
) -> None:
    """B61, B52: it is seen within the limit of the heartbeat, and the countdown that is shown is the one that holds."""
    wire = Wire()
    one = serve(redis=redis_server, CLAIM_SECONDS="2")
    two = serve(redis=redis_server, CLAIM_SECONDS="2", PUBLIC_URL=wire.url)
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
    a_day_goes_by(server)
    maya.page.reload()
    card = maya.page.locator("#claim")
    expect(card).to_contain_text("Leo has not moved for a day.")
    leo.sow("h")
    maya.sees(2)
    expect(card).to_be_hidden()
    a_day_goes_by(server)
    leo.page.reload()
    leo.page.locator("#claim [data-claim=win]").click()
    expect(leo.page.locator("#result-title")).to_have_text("You won!")


def a_day_goes_by(server: Server) -> None:
    """Nobody moves for so long."""
    done = server.manage("shell", "-c", "from games.models import Game; Game.objects.update(turn_since=1)")
    assert done.returncode == 0, done.stderr


def state_of(person: Person, link: str) -> dict:
    return person.context.request.get(f"{link}state.json").json()
