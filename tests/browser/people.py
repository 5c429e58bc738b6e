"""What people do in a browser, in words: open a room, sit down, sow, look at the board. For the stories.

What their pages complain of is checked at the end of every test: warnings and errors in the console, violations of the
Content-Security-Policy among them, and exceptions nobody caught.
"""

import re
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, expect

from games.rules.transcript import hole

SETTLED_MS = 60_000
"""The longest a board may take to show a sowing, the loss of a server in between included."""

expect.set_options(timeout=SETTLED_MS)

_UNPAINTED = """
const plain = new CSSStyleSheet();
plain.replaceSync('*, ::before, ::after { box-shadow: none !important; background-image: none !important;'
  + ' filter: none !important; text-shadow: none !important; }');
document.adoptedStyleSheets = [plain];
"""
"""Without shadows, grain and gradients, which take no place, a game costs two thirds: painting is what takes long."""

_NOTE_WHAT_IS_SAID = """
addEventListener('DOMContentLoaded', () => {
  window.heard = [];
  const region = document.querySelector('#announcer');
  if (region) new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
});
"""

_A_LOST_LINE = re.compile(
    r"WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED"
)


@dataclass
class Person:
    """Somebody with a browser of their own, looking at one page."""

    context: BrowserContext
    page: Page
    complaints: list[str] = field(default_factory=list)

    everybody: ClassVar[list["Person"]] = []
    """Who arrived in the test that is running."""

    @classmethod
    def arrive(
        cls, browser: Browser, *, cookies_of: "Person | None" = None, painted: bool = False, **options: object
    ) -> "Person":
        """Open a browser; with `cookies_of` it is another device of the same person.

        People prefer less motion, unless a test is about motion and says `reduced_motion="no-preference"`, and see
        bare boards, unless a test is about colours and has them `painted`: without a graphics card either takes most of
        a core for every page.
        """
        options = {"reduced_motion": "reduce", **options}
        context = browser.new_context(
            storage_state=cookies_of.context.storage_state() if cookies_of else None, **options
        )
        context.set_default_timeout(SETTLED_MS)
        context.add_init_script(_NOTE_WHAT_IS_SAID)
        if not painted:
            context.add_init_script(_UNPAINTED)
        person = cls(context, context.new_page())
        cls.everybody.append(person)
        context.on("weberror", lambda failure: person.complaints.append(str(failure.error)))
        context.on("console", person._listen)
        return person

    def _listen(self, message: object) -> None:
        if message.type in {"error", "warning"} and not _A_LOST_LINE.search(message.text):
            self.complaints.append(message.text)

    def forgives(self, complaint: str) -> bool:
        """Whether there was a complaint like this, which is then none: the test asked for it."""
        before = len(self.complaints)
        self.complaints = [text for text in self.complaints if complaint not in text]
        return len(self.complaints) < before

    def leave(self) -> None:
        """Close the browser."""
        self.context.close()

    def prefer(self, site: str, **choices: str) -> None:
        """Arrive with these settings, chosen some other day: `theme="dark"`, `sound="0"`."""
        self.context.add_cookies([{"name": "settings", "value": urlencode(choices), "url": site}])

    def call(self, site: str, name: str) -> None:
        """Take a name in the lobby."""
        self.page.goto(site)
        self.page.locator("#name").fill(name)
        self.page.locator("#name").press("Enter")
        expect(self.page.locator(".hello__kept")).not_to_be_empty()

    def post(self, site: str, path: str, **form: str) -> str:
        """Send a form without looking at its page; the address where the answer leads."""
        request = self.context.request
        request.get(site)
        (token,) = (cookie["value"] for cookie in self.context.cookies() if cookie["name"] == "csrftoken")
        return request.post(site + path, form={**form, "csrfmiddlewaretoken": token}).url

    def open_room(self, site: str, *, side: str = "S", **choices: str) -> str:
        """Start a game from the lobby, as South unless told otherwise; the link that is shown."""
        self.page.goto(site)
        self.page.locator(".create__more").evaluate("(more) => { more.open = true; }")  # folded on a phone
        if control := choices.pop("control", ""):
            self.page.locator("#control").select_option(control)
        for name, value in {"side": side, **choices}.items():
            self.page.locator(f"input[name='{name}'][value='{value}']").check(force=True)
        self.page.locator("form[action$='/rooms/'] button:not([type=button])").click()
        link = self.page.locator("#invite-link")
        expect(link).to_be_visible()
        return link.input_value()

    def sit_down(self, link: str) -> None:
        """Open a friend's link and take the free seat."""
        self.page.goto(link)
        self.page.get_by_role("button", name="Sit down and play").click()
        expect(self.board).to_have_attribute("data-status", "playing")

    def watch(self, link: str) -> None:
        """Open a link and look."""
        self.page.goto(link)
        expect(self.board).to_have_attribute("data-link", "online")

    @property
    def board(self):
        return self.page.locator("#board")

    def sow(self, letter: str) -> None:
        """Click the pit with this letter once it is offered."""
        pit = self.page.locator(f"#board [data-hole='{hole(letter)}'][data-legal]")
        expect(pit).to_be_visible()
        pit.click()

    def sees(self, ply: int) -> tuple[int, ...]:
        """The stones drawn in every hole once `ply` plies are shown and nothing moves."""
        expect(self.board).to_have_attribute("data-ply", str(ply))
        expect(self.board).to_have_attribute("data-busy", "false")
        return self.counts()

    def counts(self) -> tuple[int, ...]:
        """The stones drawn in every hole, by hole number."""
        return tuple(
            self.page.evaluate(
                """() => [...document.querySelectorAll('#board [data-hole]')]
                    .sort((a, b) => a.dataset.hole - b.dataset.hole)
                    .map((node) => Number(node.querySelector('.count').textContent))"""
            )
        )


def heard(page: Page) -> list[str]:
    """All that a page has announced so far; a no-break space at the end only made a sentence another text."""
    return [text.rstrip("\u00a0") for text in page.evaluate("window.heard")]


def wait_to_hear(page: Page, words: str) -> None:
    """Wait until a page has announced these words, whatever it announces next."""
    page.wait_for_function("(words) => window.heard.some((text) => text.includes(words))", arg=words)


def sit_together(site: str, south: Person, north: Person, **choices: str) -> str:
    """A new game with both at the board, its page alive; the link. For tests that are not about how they got there."""
    link = south.post(site, "/rooms/", side="S", **choices)
    north.post(site, f"{urlsplit(link).path}seat/")
    for person in (south, north):
        person.watch(link)
        person.sees(0)
    return link
