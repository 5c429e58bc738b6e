"""Sides, the addresses of holes, and the text form of a position."""

import pytest

from games.rules.position import InvalidText, Position, Side

START = Position((4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0), Side.SOUTH)


def test_each_side_is_the_others_opponent():
    assert Side.SOUTH.opponent is Side.NORTH
    assert Side.NORTH.opponent is Side.SOUTH
    assert [side.value for side in Side] == ["S", "N"]


def test_holes_are_counted_from_souths_left_all_the_way_round():
    assert START.width == 6
    assert list(START.pits(Side.SOUTH)) == [0, 1, 2, 3, 4, 5]
    assert START.store(Side.SOUTH) == 6
    assert list(START.pits(Side.NORTH)) == [7, 8, 9, 10, 11, 12]
    assert START.store(Side.NORTH) == 13


def test_opposite_pits_face_each_other():
    assert [START.opposite(pit) for pit in START.pits(Side.SOUTH)] == [12, 11, 10, 9, 8, 7]
    assert [START.opposite(pit) for pit in START.pits(Side.NORTH)] == [5, 4, 3, 2, 1, 0]


def test_the_largest_board_has_twenty_holes():
    position = Position((0,) * 20, Side.NORTH)
    assert position.width == 9
    assert (list(position.pits(Side.NORTH)), position.store(Side.NORTH)) == (list(range(10, 19)), 19)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 S", START),
        ("0,13/1,148 N", Position((0, 13, 1, 148), Side.NORTH)),
    ],
)
def test_a_position_is_written_and_read_as_text(text, position):
    assert str(position) == text
    assert Position.parse(text) == position


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("4,4,0/4,4,0", id="no side"),
        pytest.param("4,4,0/4,4,0 s", id="a small letter"),
        pytest.param("4,4,0/4,4,0  S", id="two blanks"),
        pytest.param("4,4,0/4,4,0 S\n", id="a line break at the end"),
        pytest.param("4,4,0/4,0 S", id="rows of different length"),
        pytest.param("0/0 S", id="no pits"),
        pytest.param(",".join("1" * 11) + "/" + ",".join("1" * 11) + " S", id="ten pits"),
        pytest.param("4,-4,0/4,4,0 S", id="a negative count"),
        pytest.param("4,04,0/4,4,0 S", id="a leading zero"),
        pytest.param("4,1000,0/4,4,0 S", id="more stones than there are"),
        pytest.param("4,\u0664,0/4,4,0 S", id="a digit of another script"),
        pytest.param("4, 4,0/4,4,0 S", id="a blank in a row"),
        pytest.param("4,,0/4,4,0 S", id="a missing count"),
    ],
)
def test_a_text_that_is_not_exactly_a_position_is_refused(text):
    with pytest.raises(InvalidText):
        Position.parse(text)
