"""The picture of a board."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from games.card import SIZE, draw

START = (4, 4, 4, 4, 4, 4, 0) * 2


def picture(stones):
    return Image.open(BytesIO(draw(stones)))


def changed(before, after):
    """The part of the card that looks different: left, top, right, bottom."""
    difference = ImageChops.difference(picture(before).convert("L"), picture(after).convert("L"))
    return difference.point(lambda light: 255 * (light > 24)).getbbox()


def test_a_card_has_the_size_that_previews_want_and_is_light_enough_for_chat_programs():
    card = picture(START)
    assert (card.size, card.format) == (SIZE, "JPEG")
    assert len(draw(START)) < 200_000


def test_the_same_stones_look_the_same_and_a_board_without_change_has_none():
    assert draw(START) == draw(START)
    assert changed(START, START) is None


def test_south_sits_at_the_bottom_with_its_store_on_the_right():
    left, top, right, bottom = changed(START, (0, *START[1:]))  # pit a
    assert right < SIZE[0] / 3
    assert top > SIZE[1] / 2
    left, top, right, bottom = changed(START, (*START[:7], 9, *START[8:]))  # pit h, opposite f
    assert left > SIZE[0] / 2
    assert bottom < SIZE[1] * 0.55
    left, top, right, bottom = changed(START, (*START[:6], 20, *START[7:]))  # South's store
    assert left > SIZE[0] * 0.8
    left, top, right, bottom = changed(START, (*START[:13], 20))  # North's store
    assert right < SIZE[0] * 0.2


@pytest.mark.parametrize("pits", range(1, 10))
def test_boards_of_every_width_are_drawn_however_many_stones_lie_together(pits):
    total = 2 * 9 * pits
    for stones in ((9,) * pits + (0,), (0,) * pits + (total // 2,), (total // 2, *(0,) * pits)):
        assert picture(stones * 2).size == SIZE
