"""The pie rule: after South's first turn North may take South's side, which the transcript holds as North's store."""

import pytest

from games.rules.ruleset import by_key
from games.rules.sowing import IllegalSowing
from games.rules.transcript import may_swap, parse, position, record, replay, swap_letter

PIE = by_key("classic-6x4+pie")


def test_swapping_moves_no_stone_and_leaves_the_turn():
    # c ends in South's store, a does not: the turn is over. North swaps, so h is sown by who began.
    *_, swap, sown = replay(PIE, "canh")
    assert (swap.pit, swap.transfers, swap.is_swap) == (13, (), True)
    assert str(swap.before) == str(swap.after) == "0,5,1,6,6,5,1/4,4,4,4,4,4,0 N"
    assert (swap.side.value, swap.extra_turn, swap.captured) == ("N", False, 0)
    assert (sown.side.value, sown.is_swap) == ("N", False)
    assert str(sown.after) == "0,5,1,6,6,5,1/0,5,5,5,5,4,0 S"


@pytest.mark.parametrize(
    ("key", "plies", "may"),
    [
        ("classic-6x4+pie", "", False),  # South has not sown
        ("classic-6x4+pie", "c", False),  # South has an extra turn
        ("classic-6x4+pie", "ca", True),
        ("classic-6x4+majority+pie", "d", True),
        ("classic-6x4+pie", "dn", False),  # it was done
        ("classic-6x4+pie", "dj", False),  # North has sown, and has an extra turn
        ("classic-6x4+pie", "dha", False),
        ("classic-6x4", "ca", False),  # without the rule
        ("classic-1x1+pie", "a", False),  # the game is over
        ("no-empty-capture-3x3+pie", "b", True),
    ],
)
def test_when_north_may_swap(key, plies, may):
    ruleset = by_key(key)
    assert may_swap(ruleset, plies, position(ruleset, plies)) is may


@pytest.mark.parametrize(
    ("key", "plies"), [("classic-6x4", "dn"), ("classic-6x4+pie", "dnn"), ("classic-6x4+pie", "n")]
)
def test_a_swap_at_any_other_time_is_refused_by_its_number(key, plies):
    with pytest.raises(IllegalSowing, match=f"ply {len(plies) - 1}, 'n'"):
        list(replay(by_key(key), plies))


@pytest.mark.parametrize(
    ("key", "letter"), [("classic-6x4+pie", "n"), ("classic-3x3+pie", "h"), ("classic-9x1+pie", "t")]
)
def test_the_letter_is_that_of_norths_store(key, letter):
    assert swap_letter(by_key(key)) == letter


def test_a_record_tells_of_the_swap_and_is_read_back():
    text = record(PIE, "canh", south="Ben", north="Ann")
    assert "Plies:\n1. ca nh\n" in text
    assert "\nPly 2: the players swap sides, and sit from now on as named above\n\n       m   l" in text
    assert parse(text) == "canh"
