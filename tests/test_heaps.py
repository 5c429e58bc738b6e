"""Where stones lie on a picture."""

import math
from itertools import combinations

import pytest

from games.heaps import STONE, heap, scale

PIT, STORE = (1.0, 1.0), (1.04, 2.46)


@pytest.mark.parametrize("hollow", [PIT, STORE])
@pytest.mark.parametrize("count", [0, 1, 2, 4, 9, 24, 48, 162])
def test_every_stone_lies_inside_its_hollow(hollow, count):
    stones = heap(*hollow, count)
    assert len(stones) == count
    radius = STONE * scale(*hollow, count)
    (width, height), spine = hollow, (hollow[1] - hollow[0]) / 2
    for x, y in stones:
        beside_spine = math.hypot(x, max(0.0, abs(y) - spine))
        assert beside_spine + radius < width / 2
        assert abs(y) + radius < height / 2


@pytest.mark.parametrize(("hollow", "most"), [(PIT, 14), (STORE, 48)])
def test_stones_that_can_be_counted_do_not_cover_each_other(hollow, most):
    for count in range(2, most + 1):
        diameter = 2 * STONE * scale(*hollow, count)
        nearest = min(math.dist(one, other) for one, other in combinations(heap(*hollow, count), 2))
        assert nearest > 0.75 * diameter, count


def test_stones_are_of_full_size_while_there_is_room_and_never_become_dust():
    assert scale(*PIT, 8) == 1
    assert 0.6 < scale(*PIT, 12) < 1
    assert scale(*PIT, 40) == 0.6
