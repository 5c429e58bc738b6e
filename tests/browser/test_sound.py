"""What is heard: nothing before a gesture, nothing that is over, and the opponent's stones."""

from playwright.sync_api import Browser, expect

from tests.browser.line import Line
from tests.browser.people import Person, sit_together
from tests.processes import Server

COUNT_TONES = """
window.tones = 0;
const tell = () => { window.tones += 1; };
const node = (more = {}) => new Proxy({ connect: (next) => next, start() {}, stop() {}, ...more }, {
  get: (real, name) => real[name] ?? new Proxy(() => {}, { get: () => () => {} }),
});
window.AudioContext = class {
  currentTime = 0;
  sampleRate = 8000;
  state = 'running';
  createOscillator() { return node({ start: tell }); }
  createGain() { return node(); }
  createBiquadFilter() { return node(); }
  createBufferSource() { return node(); }
  createDynamicsCompressor() { return node(); }
  createBuffer(channels, length) { return { getChannelData: () => new Float32Array(length) }; }
};
"""


def tones(person: Person) -> int:
    """How many oscillators have been struck since the page was loaded."""
    return person.page.evaluate("window.tones")


def touch(person: Person) -> None:
    """A gesture after which there may be sound: a click beside everything."""
    person.page.locator("#title").click()
    person.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))")


def test_sounds_wait_for_a_first_touch_and_say_so(browser: Browser, site: Server) -> None:
    """B135: no sound for what comes from the server before a first click; mute is kept."""
    south, north = (Person.arrive(browser) for _ in range(2))
    north.page.add_init_script(COUNT_TONES)
    sit_together(site.url, south, north)
    hint = north.page.locator("#silent")
    expect(hint).to_be_hidden()
    south.sow("c")
    expect(hint).to_be_visible()
    north.sees(1)
    assert tones(north) == 0
    touch(north)
    expect(hint).to_be_hidden()
    south.sees(1)
    south.sow("a")
    north.sees(2)
    assert tones(north) > 0

    north.page.keyboard.press("v")
    sound = north.page.locator("[data-toggle=sound]")
    expect(sound).to_have_attribute("aria-pressed", "false")
    north.page.reload()
    expect(sound).to_have_attribute("aria-pressed", "false")
    touch(north)
    north.sow("k")
    south.sees(3)
    south.sow("b")
    north.sees(4)
    assert tones(north) == 0
    expect(hint).to_be_hidden()


def test_opening_reloading_and_coming_back_are_silent(browser: Browser, site: Server) -> None:
    """B136: a loud sound on opening a game in progress."""
    south, north = (Person.arrive(browser) for _ in range(2))
    north.page.add_init_script(COUNT_TONES)
    line = Line(north.page)
    link = sit_together(site.url, south, north)
    south.sow("c")
    south.sees(1)
    south.sow("a")
    south.sees(2)
    for arrive in (lambda: north.page.goto(link), north.page.reload):
        arrive()
        touch(north)
        north.sees(2)
        expect(north.board).to_have_attribute("data-link", "online")
        assert tones(north) == 0

    north.sow("k")
    south.sees(3)
    north.sees(3)
    line.cut()
    expect(north.board).to_have_attribute("data-link", "offline")
    before = tones(north)
    assert before > 0
    south.sow("b")
    south.sees(4)
    line.mend()
    north.sees(4)
    assert tones(north) == before
