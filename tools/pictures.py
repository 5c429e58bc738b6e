"""Draws what no browser draws from our SVG: icons as PNG, the parts of a room's card, and the card of the site itself.

python -m tools.pictures

Chromium renders them from static/ as it is, so that a card looks like the board. The results are kept in the project;
run this again when the board, the wordmark or an icon has changed.
"""

import json
from collections.abc import Iterator
from io import BytesIO

from PIL import Image
from playwright.sync_api import Page, Route, sync_playwright

from games import card
from tests.processes import CHROMIUM_OPTIONS, PROJECT, chromium_path

STATIC = PROJECT / "static"
IMAGES = STATIC / "img"
SITE = "http://pictures.test/"

ICONS = (("icon", 192), ("icon", 512), ("icon-maskable", 180), ("icon-maskable", 512))
FAVICON = (16, 32, 48)

SHOWN = (3, 0, 2, 7, 1, 5, 9, 1, 6, 0, 3, 4, 2, 5)
"""The stones on the card of the site: the middle of some game."""

SHEETS = ("layers", "reset", "tokens", "base", "button", "board")
LOOKS = """
  html { background: none }
  .table { position: relative; width: 1200px; height: 630px;
    background: var(--table) }
  .table > svg { position: absolute; top: 34px; left: 462px; width: 276px; height: 60px; color: var(--brand) }
  .table > .board-fit { position: absolute; inset: 112px 32px auto; height: 481px }
  .parts { position: relative; width: 340px; height: 460px }
  .part { position: absolute; display: grid; place-items: center }
  .part > .stone { top: 50%; left: 50% }
  .part > .pit { display: contents }
  .part > b { color: #fff; font-weight: 750; line-height: 1; font-family: var(--font-round) }
"""

STONE, PLATE, DIGIT = (56, 56), (84, 52), (32, 36)
"""Room for each part, in pixels, with its shadow."""


def main() -> None:
    """Draw everything anew."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_OPTIONS)
        page = browser.new_page(viewport={"width": card.SIZE[0], "height": card.SIZE[1]})
        page.route(f"{SITE}**", _serve)
        _draw_icons(page)
        _draw_parts(page)
        browser.close()
    (IMAGES / "card.jpg").write_bytes(card.draw(SHOWN))


# Icons --------------------------------------------------------------------------------------------


def _draw_icons(page: Page) -> None:
    for name, size in ICONS:
        _draw_svg(page, name, size).save(IMAGES / f"{name}-{size}.png", optimize=True)
    small, middle, large = (_draw_svg(page, "favicon", size) for size in FAVICON)
    large.save(IMAGES / "favicon.ico", sizes=[(size, size) for size in FAVICON], append_images=[small, middle])


def _draw_svg(page: Page, name: str, size: int) -> Image.Image:
    _show(page, f'<img src="/img/{name}.svg" width="{size}" height="{size}">')
    return _shoot(page, "img")


# Parts of a card ----------------------------------------------------------------------------------


def _draw_parts(page: Page) -> None:
    boards = {}
    for pits in range(1, 10):
        _show(page, f'<div class="table">{_svg("logo", "wordmark")}<div class="board-fit">{_board(pits)}</div></div>')
        _shoot(page, ".table").convert("RGB").save(card.PARTS / f"board-{pits}.webp", quality=84, method=6)
        boards[pits] = page.evaluate(
            """() => [...document.querySelectorAll('[data-hole]')].sort((a, b) => a.dataset.hole - b.dataset.hole)
                .map((hole) => ['.pit__hollow, .store__hollow', '.count'].map((part) => {
                    const { x, y, width, height } = hole.querySelector(part).getBoundingClientRect();
                    return [x + width / 2, y + height / 2, width, height].map((n) => Math.round(n * 10) / 10);
                }))"""
        )
    _show(page, f'<div class="parts">{"".join(_parts(boards[6][0][0][2]))}</div>')
    _shoot(page, ".parts").save(card.PARTS / "parts.png", optimize=True)
    boxes = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.part')].map(
            ({ id, offsetLeft: x, offsetTop: y, offsetWidth: w, offsetHeight: h }) => [id, [x, y, x + w, y + h]]
        ))"""
    )
    (card.PARTS / "parts.json").write_text(json.dumps({"parts": boxes, "boards": boards}) + "\n")


def _board(pits: int) -> str:
    """A board without stones and numbers. The far pits are numbered from the right."""
    near, far = range(pits), reversed(range(pits + 1, 2 * pits + 1))
    return f"""
        <div class="board" data-pits="{pits}"><div class="board__wood"></div>
        <div class="rank" data-place="far">{"".join(map(_pit, far))}</div>
        <div class="rank" data-place="near">{"".join(map(_pit, near))}</div>
        {_store(2 * pits + 1, "far", "moon")}{_store(pits, "near", "sun")}</div>"""


def _pit(hole: int) -> str:
    # Its plate, which says whether stones lie in it, is a part of its own.
    return f"""
        <div class="pit" data-hole="{hole}" data-count="0"><span class="pit__hollow"></span>
        <span class="pit__tag"><span class="count" style="visibility: hidden"></span></span></div>"""


def _store(hole: int, place: str, mark: str) -> str:
    return f"""
        <div class="store" data-hole="{hole}" data-place="{place}">
        <span class="store__mark">{_svg("icons", mark)}</span><span class="store__hollow"></span>
        <span class="count count--store"></span></div>"""


def _parts(d: float) -> Iterator[str]:
    """Stones of every hue and shape, plates, and digits in two sizes, each in a box of its own."""
    for row, hue in enumerate(card.HUES):
        for shape in range(card.SHAPES):
            stone = f'<i class="stone" data-hue="{hue}" data-shape="{shape}" style="--d: {d}px"></i>'
            yield _part(f"{hue}-{shape}", STONE, shape, row * STONE[1], stone)
    top = len(card.HUES) * STONE[1]
    for column, (kind, count) in enumerate((("full", 4), ("empty", 0))):
        plate = f'<span class="pit" data-count="{count}" style="--d: {d}px"><span class="count"></span></span>'
        yield _part(f"plate-{kind}", PLATE, column, top, plate)
    for row, (kind, share) in enumerate((("pit", 0.2), ("store", 0.25))):
        for digit in range(10):
            left, down = digit * DIGIT[0], top + PLATE[1] + row * DIGIT[1]
            style = f"left: {left}px; top: {down}px; height: {DIGIT[1]}px; font-size: {share * d}px"  # as wide as it is
            yield f'<div class="part" id="{kind}-{digit}" style="{style}"><b>{digit}</b></div>'


def _part(name: str, size: tuple[int, int], column: int, top: int, content: str) -> str:
    width, height = size
    place = f"left: {column * width}px; top: {top}px; width: {width}px; height: {height}px"
    return f'<div class="part" id="{name}" style="{place}">{content}</div>'


def _svg(file: str, symbol: str) -> str:
    return f'<svg class="icon"><use href="/img/{file}.svg#{symbol}"/></svg>'


# The browser --------------------------------------------------------------------------------------


def _serve(route: Route) -> None:
    path = route.request.url.removeprefix(SITE)
    if path:
        route.fulfill(path=STATIC / path)
    else:
        route.fulfill(body="", content_type="text/html")


def _show(page: Page, content: str) -> None:
    page.goto(SITE)
    sheets = "".join(f'<link rel="stylesheet" href="/css/{name}.css">' for name in SHEETS)
    page.set_content(f"<!doctype html>{sheets}<style>{LOOKS}</style>{content}", wait_until="networkidle")


def _shoot(page: Page, selector: str) -> Image.Image:
    return Image.open(BytesIO(page.locator(selector).screenshot(omit_background=True)))


if __name__ == "__main__":
    main()
