"""Golden games seen over a line that loses three messages in ten: whatever the board shows at rest is the server's.

A quick run plays a few of them, `make lossy` fifty.
"""

import json
import os
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, TimeoutError as PlaywrightTimeoutError, WebSocketRoute
from websockets.sync.client import ClientConnection, connect

from games.rules.ruleset import by_key
from tests.browser.people import Person
from tests.conftest import ServerFactory
from tests.processes import Server

pytestmark = pytest.mark.timeout(300)

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = int(os.environ.get("LOSSY_GAMES", "3"))
LOST = 0.3
PATIENCE = 0.03
"""How often the players wait for the watching board before they go on: mostly they do not."""

SHORT_OF_FINAL = "(version) => document.querySelector('#board').dataset.version !== String(version)"
AT_REST = """(version) => {
  const { dataset } = document.querySelector('#board');
  return dataset.version === String(version) && dataset.busy === 'false';
}"""
NOTE_EVERY_REST = """
addEventListener('DOMContentLoaded', () => {
  window.rests = [];
  const board = document.querySelector('#board');
  const note = () => {
    if (board.dataset.busy !== 'false') return;
    const holes = [...board.querySelectorAll('[data-hole]')].sort((a, b) => a.dataset.hole - b.dataset.hole);
    const counts = holes.map((hole) => Number(hole.querySelector('.count').textContent));
    window.rests.push([Number(board.dataset.ply), counts]);
  };
  new MutationObserver(note).observe(board, { attributeFilter: ['data-busy', 'data-version'] });
});
"""


def golden_games() -> list[dict]:
    """Games of every ruleset, on boards of many sizes."""
    files = sorted(GOLDEN.glob("games-sizes-*.jsonl"))
    lines = [line for path in files for line in path.read_text().splitlines()]
    games = [json.loads(line) for line in lines]
    offered = [game for game in games if re.search(r"-[3-6]x[3-6]", game["ruleset"])]
    return random.Random(3).sample(offered, GAMES)


class Player:
    """A guest without a page: opens rooms, sits, and sows through a socket."""

    def __init__(self, context: BrowserContext, site: Server) -> None:
        self._request = context.request
        self._site = site
        self._request.get(site.url)
        self._cookies = {cookie["name"]: cookie["value"] for cookie in context.cookies()}

    def post(self, path: str, **form: str) -> str:
        """The address where the answer leads."""
        token = self._cookies["csrftoken"]
        return self._request.post(self._site.url + path, form={**form, "csrfmiddlewaretoken": token}).url

    def socket(self, code: str) -> ClientConnection:
        cookies = {cookie["name"]: cookie["value"] for cookie in self._request.storage_state()["cookies"]}
        header = "; ".join(f"{name}={value}" for name, value in cookies.items())
        address = f"ws://127.0.0.1:{self._site.port}/ws/v1/rooms/{code}/"
        return connect(address, origin=self._site.url, additional_headers={"Cookie": header})


def sow(socket: ClientConnection, ply: int, pit: int) -> dict:
    """Sow, and wait until it is recorded."""
    socket.send(json.dumps({"type": "play", "game": 1, "ply": ply, "pit": pit}))
    while True:
        message = json.loads(socket.recv(timeout=30))
        assert message["type"] != "refused", message
        if message["type"] == "sown" and message["ply"] == ply:
            return message


def test_after_every_rest_the_board_shows_the_servers_stones(browser: Browser, serve: ServerFactory) -> None:
    """B133: a client whose stones drift away from the true board."""
    site = serve(SOCKET_RATE="10000", SOCKET_BURST="10000")
    south, north = (Player(browser.new_context(), site) for _ in range(2))
    watching = Person.arrive(browser, reduced_motion="no-preference")
    page = watching.page
    chance = random.Random(30)
    lost = 0

    def lossy(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def carry(onward: WebSocketRoute, message: str | bytes) -> None:
            nonlocal lost
            if chance.random() < LOST:
                lost += 1
            else:
                onward.send(message)

        line.on_message(lambda message: carry(server, message))
        server.on_message(lambda message: carry(line, message))

    page.route_web_socket(re.compile("/ws/"), lossy)
    page.add_init_script(NOTE_EVERY_REST)
    watching.context.add_cookies([{"name": "settings", "value": "speed=brisk", "url": site.url}])

    rests = 0
    for game in golden_games():
        rules = by_key(game["ruleset"])
        name = rules.key.removesuffix("+majority").rpartition("-")[0]
        majority = {"majority": "on"} if rules.key.endswith("+majority") else {}
        link = south.post("/rooms/", rules=name, pits=str(rules.pits), stones=str(rules.stones), side="S", **majority)
        code = link.rstrip("/").rpartition("/")[2]
        page.goto(link)
        north.post(f"/r/{code}/seat/")
        version = 1
        with south.socket(code) as one, north.socket(code) as other:
            for ply, told in enumerate(game["plies"]):
                version = sow(one if told["side"] == "S" else other, ply, told["pit"])["version"]
                if chance.random() < PATIENCE:
                    settle(page, version)
            settle(page, version)
        boards = [list(rules.start().stones), *(told["stones"] for told in game["plies"])]
        seen = page.evaluate("window.rests")
        assert seen[-1] == [len(game["plies"]), boards[-1]]
        for ply, counts in seen:
            assert counts == boards[ply], f"{game['ruleset']} {game['transcript']} at ply {ply}"
        rests += len(seen)

    assert rests > GAMES * 3
    assert lost > GAMES * 3
    assert watching.complaints == []


def settle(page, version: int) -> None:
    """Wait until the board rests at this version; a line that seems dead is tried, as when a network comes back."""
    while True:
        try:
            page.wait_for_function(AT_REST, arg=version, timeout=120, polling=20)
        except PlaywrightTimeoutError:
            if page.evaluate(SHORT_OF_FINAL, version):
                page.evaluate("dispatchEvent(new Event('online'))")
        else:
            return
