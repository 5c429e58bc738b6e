"""Takes the pictures of docs/screenshots/ anew: every state at desk and phone, every layout, day and night.

make screenshots

Two friends play the printed game while a third looks on. Not a test: nothing is asserted, people look at the result.
Pictures are WebP; docs/screenshots/README.md shows them all.
"""

import io
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from games.rules import transcript
from games.rules.ruleset import by_key
from tests.browser.people import Person
from tests.known_games import PRINTED
from tests.processes import CHROMIUM_OPTIONS, PROJECT, Server, chromium_path, free_port

FOLDER = PROJECT / "docs" / "screenshots"
MIDDLE = 13
"""The ply at which most pictures are taken: South is to move."""

ENDING = "2,0,1,3,0,1,17/0,4,1,0,2,1,16+S"
"""What the solver is asked about."""

DESK = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "is_mobile": True, "has_touch": True}
DEVICES = {"desk": DESK, "phone": PHONE}
LAYOUTS = {
    "1440x900": (1440, 900),
    "1280x720": (1280, 720),
    "820x1180": (820, 1180),
    "390x844": (390, 844),
    "320x568": (320, 568),
    "844x390": (844, 390),
}
SCHEMES = ("light", "dark")
QUALITY = 78

MIDAIR = """(at) => {
  const flying = document.getAnimations().filter((animation) => animation.effect?.target?.matches?.('.stone'));
  for (const animation of flying) { animation.pause(); animation.currentTime = at; }
  return flying.length;
}"""
NOTHING_RUNS = "() => !document.getAnimations().some((animation) => animation instanceof CSSTransition)"
GO_ON = """() => {
  for (const animation of document.getAnimations()) if (animation.playState === 'paused') animation.play();
}"""
TWICE_THE_TEXT = "() => { document.documentElement.style.fontSize = '200%'; }"


def main() -> None:
    """Serve the site from a folder of its own, play, and take the pictures."""
    for old in FOLDER.glob("*.webp"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        environment = {"DATA_DIR": folder, "PORT": str(free_port()), "ADDRESS_ROOMS": "1000"}
        server = Server(environment, Path(folder) / "log", ["--prepare"]).start()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_OPTIONS)
        try:
            Studio(browser, server, Path(folder)).shoot()
        finally:
            browser.close()
            server.terminate()
    write_gallery()


@dataclass
class Guest:
    """One person with two devices, both showing the same."""

    desk: Person
    phone: Person

    @property
    def devices(self) -> dict[str, Person]:
        """Both, by name."""
        return {"desk": self.desk, "phone": self.phone}

    @property
    def pages(self) -> list[Page]:
        """What both show."""
        return [person.page for person in self.devices.values()]

    def goto(self, address: str) -> None:
        """Open a page on both."""
        for person in self.devices.values():
            person.page.goto(address)

    def sees(self, ply: int) -> None:
        """Wait until both show so many plies."""
        for person in self.devices.values():
            person.sees(ply)


class Studio:
    """Where the pictures are taken."""

    def __init__(self, browser: Browser, server: Server, folder: Path) -> None:
        self._browser = browser
        self._server = server
        self._folder = folder

    def shoot(self) -> None:
        """Tell the story from an empty lobby to a database that is away."""
        third = self._guest("Nele")
        third.goto(self._server.url)
        self._save("lobby-empty", third)
        self._pages(third)

        south, north = self._guest("Maya"), self._guest("Leo")
        link = south.desk.open_room(self._server.url, rules="both-stores", visibility="public")
        south.phone.page.goto(link)
        self._save("waiting", south)
        north.goto(link)
        self._save("invited", north)
        third.goto(self._server.url)
        self._save("lobby-open-game", third)

        north.desk.sit_down(link)
        third.goto(link)
        for ply in range(MIDDLE):
            self._play(ply, south, north)
        for guest in (south, north, third):
            guest.sees(MIDDLE)
        self._room(south, north, third)
        self._around_the_moves(south, north)
        self._layouts(south, link)
        self._trouble(south, north)
        north.goto(link)
        for ply in range(MIDDLE, len(PRINTED)):
            self._play(ply, south, north)
        self._end(south, north, third)
        self._review(third, f"{link}1/review/")
        self._hint(third)
        self._away(third)

    def _pages(self, third: Guest) -> None:
        """Whatever needs no game."""
        site = self._server.url
        for name, path in (
            ("missing-game", "/r/abcdefgh/"),
            ("nothing-here", "/nowhere/"),
            ("how-to-play", "/how-to-play/"),
            ("rules-avalanche", "/how-to-play/avalanche/"),
            ("sample-game", "/how-to-play/sample-game/"),
            ("paste-a-record", "/replay/"),
            ("puzzles", "/puzzles/"),
            ("puzzle", "/puzzles/7/"),
            ("solver", f"/solver/?rules=classic&position={ENDING}"),
        ):
            third.goto(site + path)
            self._save(name, third)
        third.goto(site)
        for person in third.devices.values():
            person.page.locator("#code").fill("abc")
            person.page.locator("#code").press("Enter")
            expect(person.page.locator("#code-error")).to_be_visible()
        self._save("lobby-wrong-code", third)
        for language in ("de", "fr", "es"):
            visitor = self._guest("", locale=language)
            visitor.goto(site)
            self._save(f"lobby-{language}", visitor)
            self._leave(visitor)

    def _room(self, south: Guest, north: Guest, third: Guest) -> None:
        """The states of a game being played."""
        self._save("your-turn", south)
        self._save("their-turn", north)
        self._save("watching", third)
        for page in third.pages:
            page.locator("[data-flip]:visible").click()
        self._save("watching-turned-round", third)
        for name in ("settings", "share", "resign", "keys"):
            for page in south.pages:
                page.evaluate("(id) => document.getElementById(id).showModal()", name)
            self._save(f"dialog-{name}", south)
            for page in south.pages:
                page.keyboard.press("Escape")
        for device, person in south.devices.items():
            person.page.locator("#board [data-hole='9']").click(force=True)
            expect(person.page.locator("#toasts .toast")).to_be_visible()
            self._shoot(person.page, f"refused-{device}")
        for page in south.pages:
            page.locator("#board [data-legal]").last.hover()
        self._save("preview", south)
        for page in south.pages:
            page.mouse.move(1, 1)

    def _around_the_moves(self, south: Guest, north: Guest) -> None:
        """An offer, and a look at an earlier move."""
        south.desk.page.locator("[data-offer=draw]:visible").click()
        for guest, state in ((south, "offering"), (north, "offered")):
            for page in guest.pages:
                expect(page.locator("#offer")).to_be_visible()
            self._save(f"{state}-a-draw", guest)
        south.desk.page.locator("[data-answer=no]").click()
        for page in south.pages:
            expect(page.locator("#offer")).to_be_hidden()
            page.keyboard.press(",")
            expect(page.locator("#board")).to_have_attribute("data-ply", str(MIDDLE - 1))
        self._save("earlier-move", south)
        for page in south.pages:
            page.keyboard.press("Escape")
            expect(page.locator("#board")).to_have_attribute("data-ply", str(MIDDLE))

    def _layouts(self, south: Guest, link: str) -> None:
        """The same game at every size, in every look, with twice the text."""
        page = south.desk.page
        for name, (width, height) in LAYOUTS.items():
            page.set_viewport_size({"width": width, "height": height})
            self._shoot(page, f"layout-{name}")
        page.set_viewport_size(DESK["viewport"])
        page.evaluate(TWICE_THE_TEXT)
        self._shoot(page, "layout-text-200")
        for name, choice in (("theme", "contrast"), ("stones", "pebble")):
            guest = self._guest("", cookies_of=south, settings={name: choice})
            guest.goto(link)
            self._save(f"{name}-{choice}", guest)
            self._leave(guest)
        page.goto(link)
        south.sees(MIDDLE)

    def _trouble(self, south: Guest, north: Guest) -> None:
        """Somebody leaves, and the line breaks."""
        self._leave(north)
        for person in south.devices.values():
            expect(person.page.locator("#plate-N")).to_have_attribute("data-presence", "gone")
        self._save("opponent-away", south)
        self._server.kill()
        for person in south.devices.values():
            expect(person.board).to_have_attribute("data-link", "offline")
        self._save("reconnecting", south)
        self._server.start()
        for person in south.devices.values():
            person.page.locator("#try-now").evaluate("(button) => button.click()")  # or it is back by itself already
            expect(person.board).to_have_attribute("data-link", "online")
        self._return(north)

    def _end(self, south: Guest, north: Guest, third: Guest) -> None:
        for guest in (south, north, third):
            for person in guest.devices.values():
                expect(person.page.locator("#result")).to_be_visible()
        self._save("won", south)
        self._save("lost", north)
        self._save("watched-to-the-end", third)
        for page in south.pages:
            page.keyboard.press("Escape")
        self._save("over", south)
        north.desk.page.locator("#again").click()
        for page in third.pages:
            expect(page.locator(".result__offer")).not_to_be_empty()
        self._save("asked-for-another", third)
        south.desk.page.locator("[data-answer=yes]").click()
        for guest in (south, north, third):
            guest.sees(0)
        self._save("series", north)

    def _review(self, third: Guest, address: str) -> None:
        """The game that the two have played, at the first ply that gave something away."""
        third.goto(address)
        for page in third.pages:
            expect(page.locator("#progress")).to_be_hidden(timeout=120_000)
            page.locator(".tour__moves a:has(.slip:visible)").first.click()
        self._save("review", third)
        for page in third.pages:
            page.get_by_role("button", name="Show the better way").click()
            expect(page.locator(".better__line button").first).to_be_visible()
        self._save("review-better-way", third)

    def _hint(self, third: Guest) -> None:
        """Against a computer."""
        choices = {"visibility": "computer", "level": "1", "rules": "classic", "pits": "6", "stones": "4", "side": "S"}
        third.goto(third.desk.post(self._server.url, "/rooms/", **choices))
        for page in third.pages:
            expect(page.locator("#board")).to_have_attribute("data-link", "online")
            page.locator("[data-ask]:visible").click()
            expect(page.locator(".toast[data-hint]")).to_be_visible()
        self._save("hint", third)

    def _away(self, third: Guest) -> None:
        """The database is gone."""
        (self._folder / "mancala.sqlite3").rename(self._folder / "away.sqlite3")
        third.goto(self._server.url)
        self._save("database-away", third)

    # How ------------------------------------------------------------------------------------------

    def _guest(
        self, name: str, *, cookies_of: Guest | None = None, settings: dict[str, str] | None = None, **options: object
    ) -> Guest:
        """Somebody called `name`, or as the site calls them; or another two devices of somebody who is there."""
        desk = Person.arrive(self._browser, painted=True, cookies_of=cookies_of and cookies_of.desk, **DESK, **options)
        if settings:
            desk.prefer(self._server.url, **settings)
        if name:
            desk.call(self._server.url, name)
        return Guest(desk, Person.arrive(self._browser, painted=True, cookies_of=desk, **PHONE, **options))

    def _leave(self, guest: Guest) -> None:
        self._cookies = guest.desk.context.storage_state()
        for person in guest.devices.values():
            person.leave()

    def _return(self, guest: Guest) -> None:
        """Whoever left last is back, on new devices."""
        for name, device in DEVICES.items():
            context = self._browser.new_context(storage_state=self._cookies, **device)
            setattr(guest, name, Person(context, context.new_page()))

    def _play(self, ply: int, south: Guest, north: Guest) -> None:
        sowing = list(transcript.replay(by_key("both-stores-6x4"), PRINTED))[ply]
        mover = {"S": south, "N": north}[sowing.side.value].desk
        if ply == 1:
            south.desk.page.emulate_media(reduced_motion="no-preference")
        mover.sow(PRINTED[ply])
        if ply == 1:
            expect(south.desk.board).to_have_attribute("data-busy", "true")
            if south.desk.page.evaluate(MIDAIR, 700):
                self._shoot(south.desk.page, "sowing-desk", midair=True)
            south.desk.page.evaluate(GO_ON)
            south.desk.page.emulate_media(reduced_motion="reduce")
        for guest in (south, north):
            guest.desk.sees(ply + 1)

    def _save(self, state: str, guest: Guest) -> None:
        """Both devices of `guest`."""
        for device, person in guest.devices.items():
            person.page.wait_for_load_state("networkidle")
            self._shoot(person.page, f"{state}-{device}")

    def _shoot(self, page: Page, name: str, *, midair: bool = False) -> None:
        """The page by day and by night; whatever moves has arrived, unless it is to be seen `midair`."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(NOTHING_RUNS)  # colours take a moment to change
            picture = Image.open(io.BytesIO(page.screenshot(animations="allow" if midair else "disabled")))
            picture.save(FOLDER / f"{name}-{scheme}.webp", quality=QUALITY, method=6)
        page.emulate_media(color_scheme=None)


def write_gallery() -> None:
    """A page with all pictures, two by two."""
    names = sorted({path.stem.rpartition("-")[0] for path in FOLDER.glob("*.webp")})
    lines = ["# Every state and layout", "", "Made by `make screenshots`; nothing here is edited by hand.", ""]
    for name in names:
        width = 180 if name.endswith("phone") else 440
        shots = " ".join(
            f'<img src="{name}-{scheme}.webp" alt="{name}, {scheme}" width="{width}">' for scheme in SCHEMES
        )
        lines += [f"## {name}", "", shots, ""]
    (FOLDER / "README.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
