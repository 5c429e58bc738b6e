"""Takes the pictures of docs/img/ anew: two friends in the middle of the printed game. Not a test.

make screenshots
"""

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from games.rules import transcript
from games.rules.ruleset import by_key
from tests.browser.people import Person
from tests.processes import CHROMIUM_OPTIONS, PROJECT, Server, chromium_path, free_port

FOLDER = PROJECT / "docs" / "img"
OPENING = "cajmdimhckdm"
"""The first plies of the printed game."""

DESK = {"viewport": {"width": 1180, "height": 760}}
PHONE = {"viewport": {"width": 390, "height": 780}, "device_scale_factor": 2, "is_mobile": True, "color_scheme": "dark"}


def main() -> None:
    """Serve the site from a folder of its own, play, and take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server({"DATA_DIR": folder, "PORT": str(free_port())}, Path(folder) / "log", ["--prepare"])
        try:
            _take_pictures(server.start().url)
        finally:
            server.terminate()


def _take_pictures(site: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_OPTIONS)
        south, north = Person.arrive(browser, **DESK), Person.arrive(browser, **PHONE)
        for person, name in ((south, "Sunny"), (north, "Luna")):
            _call(person.page, site, name)
        _save(south.page, "lobby")
        north.sit_down(south.open_room(site, rules="both-stores"))
        for ply, sowing in enumerate(transcript.replay(by_key("both-stores-6x4"), OPENING)):
            {"S": south, "N": north}[sowing.side.value].sow(OPENING[ply])
            for person in (south, north):
                person.sees(ply + 1)
        _save(south.page, "room")
        _save(north.page, "room-phone")
        browser.close()


def _call(page: Page, site: str, name: str) -> None:
    page.goto(site)
    page.locator("#name").fill(name)
    page.locator("#name").press("Enter")
    page.wait_for_load_state("networkidle")


def _save(page: Page, name: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
