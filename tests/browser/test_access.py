"""axe-core finds nothing, on any page, in any state, in any theme, on a desk or a phone.

A theme is nothing but colours, a size nothing but places. What the structure decides is asked once, on the phone; how
far targets are apart at each size; about colours on the desk in every theme, because a phone shows the same but for a
few parts of its own. Where a state differs from one that was looked at by a part of the page, only that part is
asked about. axe is injected through the debugger, which the strict Content-Security-Policy lets alone.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from urllib.parse import urlsplit

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.line import Line
from tests.browser.people import Person, sit_together
from tests.processes import PROJECT, Server

pytestmark = pytest.mark.timeout(300)

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
PLACES = ["target-size"]
RUN = """async ([part, runOnly, rules]) => {
  const options = { runOnly, rules, resultTypes: ['violations'], preload: false };
  const { violations } = await axe.run(part ?? document, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => (
    `${id} at ${target}: ${failureSummary.replaceAll('\\n', ' ')}`)));
}"""
WEAR = """(theme) => {
  const choice = document.querySelector(`#settings input[name=theme][value=${theme}]`);
  choice.checked = true;
  choice.dispatchEvent(new Event('change', { bubbles: true }));
}"""
TOASTS_STAY = (
    "() => { const later = setTimeout; window.setTimeout = (work, ms) => (ms > 3_000 ? 0 : later(work, ms)); }"
)
THEMES = ("light", "dark", "contrast")
Sizes = tuple[tuple[int, int], ...]
DESK = (1280, 720)
PHONE = (390, 844)
SMALL_GAME = "cebgceb"
"""A golden game of classic-3x3: North wins 14:4."""


def arrive(browser: Browser, count: int) -> list[Person]:
    """People whose pages change at once, so that no colour is caught halfway."""
    return [Person.arrive(browser, painted=True) for _ in range(count)]


class Audit:
    """What axe found so far, each time with where."""

    def __init__(self) -> None:
        self.findings: list[str] = []

    def look(
        self,
        page: Page,
        state: str,
        part: str | None = None,
        *,
        sizes: Sizes = (PHONE, DESK),
        everywhere: bool = False,
    ) -> None:
        """Ask axe about a page as it is: all at the first size, and in all themes at the last.

        If sizes show different parts, all is asked `everywhere`. The rest of the page was looked at before if only the
        `part` that this selects is new. High contrast is asked of what has more than one size: the others are text.
        """
        themes = THEMES if len(sizes) > 1 else THEMES[:2]
        if part:
            expect(page.locator(part)).to_be_visible()
        for size in sizes:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for theme in themes if everywhere or size == sizes[-1] else themes[:1]:
                page.evaluate(WEAR, theme)
                in_all = everywhere or size == sizes[0]
                rules = COLOURS if theme != "light" else TAGS if in_all else COLOURS + PLACES
                but = () if everywhere or size == sizes[-1] else COLOURS
                self._run(page, f"{state}, {theme}, {size[0]}×{size[1]}", rules, part, but)

    def look_at_a_plain_page(self, page: Page, state: str) -> None:
        """The same for a page that leans on nothing, and only knows what the system prefers."""
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            self._run(page, f"{state}, {theme}", TAGS)

    def _run(self, page: Page, where: str, rules: list[str], part: str | None = None, but: Iterable[str] = ()) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        kind = "tag" if rules is TAGS else "rule"
        asked = [part, {"type": kind, "values": rules}, {name: {"enabled": False} for name in but}]
        self.findings += [f"{where}: {found}" for found in page.evaluate(RUN, asked)]


@pytest.fixture
def audit() -> Iterator[Audit]:
    """An audit, which at the end must have found nothing."""
    audit = Audit()
    yield audit
    assert not audit.findings, "\n".join(audit.findings)


def test_lobby_and_rules(browser: Browser, site: Server, audit: Audit) -> None:
    visitor, host, guest = arrive(browser, 3)
    page = visitor.page
    page.goto(site.url)
    expect(page.locator("#lists")).to_have_attribute("data-link", "live")
    audit.look(page, "empty lobby", sizes=(PHONE,))
    page.locator("[name=visibility][value=computer]").check(force=True)
    audit.look(page, "choosing a computer", ".create")
    link = host.post(site.url, "/rooms/", visibility="public")
    guest.post(site.url, f"{urlsplit(link).path}seat/")
    guest.watch(link)
    host.watch(host.post(site.url, "/rooms/", visibility="public"))
    expect(page.locator("#live-list li, #open-list li")).to_have_count(2)
    audit.look(page, "lobby with games", everywhere=True)
    guest.page.goto(site.url)
    expect(guest.page.locator("#mine-list li, #return")).to_have_count(2)
    audit.look(guest.page, "lobby with a game of one's own", "#mine")
    guest.page.goto(f"{site.url}/how-to-play/")
    audit.look(guest.page, "a way back to the game", "#return")
    page.locator("[data-open=settings]").click()
    audit.look(page, "settings in the lobby", "#settings")

    for field in ("code", "name"):
        page.goto(site.url)
        page.locator(f"#{field}").fill("x" * 30)
        page.locator(f"#{field}").press("Enter")
        expect(page.locator(f"#{field}-error")).to_be_visible()
        audit.look(page, f"lobby with an error: {field}", f"form:has(#{field})")
    page.goto(f"{site.url}/replay/")
    audit.look(page, "pasting a record")
    page.locator("#text").fill("cc")
    page.locator("form[action$='/replay/'] button").click()
    expect(page.locator("#text-error")).to_be_visible()
    audit.look(page, "a record with an error", "form[action$='/replay/']")
    assert visitor.forgives("status of 400")
    page.goto(f"{site.url}/replay/avalanche-3x3/a/")
    audit.look(page, "a replay", sizes=(PHONE,))
    page.goto(f"{site.url}/another-device/")
    audit.look(page, "another device", sizes=(PHONE,))
    page.locator("form[action$='/another-device/'] button").click()
    own = page.locator("#device-link").input_value()
    audit.look(page, "a link for another device", sizes=(PHONE,))
    guest.page.goto(own)
    audit.look(guest.page, "going on as somebody else", sizes=(PHONE,))

    page.goto(f"{site.url}/how-to-play/")
    links = page.locator("a[href]").evaluate_all("(links) => links.map((link) => link.href.split('#')[0])")
    rules = {link for link in links if link.startswith(site.url)} - {f"{site.url}/"}
    audit.look(page, "the lesson")
    for link in sorted(rules - {page.url}):
        page.goto(link)
        audit.look(page, urlsplit(link).path, sizes=(PHONE,))


def test_puzzles(browser: Browser, site: Server, audit: Audit) -> None:
    (page,) = (visitor.page for visitor in arrive(browser, 1))
    page.goto(f"{site.url}/puzzles/2/")
    audit.look(page, "a puzzle")
    for letter, text in (("a", "wrong"), ("b", "solved")):
        page.keyboard.press(letter)
        expect(page.locator(f"#{text}")).to_be_visible()
        expect(page.locator("#board .pit[data-letter=b] .count")).to_have_text("1" if text == "wrong" else "0")
        expect(page.locator("#board")).to_have_attribute("data-busy", "false")
        audit.look(page, f"a puzzle: {text}", ".tour", sizes=(DESK,))
    page.goto(f"{site.url}/puzzles/")
    audit.look(page, "the puzzles")


def test_solver(browser: Browser, quick_site: Server, audit: Audit) -> None:
    (reader,) = arrive(browser, 1)
    page = reader.page
    page.goto(f"{quick_site.url}/solver/?rules=classic&position=2,1,2,2,1,0,15/0,0,2,1,0,0,22%20S")
    expect(page.locator(".worth[data-best]")).to_have_count(2)
    expect(page.locator("#found")).to_have_attribute("aria-busy", "false")
    audit.look(page, "the solver")


def test_room(browser: Browser, site: Server, audit: Audit) -> None:
    host, guest, watcher = arrive(browser, 3)
    link = host.open_room(site.url)
    audit.look(host.page, "waiting")
    guest.page.goto(link)
    audit.look(guest.page, "invited")
    guest.page.locator("#just-watch").click()
    audit.look(guest.page, "watching a free seat")
    guest.sit_down(link)
    watcher.watch(link)
    expect(host.board).to_have_attribute("data-status", "playing")

    guest.page.evaluate(TOASTS_STAY)
    guest.page.locator("#board [data-hole='0']").click(force=True)
    expect(guest.page.locator(".toast:not(.silent)")).to_be_visible()
    audit.look(guest.page, "their turn, after a wrong pick", "#toasts", sizes=(DESK,))
    host.page.locator("[data-offer=draw]:visible").click()
    for person, state in ((guest, "asked for a draw"), (host, "asking for a draw")):
        expect(person.page.locator("#offer")).to_be_visible()
        audit.look(person.page, state, "#offer")
    host.page.locator("[data-answer=no]").click()
    expect(host.page.locator("#offer")).to_be_hidden()
    guest.leave()
    audit.look(watcher.page, "spectating")
    expect(host.board.locator("[data-hole='2'][data-legal]")).to_be_visible()
    audit.look(host.page, "your turn", everywhere=True)
    host.page.keyboard.press("Tab")
    host.board.locator("[data-hole='2']").focus()
    expect(host.board.locator(".flag")).to_be_visible()
    audit.look(host.page, "your turn, with a preview", sizes=(DESK,))
    for dialog in ("settings", "share", "talk", "keys", "resign"):
        host.page.locator(f"button[data-open={dialog}]:visible").first.click()
        audit.look(host.page, f"dialog {dialog}", f"#{dialog}")
        host.page.keyboard.press("Escape")
    host.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    host.page.locator("#open-panel").click()
    audit.look(host.page, "moves as a sheet", "#panel", sizes=(PHONE,))
    expect(host.page.locator("#plate-N")).to_have_attribute("data-presence", "gone")
    audit.look(host.page, "opponent away", "#plate-N")

    watcher.page.goto(watcher.post(site.url, "/rooms/", visibility="computer", level="5", side="S"))
    expect(watcher.page.locator("#plate-N")).to_have_attribute("data-presence", "here")
    audit.look(watcher.page, "against a computer")


def test_line_lost_back_and_closed(browser: Browser, site: Server, audit: Audit) -> None:
    (host,) = arrive(browser, 1)
    line = Line(host.page)
    host.open_room(site.url)
    expect(host.board).to_have_attribute("data-link", "online")
    banner = host.page.locator("#banner")
    line.cut()
    expect(banner).to_have_attribute("data-kind", "lost")
    audit.look(host.page, "reconnecting", "#banner")
    line.mend()
    expect(banner).to_have_attribute("data-kind", "back")
    host.page.evaluate("for (let id = setTimeout(() => {}); id; id -= 1) clearTimeout(id)")  # or the banner goes
    audit.look(host.page, "back at the board", "#banner")
    line.close(code=4408)
    expect(banner).to_have_attribute("data-kind", "closed")
    audit.look(host.page, "open in too many tabs", "#banner")


def test_the_end(browser: Browser, site: Server, audit: Audit) -> None:
    south, north, reader = arrive(browser, 3)
    link = sit_together(site.url, south, north, pits="3", stones="3")
    for ply, letter in enumerate(SMALL_GAME):
        (south if letter in "abc" else north).sow(letter)
        for person in (south, north):
            person.sees(ply + 1)
    for person, title in ((south, "lost"), (north, "won")):
        expect(person.page.locator("#result")).to_be_visible()
        audit.look(person.page, f"game over, {title}", "#result")
    reader.page.goto(f"{link}1/review/")
    expect(reader.page.locator("#progress")).to_be_hidden()
    reader.page.locator("#table summary").click()
    reader.page.locator(".tour__moves a:has(.slip:visible)").first.click()
    audit.look(reader.page, "a review")
    reader.page.locator("#better").click()
    audit.look(reader.page, "a better way", "#way")
    north.page.locator("#again").click()
    expect(south.page.locator(".result__offer")).not_to_be_empty()
    audit.look(south.page, "asked for another game", "#result", sizes=(DESK,))
    south.page.keyboard.press("Escape")
    expect(south.page.locator("#result")).to_be_hidden()
    audit.look(south.page, "game over, looking at the board")
    south.page.keyboard.press(",")
    expect(south.page.locator("#lookback")).to_be_visible()
    audit.look(south.page, "an earlier move", everywhere=True)
    south.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(south.page.locator("#offer [data-answer=yes]")).to_be_visible()  # B82: an offer not seen while looking back
    south.page.locator("#offer [data-answer=yes]").click()
    expect(south.board).to_have_attribute("data-game", "2")
    north.page.goto(f"{link}1/review/")
    audit.look(north.page, "no review while another game goes on", sizes=(PHONE,))
    assert north.forgives("status of 409")
    north.page.goto(f"{site.url}/games/")
    audit.look(north.page, "finished games")
    north.page.goto(f"{south.page.url.split('?')[0]}embed/")
    expect(north.board).to_have_attribute("data-link", "online")
    audit.look_at_a_plain_page(north.page, "an embedded room")


def test_when_something_is_missing(browser: Browser, site: Server, audit: Audit) -> None:
    (visitor,) = arrive(browser, 1)
    page = visitor.page
    for path in ("/nowhere/", "/r/zzzzzzzz/"):
        page.goto(site.url + path)
        audit.look(page, path)
    page.goto(f"{site.url}/r/zzzzzzzz/embed/")
    audit.look_at_a_plain_page(page, "an embedded room that is not there")
    assert visitor.forgives("status of 404")
    page.goto(site.url)
    page.locator("form[action$='/join/'] [name=csrfmiddlewaretoken]").evaluate("(field) => { field.value = 'old'; }")
    page.locator("#code").press("Enter")
    expect(page.locator("h1")).to_have_text("That page was too old")
    audit.look(page, "a page too old")
    page.goto(site.url)
    visitor.context.clear_cookies()
    page.locator("#code").press("Enter")
    expect(page.locator("h1")).to_have_text("Your browser blocks cookies")
    audit.look(page, "without cookies")
    assert visitor.forgives("status of 403")


def serve_as_written(route: Route) -> None:
    """A page that this test drew names its files as they were written; the site's own, as they were collected."""
    file = PROJECT / urlsplit(route.request.url).path.lstrip("/")
    if file.exists():
        route.fulfill(path=file)
    else:
        route.continue_()


def test_when_the_server_is_in_trouble(browser: Browser, site: Server, audit: Audit) -> None:
    (visitor,) = arrive(browser, 1)
    page = visitor.page
    policy = page.goto(site.url).headers["content-security-policy"]
    page.route("**/static/**", serve_as_written)
    for status in (500, 503):
        body = render_to_string(f"{status}.html")
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy}
        page.route("**/trouble", lambda route: route.fulfill(status=status, body=body, headers=headers))
        page.goto(f"{site.url}/trouble")
        audit.look_at_a_plain_page(page, str(status))
        assert visitor.forgives(f"status of {status}")
