"""The sample game printed in the sheet "Mancala Rules": 31 sowings, with every board as far as it can be read.

A dot is a digit lost on the way from paper to text. Rows are as printed: North's from m to h, South's from a to f.
"""

import pytest

from games.rules.position import Side
from games.rules.ruleset import by_key
from games.rules.sowing import IllegalSowing, Kind, Outcome, Sowing
from games.rules.transcript import hole, replay
from tests.known_games import PRINTED

KEY = "both-stores-6x4"
AGAIN = "goes again"
START = ("4 4 4 4 4 4", ".", "0", "4 4 4 4 4 .")
PRINTED_BOARDS = [  # letter, North's row, North's store, South's store, South's row, remark
    ("c", ". . . . . .", ".", "1", ". . 0 5 5 5", AGAIN),
    ("a", ". 4 4 4 . .", ".", "1", "0 5 1 6 6 5", ""),
    ("j", "5 5 5 0 4 .", "1", "1", "0 5 1 6 6 .", ""),
    ("m", "0 5 5 0 4 .", "2", "1", "1 6 2 7 6 5", ""),
    ("d", ". 5 6 1 5 5", "2", "2", "1 6 2 0 7 6", ""),
    ("i", ". . . . . .", ".", "2", "1 6 2 0 7 6", AGAIN),
    ("m", ". 6 7 2 0 .", "4", "2", ". 6 2 . . .", ""),
    ("h", "0 7 8 3 1 0", "6", "2", ". 6 2 0 7 6", "stores 2"),
    ("c", ". 7 8 3 1 .", "6", "2", ". 6 0 1 8 6", ""),
    ("k", ". 8 0 3 1 0", "7", "2", ". 7 1 2 . 6", ""),
    ("d", "1 8 0 3 1 0", "7", "2", "1 7 1 0 10 .", ""),
    ("m", "0 8 0 3 1 .", ".", "2", "1 7 1 0 10 7", ""),
    ("j", ". . . . . .", "10", "2", ". 7 1 0 10 .", "stores 2"),
    ("b", ". 9 1 0 2 1", "10", "3", "0 0 2 1 11 8", ""),
    ("h", "0 9 1 0 3 .", "10", "3", "0 0 2 1 11 .", ""),
    ("e", "1 0 2 1 4 1", "11", "15", "1 0 2 1 0 9", ""),
    ("m", "0 0 2 1 . .", "12", "15", "1 0 2 1 0 9", ""),
    ("i", "0 1 3 2 0 1", "14", "15", ". . 2 1 0 .", "stores 2"),
    ("d", "0 1 3 2 0 1", "14", "15", "0 0 2 0 1 9", "stores no stones"),
    ("k", "1 2 0 2 0 1", "15", "15", "0 0 2 0 1 9", AGAIN),
    ("m", ". 2 0 2 0 1", "16", "15", "0 0 2 0 1 9", AGAIN),
    ("l", "1 0 0 2 0 1", "17", "15", "0 0 2 0 1 9", AGAIN),
    ("m", "0 0 0 2 0 1", ".", "15", "0 0 2 0 1 9", AGAIN),
    ("j", "0 1 1 0 0 1", "18", "15", ". . 2 0 1 .", ""),
    ("c", "0 1 1 0 0 1", "18", "15", "0 0 0 1 2 .", ""),
    ("h", "0 1 1 0 0 0", "21", "15", ". . . . . .", "stores 3"),
    ("d", "0 1 1 0 0 0", "21", "15", "0 0 0 0 1 9", ""),
    ("k", "0 2 0 0 0 0", "21", "15", "0 0 0 0 1 .", ""),
    ("e", "0 2 0 0 0 0", "21", "15", "0 0 0 0 0 10", ""),
    ("l", "1 0 0 0 0 0", "22", "15", "0 0 0 0 0 10", AGAIN),
    ("m", "0 0 0 0 0 0", "23", ".", "0 0 0 0 . 10", "no more stones on one side"),
]
END = ("0 0 0 0 0 0", "23", "25", "0 0 0 0 0 0")


def test_the_printed_game_begins_as_printed():
    start = by_key(KEY).start()
    assert legible(start.stones, START) == START


@pytest.mark.parametrize("ply", [pytest.param(ply, id=f"{ply}{row[0]}") for ply, row in enumerate(PRINTED_BOARDS)])
def test_the_printed_game_has_the_printed_board_after_ply(ply):
    letter, *printed, remark = PRINTED_BOARDS[ply]
    sowing = list(replay(by_key(KEY), PRINTED))[ply]
    assert sowing.pit == hole(letter)
    assert legible(before_the_sweep(sowing), printed) == tuple(printed)
    if remark == AGAIN:
        assert sowing.extra_turn
    elif remark.startswith("stores"):
        assert sowing.captured == {"2": 2, "3": 3, "no stones": 0}[remark.removeprefix("stores ")]


def test_the_printed_game_is_31_sowings_and_25_to_23():
    sowings = list(replay(by_key(KEY), PRINTED))
    assert len(sowings) == len(PRINTED_BOARDS) == 31
    assert by_key(KEY).outcome(sowings[-1].after) == Outcome(Side.SOUTH, (25, 23))
    assert legible(sowings[-1].after.stones, END) == END


def test_the_last_printed_ply_ends_in_the_own_store_but_there_is_no_more_turn():
    *_, last = replay(by_key(KEY), PRINTED)
    assert last.last == last.after.store(Side.NORTH)
    assert not last.extra_turn


def test_the_ply_that_stores_no_stones_ends_in_an_own_empty_pit_opposite_an_empty_one():
    sowing = list(replay(by_key(KEY), PRINTED))[18]
    assert sowing.last == hole("e")
    assert sowing.before.stones[hole("e")] == sowing.before.stones[hole("i")] == 0
    assert sowing.captured == 0
    assert sowing.after.stones[hole("e")] == 1


@pytest.mark.parametrize("majority", ["", "+majority"])
@pytest.mark.parametrize(
    ("name", "ply", "letter"),
    [
        # Ply 15 skips North's store, ends in c, not b, and captures nothing. So l holds twelve stones, not two, at ply
        # 21, which ends in k, not in North's store: South is to move when m is asked for.
        ("classic", 22, "m"),
        ("no-empty-capture", 22, "m"),
        # Ply 1 went on from e to North's pits, so j holds five stones at ply 2, which passes North's store and ends in
        # c: South is to move when m is asked for.
        ("avalanche", 3, "m"),
    ],
)
def test_under_another_ruleset_the_printed_game_is_refused_at_ply(name, majority, ply, letter):
    replayed = replay(by_key(f"{name}-6x4{majority}"), PRINTED)
    for _ in range(ply):
        sowing = next(replayed)
    assert sowing.after.turn is Side.SOUTH
    with pytest.raises(IllegalSowing, match=f"ply {ply}, '{letter}'"):
        next(replayed)


def test_the_early_endgame_test_would_not_have_shortened_the_printed_game():
    # North never has 25, and South has them only by the sweep.
    sowings = list(replay(by_key(f"{KEY}+majority"), PRINTED))
    assert sowings == list(replay(by_key(KEY), PRINTED))


def before_the_sweep(sowing: Sowing) -> tuple[int, ...]:
    """The board when the last stone has fallen and captured: what the sheet prints."""
    stones = list(sowing.after.stones)
    for move in sowing.transfers:
        if move.kind is Kind.SWEEP:
            stones[move.source] += move.stones
            stones[move.target] -= move.stones
    return tuple(stones)


def legible(stones: tuple[int, ...], printed: tuple[str, ...]) -> tuple[str, ...]:
    """The board in the form of the table, with a dot wherever `printed` has one."""
    rows = (stones[12:6:-1], stones[13:14], stones[6:7], stones[:6])
    return tuple(
        " ".join("." if seen == "." else str(count) for count, seen in zip(row, line.split(), strict=True))
        for row, line in zip(rows, printed, strict=True)
    )
