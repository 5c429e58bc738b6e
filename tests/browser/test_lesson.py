"""The pages about the rules in a real browser: every step by buttons, keys and list, what is seen and what is said."""

import json
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from games.rules.ruleset import NAMES
from tests.browser.people import Person, heard, wait_to_hear
from tests.processes import Server

LESSON, SAMPLE = "/how-to-play/", "/how-to-play/sample-game/"
RULES = [f"/how-to-play/{name}/" for name in NAMES]

SCREENS = [(1440, 900), (1280, 720), (768, 1024), (390, 844), (844, 390), (320, 568)]

NOTE_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => (
      `${node?.className ?? node?.textContent}: ${from.x}, ${from.y} -> ${to.x}, ${to.y}`));
    window.shifts.push(moved.join('; '));
  }
}).observe({ type: 'layout-shift' });
"""

NOTE_MOTION = """() => {
  window.hasMoved = false;
  const note = ([{ target }]) => { window.hasMoved ||= target.dataset.busy === 'true'; };
  new MutationObserver(note).observe(document.querySelector('#board'), { attributeFilter: ['data-busy'] });
}"""

FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass
class Reader:
    """Somebody who reads about the rules."""

    page: Page
    example: dict

    @classmethod
    def open(cls, browser: Browser, site: Server, path: str, *, is_paused: bool = False, **options: object) -> "Reader":
        """Open a page; without other wishes, on a screen where nothing moves. `is_paused`: its time stands still."""
        page = Person.arrive(browser, **options).page
        if is_paused:
            page.clock.install(time=0)
            page.clock.pause_at(1_000)
        page.goto(site.url + path)
        expect(page.locator("#board")).to_have_attribute("data-link", "online")
        return cls(page, json.loads(page.locator("#page").text_content()))

    @property
    def step(self) -> Locator:
        """The text that is seen."""
        return self.page.locator(".step[data-current]")

    @property
    def ringed(self) -> Locator:
        """The pit that will be sown."""
        return self.page.locator("#board .pit[data-legal]")

    def button(self, name: str) -> Locator:
        return self.page.locator(f"[data-go={name}]")

    def sees(self, stones: list[int]) -> None:
        """The stones drawn, and counted, once nothing moves."""
        expect(self.page.locator("#board")).to_have_attribute("data-busy", "false")
        holes = self.page.locator("#board [data-hole]")
        counts = holes.evaluate_all(
            "nodes => nodes.sort((a, b) => a.dataset.hole - b.dataset.hole)"
            ".map((node) => Number(node.querySelector('.count').textContent))"
        )
        assert counts == stones
        assert self.page.locator("#board .board__stones .stone").count() == sum(stones)


@pytest.mark.parametrize("path", [LESSON, *RULES])
def test_every_step_ends_with_the_board_of_the_server_and_says_its_outcome_once(browser, site, path):
    reader = Reader.open(browser, site, path)
    for nth, step in enumerate(reader.example["steps"]):
        if nth:
            reader.button("next").click()
        expect(reader.step).to_have_id(step["name"])
        if step["sown"]:
            if step["welcome"]["snapshot"]["legal"]:
                reader.ringed.click()  # rather than wait
            expect(reader.step).to_have_attribute("data-told", "")
            wait_to_hear(reader.page, reader.step.locator(".step__seen").text_content())
            reader.sees(step["sown"][0]["stones"])
        else:
            reader.sees(step["welcome"]["snapshot"]["stones"])
    outcomes = reader.page.locator(".step__seen").all_text_contents()
    for step, outcome in zip(reader.example["steps"], outcomes, strict=True):
        assert heard(reader.page).count(outcome) == len(step["sown"]), outcome


def test_a_step_shows_its_pit_and_sows_it_by_itself_with_all_its_motion(browser, site):
    reader = Reader.open(browser, site, f"{LESSON}#capture", is_paused=True, reduced_motion="no-preference")
    step = reader.example["steps"][5]
    expect(reader.ringed).to_have_attribute("data-letter", "c")
    reader.sees(step["welcome"]["snapshot"]["stones"])
    reader.page.clock.run_for(999)
    expect(reader.ringed).to_have_attribute("data-letter", "c")
    reader.page.evaluate(NOTE_MOTION)
    reader.page.clock.resume()
    reader.page.wait_for_function("() => window.hasMoved")  # an expression is read anew, against our policy
    expect(reader.step).to_have_attribute("data-told", "")
    reader.sees(step["sown"][0]["stones"])


def test_leaving_a_step_in_the_middle_of_its_sowing_leaves_nothing_behind(browser, site):
    reader = Reader.open(browser, site, f"{LESSON}#skip", reduced_motion="no-preference")
    expect(reader.page.locator("#board")).to_have_attribute("data-busy", "true")
    reader.button("next").click()
    reader.sees(reader.example["steps"][4]["welcome"]["snapshot"]["stones"])
    expect(reader.step).to_have_attribute("data-told", "")
    reader.sees(reader.example["steps"][4]["sown"][0]["stones"])


def test_the_lesson_by_keys_alone(browser, site):
    reader = Reader.open(browser, site, LESSON)
    keyboard = reader.page.keyboard
    keyboard.press("ArrowLeft")
    expect(reader.step).to_have_id("side")
    for name in ("sow", "around", "skip"):
        keyboard.press("ArrowRight")
        expect(reader.step).to_have_id(name)
    keyboard.press("ArrowLeft")
    expect(reader.step).to_have_id("around")
    wait_to_hear(reader.page, "Step 3 of 8. Around the board. " + reader.step.locator("p").first.text_content())
    assert reader.page.url.endswith("#around")

    reader.page.get_by_role("link", name="The end").focus()
    keyboard.press("Enter")
    expect(reader.step).to_have_id("end")
    expect(reader.page.get_by_role("link", name="The end")).to_be_focused()
    expect(reader.page.get_by_role("link", name="The end")).to_have_attribute("aria-current", "step")

    for pressed, name in (("Back", "capture"), ("Next", "end"), ("Next", "left"), ("Once more", "side")):
        reader.page.get_by_role("button", name=pressed).focus()
        keyboard.press("Enter")
        expect(reader.step).to_have_id(name)

    keyboard.press("ArrowRight")
    reader.page.get_by_role("button", name="Pit b, 4 stones").focus()
    keyboard.press("ArrowRight")  # on the board an arrow leads to the next pit
    expect(reader.page.get_by_role("button", name="Pit c, 4 stones")).to_be_focused()
    expect(reader.step).to_have_id("sow")
    expect(reader.step).to_have_attribute("data-told", "")
    reader.page.get_by_role("button", name="Again").focus()
    keyboard.press("Enter")
    expect(reader.step).not_to_have_attribute("data-told", "")
    keyboard.press("b")
    expect(reader.step).to_have_attribute("data-told", "")


def test_the_sample_game_forwards_to_its_end_and_to_any_place(browser, site):
    reader = Reader.open(browser, site, SAMPLE)
    sown = reader.example["game"]["sown"]
    start = reader.example["game"]["welcome"]["snapshot"]["stones"]
    where = reader.page.locator("#where")
    slider = reader.page.get_by_role("slider", name="Move")
    for ply, sowing in enumerate(sown):
        reader.button("next").click()
        expect(where).to_have_text(f"Move {ply + 1} of 31")
        reader.sees(sowing["stones"])
    expect(reader.button("next")).to_have_attribute("aria-disabled", "true")
    words = " ".join(reader.step.text_content().split())
    assert words.endswith("Sun keeps the last ten stones and wins, 25 to 23.")
    wait_to_hear(reader.page, words)

    reader.button("back").click()
    reader.sees(sown[29]["stones"])
    reader.button("first").click()
    reader.sees(start)
    reader.button("last").click()
    reader.sees(sown[30]["stones"])
    reader.page.get_by_role("link", name="Move 19: Sun, pit d").click()
    reader.sees(sown[18]["stones"])
    expect(reader.step).to_contain_text("stores no stones")
    expect(slider).to_have_js_property("value", "19")
    expect(slider).to_have_attribute("aria-valuetext", "Move 19 of 31")

    slider.focus()
    reader.page.keyboard.press("ArrowRight")
    reader.sees(sown[19]["stones"])
    reader.page.keyboard.press("Home")
    reader.sees(start)
    slider.evaluate("node => node.blur()")
    reader.page.keyboard.press("ArrowRight")
    reader.sees(sown[0]["stones"])


def test_moves_asked_for_faster_than_they_can_be_shown_end_where_they_should(browser, site):
    reader = Reader.open(browser, site, SAMPLE, reduced_motion="no-preference")
    for _ in range(12):
        reader.page.keyboard.press("ArrowRight")
    expect(reader.page.locator("#where")).to_have_text("Move 12 of 31")
    reader.sees(reader.example["game"]["sown"][11]["stones"])


@pytest.mark.parametrize("path", [LESSON, RULES[3], f"{SAMPLE}#move-18"])
def test_board_text_and_buttons_are_on_one_screen_large_enough_and_never_move(browser, site, path):
    page = Reader.open(browser, site, path).page
    page.evaluate(NOTE_SHIFTS)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".tour__board").scroll_into_view_if_needed()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        boxes = [page.locator(part).bounding_box() for part in (".tour__board", ".tour__steps", ".tour__bar")]
        for box in boxes:
            assert box["y"] >= 0, f"it is not above the screen of {width}×{height}"
            assert box["y"] + box["height"] <= height, f"it is on the screen of {width}×{height}"
        _, text, bar = boxes
        assert text["y"] + text["height"] <= bar["y"], f"nothing lies over the text at {width}×{height}"
        page.evaluate(FRAMES)
        page.evaluate("window.shifts.length = 0")
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
            page.keyboard.press(key)
            page.evaluate(FRAMES)
            seen = [page.locator(part).bounding_box() for part in (".tour__board", ".tour__steps", ".tour__bar")]
            assert seen == boxes
        targets = page.locator(".tour__bar button:visible, .tour__list a:visible, .ways a, .steps__slider:visible")
        heights = targets.evaluate_all("nodes => nodes.map((node) => node.getBoundingClientRect().height)")
        assert min(heights) >= 44
        assert page.evaluate("shifts") == []


def test_without_javascript_all_of_it_can_be_read(browser, site):
    page = Person.arrive(browser, java_script_enabled=False).page
    page.goto(site.url + LESSON)
    for step in page.locator(".step").all():
        expect(step.locator("h2")).to_be_visible()
        expect(step.locator(".step__seen")).to_be_visible()
    expect(page.locator(".tour__bar")).to_be_hidden()
    page.goto(site.url + SAMPLE)
    expect(page.locator(".step:visible")).to_have_count(32)


def test_a_long_list_of_moves_goes_along_with_the_board_and_the_page_stays(browser, site):
    reader = Reader.open(browser, site, SAMPLE, viewport={"width": 1280, "height": 640})
    moves = reader.page.locator(".tour__moves a")
    last = moves.nth(30)
    expect(last).not_to_be_in_viewport()
    reader.page.locator("[data-go=last]").click()
    expect(last).to_have_attribute("aria-current", "step")
    expect(last).to_be_in_viewport(ratio=1)
    expect(moves.first).not_to_be_in_viewport(ratio=0.5)
    assert reader.page.evaluate("scrollY") == 0


def test_on_paper_all_steps_can_be_read_but_for_a_puzzle_its_answer(browser, site):
    reader = Reader.open(browser, site, LESSON)
    reader.page.emulate_media(media="print")
    for step in reader.page.locator(".step h2, .step__seen").all():
        expect(step).to_be_visible()
        expect(step).to_have_css("opacity", "1")
    expect(reader.page.locator(".tour__bar")).to_be_hidden()
    reader.page.goto(site.url + "/puzzles/3/")
    expect(reader.page.get_by_role("heading", name="Which pit wins?")).to_be_visible()
    expect(reader.page.locator(".step:not([data-current])").first).to_be_hidden()
