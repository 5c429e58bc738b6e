"""What moves and when: once, only for those who like it, and never in the way of the true board."""

from playwright.sync_api import Browser, expect

from tests.browser.line import Line
from tests.browser.people import Person, sit_together
from tests.processes import Server

COUNT_FLIGHTS = """
window.flights = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function count(...how) {
  if (this.matches('.stone')) window.flights += 1;
  return animate.apply(this, how);
};
"""
CHOOSE_SPEED = """(speed) => {
  const choice = document.querySelector(`#settings input[name=speed][value=${speed}]`);
  choice.checked = true;
  choice.dispatchEvent(new Event('change', { bubbles: true }));
}"""
TRANSITION = "getComputedStyle(document.querySelector('.plate')).transitionDuration.split(',')[0]"
BOARDS = [
    (4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0),
    (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0),  # c, an extra turn
    (0, 5, 1, 6, 6, 5, 1, 4, 4, 4, 4, 4, 4, 0),  # a
    (0, 5, 1, 6, 6, 5, 1, 4, 4, 0, 5, 5, 5, 1),  # j, an extra turn
    (0, 5, 1, 6, 6, 5, 1, 0, 5, 1, 6, 6, 5, 1),  # h
]
LANDINGS = " genl"


def flights(person: Person) -> int:
    """How many stones have set out so far."""
    return person.page.evaluate("window.flights")


def test_a_late_echo_does_not_start_the_own_sowing_anew(browser: Browser, site: Server) -> None:
    """B145: the mover gets the own move back from the server and the animation restarts."""
    south, north = Person.arrive(browser, reduced_motion="no-preference"), Person.arrive(browser)
    south.page.add_init_script(COUNT_FLIGHTS)
    line = Line(south.page)
    sit_together(site.url, south, north)
    south.page.clock.install()
    south.page.clock.pause_at(south.page.evaluate("Date.now() + 1000"))  # or it looks for another line after a while
    line.hold()
    south.sow("c")
    expect(south.board.locator(".stone[data-lifted]")).to_have_count(4)
    assert north.sees(1) == BOARDS[1]  # so the echo is on its way
    assert (south.counts(), flights(south)) == (BOARDS[0], 0)
    south.page.clock.resume()
    line.let_go()
    assert south.sees(1) == BOARDS[1]
    assert flights(south) == 4
    assert line.plays() == 1


def test_a_click_during_a_sowing_acts_on_the_true_board_or_not_at_all(browser: Browser, site: Server) -> None:
    """B31: the opponent's sowing is still animating when I click."""
    south, north = Person.arrive(browser), Person.arrive(browser, reduced_motion="no-preference")
    line = Line(north.page)
    sit_together(site.url, south, north)
    south.sow("c")
    for person in (south, north):
        assert person.sees(1) == BOARDS[1]
    devtools = north.context.new_cdp_session(north.page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0})
    south.sow("a")
    expect(north.board).to_have_attribute("data-ply", "2")
    north.board.locator("[data-letter=j]").click(force=True)
    assert north.board.get_attribute("data-busy") == "true"
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 1})
    assert north.sees(2) == BOARDS[2]
    assert line.plays() == 0
    north.sow("j")
    for person in (south, north):
        assert person.sees(3) == BOARDS[3]
    assert line.plays() == 1


def test_less_motion_for_those_who_ask_the_system_or_us(browser: Browser, site: Server) -> None:
    """B143: animation ignores the system's reduced-motion setting; and without motion nothing may be lost."""
    south, north = Person.arrive(browser, reduced_motion="no-preference"), Person.arrive(browser)
    south.page.add_init_script(COUNT_FLIGHTS)
    sit_together(site.url, south, north)
    set_out = 0
    for ply, (letter, stones, system, choice, is_moving) in enumerate(
        (
            ("c", 4, "reduce", None, False),
            ("a", 4, "no-preference", None, True),
            ("j", 4, "no-preference", "instant", False),
            ("h", 4, "reduce", "brisk", True),
        ),
        start=1,
    ):
        south.page.emulate_media(reduced_motion=system)
        if choice:
            south.page.evaluate(CHOOSE_SPEED, choice)
        assert (south.page.evaluate(TRANSITION) != "0s") is is_moving
        (south if letter in "abcdef" else north).sow(letter)
        for person in (south, north):
            assert person.sees(ply) == BOARDS[ply]
        set_out += stones if is_moving else 0
        assert flights(south) == set_out
        expect(south.board.locator("[data-last~=from]")).to_have_attribute("data-letter", letter)
        expect(south.board.locator("[data-last~=landing]")).to_have_attribute("data-letter", LANDINGS[ply])
        if letter in "cj":
            expect(south.board.locator(".ribbon")).to_have_text("Extra turn!")
