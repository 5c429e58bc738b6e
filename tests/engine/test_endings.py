"""The values of endings: found once, kept on disk, held in bounds."""

import os
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest

from games.engine import board as boards, endings
from games.engine.compiled import PLAIN
from games.engine.endings import Endings
from games.engine.engine import Engine
from games.engine.kernel import rank
from games.rules.position import Position
from games.rules.ruleset import by_key
from tests.patience import PATIENCE_S

CLASSIC = by_key("classic-2x3")


@pytest.fixture
def board():
    return boards.of(CLASSIC, CLASSIC.start(), endings=300)


def wait_until_nobody_looks():
    for thread in threading.enumerate():
        if thread.name == "endings":
            thread.join()


def test_an_ending_is_worth_what_its_stones_bring(board, tmp_path):
    found = Endings(PLAIN, tmp_path).found(board)
    # One stone before the mover's store, one before the other's: 1 for each, the mover takes nothing else.
    me, you = board.rows(Position.parse("0,1,0/0,1,0 S"))
    assert found[rank(me, you, board.numbers)] == 0
    assert found[0] == 0


def test_they_are_kept_on_disk_and_read_from_there(board, tmp_path, monkeypatch):
    first = bytes(Endings(PLAIN, tmp_path).found(board))
    monkeypatch.setattr(Endings, "_find", lambda self, board: pytest.fail("found twice"))
    assert bytes(Endings(PLAIN, tmp_path).found(board)) == first


@pytest.mark.parametrize("damage", [lambda held: held[:-7], lambda held: b"\x05" + held[1:], lambda held: b""])
def test_a_damaged_file_is_made_anew(board, tmp_path, damage):
    first = bytes(Endings(PLAIN, tmp_path).found(board))
    (path,) = (tmp_path / "endings").iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert bytes(Endings(PLAIN, tmp_path).found(board)) == first
    assert path.read_bytes() == whole


def test_a_file_is_looked_through_once(board, tmp_path, monkeypatch):
    held = Endings(PLAIN, tmp_path)
    first = bytes(held.found(board))
    held._known.clear()  # as when others took its place
    monkeypatch.setattr(endings, "crc32", lambda view: pytest.fail("once more"))
    assert bytes(held.found(board)) == first


def test_those_that_stand_in_others_as_well_are_let_go(board, tmp_path):
    held, some = Endings(PLAIN, tmp_path), boards.of(CLASSIC, CLASSIC.start(), endings=20)
    other = boards.of(by_key("avalanche-2x3"), CLASSIC.start(), endings=20)
    for each in (some, other, board):
        held.found(each)
    assert held.held(some) is None
    assert held.held(other) is not None
    assert held.held(board) is not None


def test_where_nothing_can_be_written_they_are_found_all_the_same(board, tmp_path):
    (tmp_path / "file").touch()
    assert len(Endings(PLAIN, tmp_path / "file").found(board)) == board.endings


def test_a_disk_that_is_nearly_full_is_left_to_others(board, tmp_path, monkeypatch):
    held = Endings(PLAIN, tmp_path)
    monkeypatch.setattr(
        endings, "disk_usage", lambda path: SimpleNamespace(free=endings._SPARE_BYTES + board.endings - 1)
    )
    assert len(held.found(board)) == board.endings
    assert list((tmp_path / "endings").iterdir()) == []


def test_what_was_written_by_halves_is_removed_in_time(board, tmp_path, monkeypatch):
    held = Endings(PLAIN, tmp_path)
    half = held._path(board).with_suffix(".4711")
    half.parent.mkdir()
    half.write_bytes(b"half")
    held.found(board)
    assert half.exists()  # somebody may be at it
    os.utime(half, (0, 0))
    held._known.clear()
    held._path(board).unlink()
    held.found(board)
    assert not half.exists()


def test_only_so_much_is_held(tmp_path, monkeypatch):
    # Positions with at most 8, 3 and 2 stones in 2, 4 and 6 pits: 45, 35 and 28.
    monkeypatch.setattr(endings, "_MOST_BYTES", 35 + 28)
    held = Endings(PLAIN, tmp_path)
    for pits in (1, 2, 3):
        ruleset = by_key(f"classic-{pits}x1")
        held.found(boards.of(ruleset, ruleset.start(), endings=50))
    assert [board.width for board in held._known] == [2, 3]


def test_whoever_asks_first_is_not_kept_waiting(board, tmp_path):
    held = Endings(PLAIN, tmp_path)
    assert held.held(board) is None
    held.want([board])
    wait_until_nobody_looks()
    assert held.held(board) is not None


def test_when_an_engine_becomes_quick_nobody_looks_on_for_what_the_plain_one_wanted(board, tmp_path):
    engine = Engine(tmp_path)
    plain = engine._tools.endings
    fill, begun, go_on = PLAIN.fill, threading.Event(), threading.Event()

    def wait_and_fill(*args):
        begun.set()
        assert go_on.wait(PATIENCE_S)
        fill(*args)

    plain._kernel = replace(PLAIN, fill=wait_and_fill)
    more = boards.of(by_key("avalanche-2x3"), CLASSIC.start(), endings=300)
    plain.want([board, more])
    assert begun.wait(PATIENCE_S)
    engine.use(PLAIN)
    go_on.set()
    wait_until_nobody_looks()
    assert plain.held(board) is not None  # it was all but done
    assert plain.held(more) is None


@pytest.mark.parametrize(("kernel", "expected"), [(replace(PLAIN, name="another"), [1]), (PLAIN, [])])
def test_who_looks_for_them_goes_behind_others_unless_they_would_wait(board, tmp_path, monkeypatch, kernel, expected):
    steps = []
    monkeypatch.setattr(endings, "step_back", lambda: steps.append(1))
    held = Endings(kernel, tmp_path)
    held.want([board])
    wait_until_nobody_looks()
    assert steps == expected


def test_a_few_are_at_hand_before_the_rest(tmp_path, monkeypatch):
    monkeypatch.setattr("games.engine.engine._SOME", 50)
    engine, start = Engine(tmp_path, most_endings=300), CLASSIC.start()
    few, many = engine._boards(PLAIN, CLASSIC, start)
    assert (few.endings, many.endings) == (35, 210)  # with at most 3 and 6 stones in 4 pits
    engine.prepare(CLASSIC, wholly=False)
    held = engine._tools.endings
    assert (held.held(few) is None, held.held(many) is None) == (False, True)
    assert engine.solve(CLASSIC, start).is_exact
    wait_until_nobody_looks()
    assert held.held(many) is not None
    engine.prepare(CLASSIC, wholly=False)
    assert held.held(few) is None  # not once more, with more at hand


def test_a_search_with_endings_says_what_one_without_says(engine, plain):
    position = Position.parse("1,0,2,0,1,0,20/0,1,2,0,1,0,20 S")
    quick, slow = (each.solve(by_key("classic-6x4"), position) for each in (engine, plain))
    assert [(pit.pit, pit.low, pit.high) for pit in quick.pits] == [(pit.pit, pit.low, pit.high) for pit in slow.pits]
    assert quick.nodes < slow.nodes
