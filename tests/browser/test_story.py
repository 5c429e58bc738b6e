"""Two friends play the printed game on two server processes while a third watches, and everything goes wrong."""

import re
import urllib.request
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from games.rules import transcript
from games.rules.ruleset import by_key
from tests.browser.people import Person
from tests.conftest import ServerFactory
from tests.known_games import PRINTED, SHORT
from tests.processes import PostgreSQL, RedisServer, Server
from tests.wire import Wire

pytestmark = pytest.mark.timeout(300)


def on(server: Server | Wire, link: str) -> str:
    """The same page as `link`, asked of another server."""
    return f"{server.url}{urlsplit(link).path}"


def test_the_printed_game_over_two_processes_through_reload_lost_network_and_kill(
    browser: Browser, serve: ServerFactory, redis_server: RedisServer, postgresql: PostgreSQL
) -> None:
    """B18, B22, B32, B44: clicks on a mirrored board; lines, tabs and servers that go away and come back.

    On PostgreSQL, as two processes mostly are; the other stories are played on SQLite.
    """
    one = serve("--prepare", redis=redis_server, DATABASE_URL=postgresql.url)
    wire = Wire()
    two = serve(redis=redis_server, PUBLIC_URL=wire.url, DATABASE_URL=postgresql.url)
    wire.lead_to(two.port)

    south = Person.arrive(browser)
    link = south.open_room(one.url, rules="both-stores")
    north = Person.arrive(browser)
    north.sit_down(on(wire, link))
    people = [south, north]

    for ply, sowing in enumerate(transcript.replay(by_key("both-stores-6x4"), PRINTED)):
        letter = PRINTED[ply]
        mover = {"S": south, "N": north}[sowing.side.value]
        if ply == 10:
            people.append(Person.arrive(browser))
            people[-1].watch(on(one, link))
            assert people[-1].sees(ply) == sowing.before.stones
        if ply == 15:
            south.page.reload()
        if ply == 16:
            # North walks out of reach and goes on, on a phone, for two sowings.
            wire.cut()
            north.context.set_offline(True)
            phone = Person.arrive(browser, cookies_of=north)
            phone.watch(on(two, link))
        if ply in {16, 17}:
            mover = phone
        if ply == 18:
            phone.leave()
            wire.mend()
            north.context.set_offline(False)
            assert north.sees(ply) == sowing.before.stones
        if ply == 20:
            two.kill()
            expect(north.board).to_have_attribute("data-link", "offline")
            two.start()
        mover.sow(letter)
        for person in people:
            if person is not north or ply not in {16, 17}:
                assert person.sees(ply + 1) == sowing.after.stones, f"ply {ply}"

    for person in people:
        expect(person.page.locator("#result")).to_be_visible()
        scores = person.page.locator("#result .result__side b").all_inner_texts()
        assert scores == ["25", "23"]
    expect(south.page.locator("#result-title")).to_have_text("You won!")
    expect(people[2].page.locator("#result-title")).not_to_have_text(re.compile("You"))

    with urllib.request.urlopen(on(one, link) + "1.txt") as answer:
        record = answer.read().decode()
    assert transcript.parse(record) == PRINTED
    assert "Result: South wins 25:23" in record
    assert (checked := one.manage("check_games", "--skip-checks")).returncode == 0, checked.stderr
    wire.close()


def test_redis_is_away_for_some_plies_and_both_finish_without_a_reload(
    browser: Browser, serve: ServerFactory, redis_server: RedisServer
) -> None:
    one, two = serve(redis=redis_server), serve(redis=redis_server)
    south, north = Person.arrive(browser), Person.arrive(browser)
    link = south.open_room(one.url, rules="both-stores", pits="3", stones="3")
    north.sit_down(on(two, link))
    for person in (south, north):
        assert person.sees(0) == (3, 3, 3, 0) * 2
        person.page.evaluate("window.neverReloaded = true")
        person.page.on("websocket", lambda socket: person.complaints.append(f"a new socket: {socket.url}"))

    for ply, sowing in enumerate(transcript.replay(by_key("both-stores-3x3"), SHORT)):
        if ply == 0:
            redis_server.stop()
        if ply == 2:  # South has sown twice, North has heard of neither
            assert north.board.get_attribute("data-ply") == "0"
            redis_server.start()
            expect(north.board).to_have_attribute("data-ply", "2", timeout=5_000)
        mover = {"S": south, "N": north}[sowing.side.value]
        mover.sow(SHORT[ply])
        for person in (south, north) if ply >= 2 else (south,):
            assert person.sees(ply + 1) == sowing.after.stones, f"ply {ply}"

    for person in (south, north):
        expect(person.board).to_have_attribute("data-status", "over")
        assert person.page.evaluate("window.neverReloaded")
    assert one.manage("check_games", "--skip-checks").returncode == 0


def test_a_process_that_ends_sends_its_people_to_the_other(
    browser: Browser, serve: ServerFactory, redis_server: RedisServer
) -> None:
    wire = Wire()
    one = serve(redis=redis_server, PUBLIC_URL=wire.url)
    two = serve(redis=redis_server, PUBLIC_URL=wire.url)
    wire.lead_to(one.port, two.port)
    south, north = Person.arrive(browser), Person.arrive(browser)
    north.sit_down(south.open_room(wire.url))
    for person in (south, north):
        expect(person.board).to_have_attribute("data-link", "online")
    south.page.evaluate("window.neverReloaded = true")

    assert one.terminate() == 0
    for person in (south, north):
        expect(person.board).to_have_attribute("data-link", "online")
    south.sow("c")
    for person in (south, north):
        assert person.sees(1) == (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0)
    assert south.page.evaluate("window.neverReloaded")
    wire.close()
