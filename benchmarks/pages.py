"""What the pages cost in a real Chromium: weight, the script and layout of a tap, shifts, long tasks.

python -m benchmarks.pages

Weights are what Chromium received (headers and bodies, compressed), with an empty cache. A whole game is played by
clicks on one page; times are what its main thread spent on the processor, from Chromium's own trace. They depend on the
machine, so a click on a bare button that changes one text is measured in the same run.
"""

import json
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from games.rules import transcript
from games.rules.ruleset import by_key
from tests.browser.people import Person
from tests.known_games import PRINTED
from tests.processes import CHROMIUM_OPTIONS, Server, chromium_path, free_port

DESK = {"viewport": {"width": 1280, "height": 720}}
LIMITS_KB = {"lobby": 60, "how to play": 60, "room": 80}
LIMIT_TAP_MS, LIMIT_LAYOUT_MS, FRAME_MS = 8, 4, 1000 / 60
LONG_FRAMES_MS = 50  # what browsers call a long task

WATCH_SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifts += entry.value; })
  .observe({ type: 'layout-shift', buffered: true });
"""
BARE_PAGE = """<!doctype html><title>bare</title><button id="b">0</button>"""
BARE_CLICK = """() => {
  document.querySelector('#b').onclick = ({ target }) => { target.textContent = Number(target.textContent) + 1; };
}"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server({"DATA_DIR": folder, "PORT": str(free_port())}, Path(folder) / "log", ["--prepare"]).start()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_OPTIONS)
        try:
            report_weights(browser, server.url)
            report_game(browser, server.url)
        finally:
            browser.close()
            server.terminate()


# Weight -------------------------------------------------------------------------------------------


@dataclass
class Traffic:
    """What a page has received so far."""

    requests: int = 0
    received: int = 0
    foreign: list[str] = field(default_factory=list)


@contextmanager
def traffic(page: Page, site: str, codings: str) -> Iterator[Traffic]:
    """Count what `page` receives, whoever asks for it, when it takes these codings."""
    seen = Traffic()
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.setExtraHTTPHeaders", {"headers": {"Accept-Encoding": codings}})

    def begin(event: dict) -> None:
        seen.requests += 1
        if not event["request"]["url"].startswith(site):
            seen.foreign.append(event["request"]["url"])

    def end(event: dict) -> None:
        seen.received += event["encodedDataLength"]

    line.on("Network.requestWillBeSent", begin)
    line.on("Network.loadingFinished", end)
    yield seen
    line.detach()


def report_weights(browser: Browser, site: str) -> None:
    print("| page | requests | KB received: gzip | brotli | limit | elements | requests to other hosts |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    host = Person.arrive(browser, painted=True, **DESK)
    room = host.open_room(site)
    for name, address in (("lobby", site), ("how to play", f"{site}/how-to-play/"), ("room", room)):
        seen = {}
        for codings in ("gzip", "gzip, br"):  # by itself a browser takes brotli over https only
            page = Person.arrive(browser, painted=True, **DESK).page
            with traffic(page, site, codings) as seen[codings]:
                page.goto(address, wait_until="networkidle")
            elements = page.evaluate("document.querySelectorAll('*').length")
            page.context.close()
        zipped, brotli = seen.values()
        print(
            f"| {name} | {zipped.requests} | {zipped.received / 1000:.1f} | {brotli.received / 1000:.1f} "
            f"| {LIMITS_KB[name]} | {elements} | {len(zipped.foreign)} |"
        )
    host.leave()


# A game -------------------------------------------------------------------------------------------


@dataclass
class Taps:
    """Main-thread times in ms: the script of each click, style and layout until the next, and the longest tasks."""

    script: list[float] = field(default_factory=list)
    layout: list[float] = field(default_factory=list)
    tasks: list[float] = field(default_factory=list)
    scripts: list[float] = field(default_factory=list)


def report_game(browser: Browser, site: str) -> None:
    """Play the printed game: South clicks on the measured page."""
    south, north = (
        Person.arrive(browser, painted=True, reduced_motion="no-preference", **DESK),
        Person.arrive(browser),
    )
    south.page.add_init_script(WATCH_SHIFTS)
    link = south.open_room(site, rules="both-stores")
    north.sit_down(link)
    south.page.reload()
    south.sees(0)
    browser.start_tracing(page=south.page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
    for ply, sowing in enumerate(transcript.replay(by_key("both-stores-6x4"), PRINTED)):
        {"S": south, "N": north}[sowing.side.value].sow(PRINTED[ply])
        for person in (south, north):
            person.sees(ply + 1)
    room = taps(json.loads(browser.stop_tracing()))
    shifts = south.page.evaluate("window.shifts")

    bare_page = browser.new_context(**DESK).new_page()
    bare_page.set_content(BARE_PAGE)
    bare_page.evaluate(BARE_CLICK)
    browser.start_tracing(page=bare_page, categories=["devtools.timeline"])
    for count in range(len(room.script)):
        bare_page.click("#b")
        bare_page.wait_for_function("(n) => document.querySelector('#b').textContent === String(n)", arg=count + 1)
    bare = taps(json.loads(browser.stop_tracing()))

    print("\n| a click | script, ms: median, most | style and layout after it, ms: median, most |")
    print("| --- | ---: | ---: |")
    print(f"| on a pit | {middle(room.script)} | {middle(room.layout)} |")
    print(f"| on a bare button | {middle(bare.script)} | {middle(bare.layout)} |")
    print(f"| limit | {LIMIT_TAP_MS} | {LIMIT_LAYOUT_MS} |")
    late = sum(ms > FRAME_MS for ms in room.scripts)
    print(f"\nLayout shift over the whole game: {shifts:.4f}.")
    print(
        f"Of {len(room.scripts)} runs of script during the game {late} took longer than a frame ({FRAME_MS:.1f} ms); "
        f"the longest {max(room.scripts):.1f} ms. Tasks over {LONG_FRAMES_MS} ms: "
        f"{sum(ms > LONG_FRAMES_MS for ms in room.tasks)}."
    )


def taps(trace: dict) -> Taps:
    """The clicks in a trace of Chromium. Times there are in µs."""
    events = [event for event in trace["traceEvents"] if event.get("ph") == "X" and "dur" in event]
    clicks = [
        event for event in events if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "click"
    ]
    if not clicks:
        raise RuntimeError("no click in the trace")
    main_thread = (clicks[0]["pid"], clicks[0]["tid"])
    events = sorted(
        (event for event in events if (event["pid"], event["tid"]) == main_thread), key=lambda event: event["ts"]
    )
    found = Taps()
    for click in clicks:
        end = click["ts"] + click["dur"]
        found.script.append(spent(click))
        # What the click changed is laid out in the frame that follows it.
        after = [event for event in events if end <= event["ts"] < end + 50_000]
        paint = next((event["ts"] for event in after if event["name"] in {"Paint", "PrePaint"}), end + 50_000)
        laid = [event for event in after if event["name"] in {"UpdateLayoutTree", "Layout"} and event["ts"] <= paint]
        found.layout.append(sum(map(spent, laid)))
    for event in events:
        if event["name"] in {"RunTask", "ThreadControllerImpl::RunTask"}:
            found.tasks.append(spent(event))
        if event["name"] in {"FunctionCall", "EventDispatch", "FireAnimationFrame", "TimerFire", "RunMicrotasks"}:
            found.scripts.append(spent(event))
    return found


def spent(event: dict) -> float:
    """Milliseconds on the processor."""
    return event.get("tdur", event["dur"]) / 1000


def middle(times: list[float]) -> str:
    """Median and greatest."""
    return f"{statistics.median(times):.2f}, {max(times):.2f}"


if __name__ == "__main__":
    main()
