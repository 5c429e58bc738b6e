"""Nothing is too small, covered, cut off or beside the page: boards of every size, screens of every size, larger text.

And no colour is too close to what it lies on. What axe cannot see is here: numerals and letters on wood.
"""

import itertools

import pytest
from playwright.sync_api import Browser, Page, TimeoutError as PlaywrightTimeoutError, expect

from tests.browser.people import Person, sit_together
from tests.conftest import ServerFactory
from tests.processes import Server

PHONES = [(320, 568), (568, 320), (360, 640), (640, 360), (390, 844), (844, 390)]
DESKS = [(820, 1180), (1024, 768), (1280, 720), (1440, 900), (2560, 1440)]
LARGE_TEXT = [(390, 844), (844, 390), (820, 1180), (1280, 720)]
LARGE_TEXT_ON_A_SMALL_PHONE = [(360, 640), (320, 568)]
ENLARGED = [(320, 256), (427, 240)]
"""The windows of a laptop at 400 %, and of a lower one at 300 %."""
FOUR = [(320, 568), (568, 320), (390, 844), (1280, 720)]

A_ROOM_FOR_EACH_BOARD = """
from games.models import Player
from tests.rooms import begin

south, north = (Player.objects.create(name=letter * 20) for letter in "WM")
for pits in range(1, 10):
    print(begin(south, north, f"classic-{pits}x4"))
"""

A_MINUTE_MORE_UNTIL_THE_CLOCK_STARTS = """
from django.db.models import F
from games.models import Game

Game.objects.update(turn_since=F("turn_since") + 60_000, deadline=F("deadline") + 60_000)
"""

FAULTS = """(least) => {
  const faults = [];
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest('[inert]');
  const box = (node) => node.getBoundingClientRect();
  const name = (node) => node.id || node.className.baseVal || node.className || node.tagName;
  const size = ({ width, height }) => `${width.toFixed(1)}×${height.toFixed(1)}`;
  const isOver = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

  const aside = document.scrollingElement.scrollWidth - innerWidth;
  if (aside > 0) faults.push(`the page is ${aside} px too wide`);

  const targets = [...document.querySelectorAll('a[href], button, input, select, summary')]
    .map((node) => (node.matches('[type=radio], [type=checkbox]') ? node.closest('label') : node))
    .filter((node) => seen(node) && !node.matches('.skip-link') && getComputedStyle(node).display !== 'inline');
  for (const node of targets) {
    const { width, height } = box(node);
    if (width < 24 || height < 24) faults.push(`target ${name(node)} is ${size(box(node))}`);
  }

  const holes = [...document.querySelectorAll('.stage [data-hole]')];
  for (const hole of holes) {
    const { left, top, right, bottom, width, height } = box(hole);
    if (left < least.left || top < 0 || right > innerWidth - least.right || bottom > innerHeight - least.bottom) {
      faults.push(`hole ${hole.dataset.hole} is not on the screen: ${[left, top, right, bottom].map(Math.round)}`);
    } else if (hole.matches('.pit')) {
      if (Math.min(width, height) < least.pit) faults.push(`pit ${hole.dataset.hole} is ${size(box(hole))}`);
      const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (found?.closest('.pit') !== hole && !document.querySelector('dialog[open]')) {
        faults.push(`pit ${hole.dataset.hole} is covered by ${found && name(found)}`);
      }
    }
    for (const other of holes.filter((one) => one !== hole && isOver(box(hole), box(one)))) {
      faults.push(`hole ${hole.dataset.hole} lies on ${other.dataset.hole}`);
    }
  }

  for (const plate of document.querySelectorAll('.plate__in')) {
    const parts = [...plate.children].filter(seen);
    for (const part of parts) {
      const { left, right, top, bottom } = box(part);
      const frame = box(plate);
      if (left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1) {
        faults.push(`${name(part)} is cut off`);
      }
      for (const other of parts.filter((one) => one !== part && isOver(box(part), box(one)))) {
        faults.push(`${name(part)} lies on ${name(other)}`);
      }
      const isShown = box(part).width > 1;
      if (isShown && part.scrollWidth > part.clientWidth + 1) faults.push(`${name(part)} runs over its edge`);
    }
  }
  const asked = [...document.querySelectorAll('.offer, .offer__answers')].filter(seen);
  for (const bar of [...asked, ...[...document.querySelectorAll('#lookback')].filter(seen)]) {
    const { left, top, right, bottom } = box(bar);
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) faults.push(`${name(bar)} is cut off`);
  }
  const clocks = [...document.querySelectorAll('.plate__clock')];
  if (asked.length && !clocks.every(seen)) faults.push('a clock is away');
  for (const card of asked) {
    if (card.scrollWidth > card.clientWidth + 1) faults.push(`${name(card)} is too narrow`);
    for (const answer of [...card.querySelectorAll('.button')].filter(seen)) {
      if (box(answer).height < 44) faults.push(`answer ${answer.textContent} is ${size(box(answer))}`);
    }
    for (const part of document.querySelectorAll('.plate__name, .plate__clock, .plate__score, .stage .count')) {
      if (seen(part) && isOver(box(card), box(part))) faults.push(`${name(card)} hides ${name(part)}`);
    }
  }
  const parts = [...document.querySelectorAll('#lookback :is(.button, #where, .steps__slider)')].filter(seen);
  for (const part of parts) {
    const { left, right } = box(part.closest('#lookback'));
    if (box(part).left < left - 1 || box(part).right > right + 1) faults.push(`${name(part)} is beside its bar`);
    for (const other of parts.filter((one) => one !== part && isOver(box(part), box(one)))) {
      faults.push(`${name(part)} lies on ${name(other)}`);
    }
    if (part.scrollWidth > part.clientWidth + 1) faults.push(`${name(part)} is cut off`);
  }
  for (const row of document.querySelectorAll('.actions, .dock')) {
    if (seen(row) && row.scrollWidth > row.clientWidth + 1) faults.push(`${name(row)} is cut off`);
  }
  return faults;
}"""


def faults(page: Page, *, pit: int = 44, left: int = 0, right: int = 0, bottom: int = 0) -> list[str]:
    """What is wrong with the page once it has settled, each pit at least so many px and beside these margins."""
    least = {"pit": pit, "left": left, "right": right, "bottom": bottom}
    try:
        page.wait_for_function(f"(least) => ({FAULTS})(least).length === 0", arg=least)
    except PlaywrightTimeoutError:
        return page.evaluate(FAULTS, least)
    return []


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def enlarge_text(page: Page, percent: int) -> None:
    page.evaluate("(percent) => { document.documentElement.style.fontSize = `${percent}%`; }", percent)


@pytest.fixture
def ann(browser: Browser) -> Person:
    return Person.arrive(browser)


@pytest.fixture
def ben(browser: Browser) -> Person:
    return Person.arrive(browser)


def test_every_pit_is_a_thumb_wide_and_in_sight(ann: Person, ben: Person, site: Server) -> None:
    """B131: notch, address bar, rotation or larger text hides pits."""
    sit_together(site.url, ann, ben)
    for size in PHONES + DESKS:
        resize(ann.page, size)
        assert faults(ann.page) == [], size

    resize(ann.page, DESKS[-1])
    ann.page.locator("[data-offer=draw]:visible").click()
    for person, size in itertools.product((ann, ben), PHONES + DESKS[:3]):
        resize(person.page, size)
        expect(person.page.locator("#offer")).to_be_visible()
        assert faults(person.page) == [], ("asked for a draw", size)
    ben.page.locator("[data-answer=no]").click()

    resize(ann.page, (844, 390))
    insets = {"left": 47, "right": 47, "bottom": 21}
    devtools = ann.context.new_cdp_session(ann.page)
    devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    assert faults(ann.page, **insets) == []
    devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": {}})

    for person, size in itertools.product((ann, ben), LARGE_TEXT):
        resize(person.page, size)
        enlarge_text(person.page, 200)
        assert faults(person.page) == [], ("text of 200 %", size)
    for size in LARGE_TEXT_ON_A_SMALL_PHONE:
        resize(ann.page, size)
        assert faults(ann.page, pit=24) == [], ("text of 200 %", size)
    enlarge_text(ann.page, 100)

    for dialog in ("settings", "share", "talk", "keys", "resign"):
        ann.page.locator(f"#{dialog}").evaluate("(dialog) => dialog.showModal()")
        for size in FOUR:
            resize(ann.page, size)
            assert faults(ann.page) == [], (dialog, size)
        ann.page.keyboard.press("Escape")


def test_what_is_asked_hides_no_name_no_clock_and_no_number(ann: Person, ben: Person, serve: ServerFactory) -> None:
    site = serve(CLAIM_SECONDS="1")
    for person in (ann, ben):
        person.context.add_cookies([{"name": "language", "value": "de", "url": site.url}])
        person.post(site.url, "/name/", name="Wilhelmina Wunderlic", next="/")
    sit_together(site.url, ann, ben, pie="on", control="5+3")
    ann.sow("d")
    ben.sees(1)
    for size in [*PHONES, (1280, 720)]:
        resize(ben.page, size)
        expect(ben.page.locator("#swap p")).to_be_visible()
        assert faults(ben.page) == [], ("a swap", size)

    # One question at a time.
    resize(ann.page, DESKS[-1])
    ann.page.locator("[data-offer=takeback]:visible").click()
    expect(ben.page.locator("#offer")).to_be_visible()
    expect(ben.page.locator("#swap")).to_be_hidden()
    for person, size in itertools.product((ann, ben), [*PHONES, (1280, 720)]):
        resize(person.page, size)
        assert faults(person.page) == [], ("an offer", size)
    can_be_answered(ben.page, "#offer")
    is_seen_beside_news(ben.page, "#offer")
    resize(ben.page, DESKS[-1])
    ben.page.locator("[data-answer=no]").click()
    expect(ben.page.locator("#swap")).to_be_visible()

    ben.leave()
    expect(ann.page.locator("#claim")).to_be_visible()
    for size in [*PHONES, (1280, 720)]:
        resize(ann.page, size)
        assert faults(ann.page) == [], ("a claim", size)
    can_be_answered(ann.page, "#claim")


def is_seen_beside_news(page: Page, card: str) -> None:
    """No toast lies over what is asked: its answers would seem to be those to the toast."""
    page.evaluate("document.querySelector('#toasts').append(document.querySelector('#toast').content.cloneNode(true))")
    page.locator("#toasts span").evaluate(
        "(words) => { words.textContent = 'Wilhelmina would like to write to you.'; }"
    )
    for size in [*PHONES, (1280, 720)]:
        resize(page, size)
        toast = page.locator("#toasts .toast").bounding_box()
        for part in page.locator(f"{card} p, {card} .button").all():
            assert not overlap(part.bounding_box(), toast), (size, part)


def overlap(one: dict, other: dict) -> bool:
    sides = (("x", "width"), ("y", "height"))
    return all(one[at] < other[at] + other[long] and other[at] < one[at] + one[long] for at, long in sides)


def can_be_answered(page: Page, card: str) -> None:
    """What is asked is in lines, not in a column of letters, and every answer is in sight, in an enlarged page too."""
    for size in ENLARGED:
        resize(page, size)
        text = page.locator(f"{card} p")
        expect(text).to_be_in_viewport(ratio=1)
        assert text.bounding_box()["width"] >= 128, size
        for answer in page.locator(f"{card} .button").all():
            expect(answer).to_be_in_viewport(ratio=1)
            answer.click(trial=True)
            assert answer.bounding_box()["height"] >= 44, size


def test_until_a_clock_starts_the_name_and_the_score_are_there(ann: Person, ben: Person, site: Server) -> None:
    ann.post(site.url, "/name/", name="Christopher", next="/")
    sit_together(site.url, ann, ben, control="10+5")
    site.manage("shell", "--verbosity=0", "--command", A_MINUTE_MORE_UNTIL_THE_CLOCK_STARTS)
    plate = ben.page.locator("#plate-S")
    name, lost = plate.locator("[data-part=name]"), plate.locator("[data-part=presence]")
    for is_away in (False, True):
        if is_away:
            ann.leave()
            expect(plate).to_have_attribute("data-presence", "gone")
        for language in ("en", "de", "es", "fr"):
            ben.context.add_cookies([{"name": "language", "value": language, "url": site.url}])
            ben.page.reload()
            expect(plate.locator(".plate__starts")).not_to_be_empty()
            for size in [(360, 640), (360, 740), (390, 844), (844, 390)]:
                case = (language, size, is_away)
                resize(ben.page, size)
                expect(plate.locator(".plate__rest")).to_be_visible(visible=not is_away)
                assert faults(ben.page) == [], case
                assert name.bounding_box()["width"] >= 80, case
                assert lost.evaluate("(words) => words.scrollWidth <= words.clientWidth + 1"), case


def test_what_a_dialog_is_for_is_in_sight(ann: Person, ben: Person, site: Server) -> None:
    ben.post(site.url, "/name/", name="Wilhelmina Wunderlic", next="/")
    sit_together(site.url, ann, ben)
    for person in (ann, ben):
        person.page.locator("[data-open=talk]:visible").click()
        person.page.locator("#letters-on").check()
    for size in [*PHONES[:1], *PHONES[2:]]:
        resize(ann.page, size)
        expect(ann.page.locator("#letters .input")).to_be_in_viewport(ratio=1)

    ann.page.locator("#talk [data-close]").click()
    resize(ann.page, DESKS[-1])
    ann.page.locator(".action[data-open=resign]").click()
    ann.page.locator("#resign-yes").click()
    for size in PHONES:
        resize(ann.page, size)
        expect(ann.page.locator("#again")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_bar_over_an_earlier_move_fits(ann: Person, ben: Person, site: Server, language: str) -> None:
    ben.context.add_cookies([{"name": "language", "value": language, "url": site.url}])
    sit_together(site.url, ann, ben)
    ann.sow("c")
    ben.sees(1)
    ben.page.keyboard.press(",")
    ben.sees(0)
    ann.sow("d")
    expect(ben.page.locator("#missed")).not_to_be_empty()
    for size in PHONES + DESKS:
        resize(ben.page, size)
        assert faults(ben.page) == [], (language, size)
    enlarge_text(ben.page, 200)
    for size in LARGE_TEXT:
        resize(ben.page, size)
        assert faults(ben.page) == [], ("text of 200 %", language, size)


def test_boards_of_one_to_nine_pits_and_the_longest_names_fit(ann: Person, site: Server) -> None:
    codes = site.manage("shell", "--verbosity=0", "--command", A_ROOM_FOR_EACH_BOARD).stdout.split()
    for pits, code in enumerate(codes, start=1):
        ann.watch(f"{site.url}/r/{code}/")
        assert len(ann.counts()) == 2 * pits + 2
        for size in FOUR[:2]:
            resize(ann.page, size)
            assert faults(ann.page, pit=44 if pits <= 6 else 24) == [], (pits, size)


def test_no_page_is_too_wide_or_has_a_small_target(ann: Person, site: Server) -> None:
    lessons = ("/how-to-play/", "/how-to-play/classic/", "/how-to-play/sample-game/")
    for path in ("/", *lessons, "/puzzles/", "/puzzles/7/", "/replay/", "/solver/", "/r/zzzzzzzz/"):
        ann.page.goto(site.url + path)
        for size in FOUR:
            resize(ann.page, size)
            assert faults(ann.page) == [], (path, size)
    assert ann.forgives("status of 404")


def test_whoever_a_game_is_to_be_played_with_it_begins_without_scrolling(ann: Person, site: Server) -> None:
    ann.page.goto(site.url)
    for size, rival in itertools.product([(390, 844), (1280, 720), (1440, 900)], ("A friend", "Anyone", "Computer")):
        resize(ann.page, size)
        ann.page.get_by_text(rival, exact=True).click()
        expect(ann.page.locator(".create [type=submit]")).to_be_in_viewport(ratio=1)


TEXT, LARGE = 4.5, 3.0
GROUNDS = ("table", "table-edge", "surface", "surface-2", "surface-3")
ACCENTS = ("brand", "brand-strong", "danger", "good", "warn", "sun")
CONTRASTS = [
    *((text, ground, TEXT) for text in ("ink", "ink-2") for ground in GROUNDS),
    *((text, ground, TEXT) for text in ACCENTS for ground in ("surface", "surface-2")),
    ("brand", "table", TEXT),
    ("brand", "table-edge", TEXT),
    ("on-brand", "brand", TEXT),
    ("on-brand", "brand-strong", TEXT),
    ("on-brand-soft", "brand-soft", TEXT),
    ("on-sun", "sun-fill", TEXT),
    ("on-moon", "moon-fill", TEXT),
    ("danger", "danger-soft", TEXT),
    ("warn", "warn-soft", TEXT),
    ("surface", "ink", TEXT),  # a toast
    ("on-bone", "bone", TEXT),  # numerals
    ("engraved", "wood", TEXT),  # letters, and the numeral of an empty pit
    ("line-strong", "surface", LARGE),  # edges of fields and buttons
    ("focus", "table", LARGE),
    ("focus", "surface", LARGE),
    ("brass", "wood", LARGE),  # the ring of a pit on offer
    ("line-strong", "table", LARGE),
]
COLOURS_OF = """(names) => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.transitionProperty = 'none'; // with less motion everything changes within a millisecond, but not at once
  return Object.fromEntries(names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color.match(/\\d+/g).map(Number)];
  }));
}"""


def luminance(colour: list[int]) -> float:
    """As WCAG 2.2 defines it."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: list[int], other: list[int]) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_formula() -> None:
    """Values of the examples that everybody gives."""
    assert ratio([255, 255, 255], [0, 0, 0]) == 21
    assert round(ratio([0x77, 0x77, 0x77], [255, 255, 255]), 2) == 4.48


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_every_colour_of_text_is_far_enough_from_its_ground(ann: Person, site: Server, theme: str) -> None:
    ann.prefer(site.url, theme=theme)
    ann.page.goto(site.url)
    names = sorted({name for text, ground, _ in CONTRASTS for name in (text, ground)})
    colour = ann.page.evaluate(COLOURS_OF, names)
    seen = {(text, ground): (round(ratio(colour[text], colour[ground]), 2), least) for text, ground, least in CONTRASTS}
    assert {pair: found for pair, (found, least) in seen.items() if found < least} == {}
