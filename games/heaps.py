"""Where the stones of a heap lie on a picture. Pure geometry; the live board has its own (pebbles.js).

Lengths are in diameters of a pit; a place is counted from the middle of its hollow.
"""

import math

STONE = 0.108
"""Radius of a stone."""

_LIP = 0.095
"""How far stones stay clear of the edge of a hollow."""

_SMALLEST = 0.6
"""Stones shrink where many lie together, but not below this."""

_PAIRS = 40_000
"""How often two stones may be compared to settle a heap: some milliseconds, however many there are."""

_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def scale(width: float, height: float, count: int) -> float:
    """How large `count` stones are drawn in a hollow: 1 while there is room."""
    reach, half = _capsule(width, height)
    area = math.pi * reach**2 + 4 * half * reach
    return max(_SMALLEST, min(1.0, math.sqrt(0.7 * area / (math.pi * STONE**2) / max(1, count))))


def heap(width: float, height: float, count: int) -> tuple[tuple[float, float], ...]:
    """The places of `count` stones in a hollow, which is a circle, or a capsule that stands upright.

    They begin as the seeds of a sunflower and are nudged apart, and towards the middle.
    """
    radius = STONE * scale(width, height, count)
    gap = 2.2 * radius
    reach, half = _capsule(width, height)
    reach -= radius
    stones = _sunflower(count, gap, reach, half)
    steps = min(60, _PAIRS // max(1, count * count // 2))
    for step in range(steps):
        pull = 0.03 * (1 - step / steps) ** 2
        stones = [(x * (1 - pull), y * (1 - pull)) for x, y in stones]
        _push_apart(stones, gap)
        stones = [_inside(x, y, reach, half) for x, y in stones]
    return tuple(stones)


def _capsule(width: float, height: float) -> tuple[float, float]:
    """How far the edge of a heap may be from the spine of its hollow, and half the length of that spine."""
    return width / 2 - _LIP, (height - width) / 2


def _sunflower(count: int, gap: float, reach: float, half: float) -> list[tuple[float, float]]:
    """Seeds at about this distance from each other, as round a heap as the hollow lets it be."""
    out = max(0.55 * gap * math.sqrt(count), 1e-6)
    across = min(1.0, reach / out)
    along = min(1 / across, (reach + half) / out)
    angles = [k * _GOLDEN_ANGLE for k in range(count)]
    radii = [0.55 * gap * math.sqrt(k + 0.5) for k in range(count)]
    return [
        _inside(math.cos(angle) * radius * across, math.sin(angle) * radius * along, reach, half)
        for angle, radius in zip(angles, radii, strict=True)
    ]


def _push_apart(stones: list[tuple[float, float]], gap: float) -> None:
    for i in range(1, len(stones)):
        for j in range(i):
            (x, y), (u, v) = stones[i], stones[j]
            far = math.hypot(x - u, y - v) or 1e-6
            if far < gap:
                push = (gap / far - 1) * 0.42
                dx, dy = (x - u) * push, (y - v) * push
                stones[i], stones[j] = (x + dx, y + dy), (u - dx, v - dy)


def _inside(x: float, y: float, reach: float, half: float) -> tuple[float, float]:
    """The nearest place whose stone does not stick out."""
    middle = max(-half, min(half, y))
    far = math.hypot(x, y - middle)
    return (x, y) if far <= reach else (x / far * reach, middle + (y - middle) / far * reach)
