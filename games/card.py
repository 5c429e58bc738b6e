"""The picture of a board that chat programs show beside a link to its room. Only stones: no names, no words.

Its parts were drawn by Chromium as the site shows them (`python -m tools.pictures`): empty boards, stones, plates and
digits. Here they are only put together.
"""

import json
import math
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from games import heaps
from games.rules.position import Hole

SIZE = (1200, 630)
"""Width and height in pixels, as all who show previews like them."""

PARTS = Path(__file__).with_name("card_parts")
HUES = ("amber", "sea", "cobalt", "rose", "leaf", "milk")
SHAPES = 5

_QUALITY = 90
"""Some 120 KB in 4 ms. The same board as PNG is 500 KB in 170 ms, or grainy."""

_ON_BONE, _ON_WOOD = "#2b1a0a", "#ffeccd"


@dataclass(frozen=True, slots=True)
class _Place:
    """Middle and size of something on a board, in pixels."""

    x: float
    y: float
    width: float
    height: float


def draw(stones: tuple[int, ...]) -> bytes:
    """A JPEG of the board that holds one count per hole, South's row at the bottom."""
    board, places = _empty_board(len(stones) // 2 - 1)
    picture = board.copy()
    pit = places[0][0].width
    for hole, (count, (hollow, plate)) in enumerate(zip(stones, places, strict=True)):
        _drop(picture, hollow, pit, hole, count)
        _number(picture, plate, pit, count, is_store=hollow.height > hollow.width)
    jpeg = BytesIO()
    picture.save(jpeg, "JPEG", quality=_QUALITY)
    return jpeg.getvalue()


def _drop(picture: Image.Image, hollow: _Place, pit: float, hole: Hole, count: int) -> None:
    """Lay stones into a hollow, the upper ones first: each throws its shadow on the next."""
    shape = hollow.width / pit, hollow.height / pit
    heap = heaps.heap(*shape, count)
    turn = math.pi * hole if hollow.height > hollow.width else 1.7 * hole  # no two neighbours are alike
    cos, sin = math.cos(turn), math.sin(turn)
    for y, x, k in sorted((x * sin + y * cos, x * cos - y * sin, k) for k, (x, y) in enumerate(heap)):
        name = f"{HUES[(hole * 2 + k * 5 + k // 3) % len(HUES)]}-{(hole + k) % SHAPES}"
        _paste(picture, _part(name, pit * heaps.scale(*shape, count)), hollow.x + x * pit, hollow.y + y * pit)


def _number(picture: Image.Image, plate: _Place, pit: float, count: int, *, is_store: bool) -> None:
    """Write how many stones there are. The plates of stores are on the empty board already."""
    if not is_store:
        _paste(picture, _part("plate-full" if count else "plate-empty", pit), plate.x, plate.y)
    digits = [_part(f"{'store' if is_store else 'pit'}-{digit}", pit) for digit in str(count)]
    for k, digit in enumerate(digits):
        x = plate.x + (k - (len(digits) - 1) / 2) * digit.width
        _paste(picture, digit, x, plate.y, _ON_BONE if count or is_store else _ON_WOOD)


def _paste(picture: Image.Image, part: Image.Image, x: float, y: float, colour: str = "") -> None:
    """Put a part with its middle at a place; in a colour if it is only a shape."""
    left, top = round(x - part.width / 2), round(y - part.height / 2)
    picture.paste(colour or part, (left, top, left + part.width, top + part.height), part)


@cache
def _empty_board(pits: int) -> tuple[Image.Image, tuple[tuple[_Place, _Place], ...]]:
    """The picture of a board without stones, and where in it the hollow and the number of every hole are."""
    picture = Image.open(PARTS / f"board-{pits}.webp").convert("RGB")
    return picture, tuple((_Place(*hollow), _Place(*plate)) for hollow, plate in _known()["boards"][str(pits)])


@lru_cache(256)
def _part(name: str, pit: float) -> Image.Image:
    """A part by its name, as large as it is beside pits of this diameter."""
    part = _sheet().crop(_known()["parts"][name])
    share = pit / _known()["boards"]["6"][0][0][2]
    return part if share == 1 else part.resize((round(part.width * share), round(part.height * share)))


@cache
def _sheet() -> Image.Image:
    return Image.open(PARTS / "parts.png").convert("RGBA")


@cache
def _known() -> dict[str, Any]:
    known: dict[str, Any] = json.loads((PARTS / "parts.json").read_text())
    return known
