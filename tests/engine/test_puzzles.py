"""Every puzzle by the engine: exactly one pit wins at every step, and what is said of the others holds."""

import pytest

from games.puzzles import PUZZLES, RULESET, Wrong
from games.rules.position import Position, Side
from games.rules.ruleset import by_key
from games.rules.sowing import Kind
from games.rules.transcript import hole, letter

CLASSIC = by_key(RULESET)


def each():
    return pytest.mark.parametrize("puzzle", PUZZLES, ids=[puzzle.name for puzzle in PUZZLES])


def steps(puzzle):
    """The sowings of its solution."""
    position = Position.parse(puzzle.position)
    for pit in puzzle.solution:
        sowing = CLASSIC.sow(position, hole(pit))
        yield sowing
        position = sowing.after


def captured(puzzle):
    return sum(move.stones for sowing in steps(puzzle) for move in sowing.transfers if move.kind is Kind.CAPTURE)


def values(engine, position):
    findings = engine.solve(CLASSIC, position)
    assert findings.is_exact
    return {letter(pit.pit): pit.low for pit in findings.pits}


@each()
def test_at_every_step_one_pit_wins_and_all_others_are_told_with_their_worth(engine, puzzle):
    for sowing, pit, wrong in zip(steps(puzzle), puzzle.solution, puzzle.wrong, strict=True):
        others = {other: value for other, value, _ in map(Wrong.parse, wrong.split(", "))}
        assert others, "there is something to choose"
        assert max(others.values()) <= 0 < puzzle.value
        assert values(engine, sowing.before) == {pit: puzzle.value, **others}


@each()
def test_the_turn_is_south_s_until_the_last_step(puzzle):
    *turns, last = [sowing.after.turn for sowing in steps(puzzle)]
    assert (set(turns) | {Side.SOUTH}, last) == ({Side.SOUTH}, Side.NORTH)


@each()
def test_moon_answers_a_wrong_pit_as_well_as_can_be_until_the_turn_is_south_s(engine, puzzle):
    for sowing, wrong in zip(steps(puzzle), puzzle.wrong, strict=True):
        for pit, value, answer in map(Wrong.parse, wrong.split(", ")):
            position = CLASSIC.sow(sowing.before, hole(pit)).after
            for reply in answer:
                assert position.turn is Side.NORTH
                assert values(engine, position)[reply] == -value
                position = CLASSIC.sow(position, hole(reply)).after
            assert position.turn is Side.SOUTH or CLASSIC.outcome(position)


def test_they_are_ten_of_three_kinds():
    chains = {puzzle.name for puzzle in PUZZLES if len(puzzle.solution) > 1}
    captures = {puzzle.name for puzzle in PUZZLES if captured(puzzle) > 1}
    counting = {
        puzzle.name for puzzle in PUZZLES if Position.parse(puzzle.position).in_play <= 12 and len(puzzle.solution) == 1
    }
    assert (len(PUZZLES), len({puzzle.name for puzzle in PUZZLES})) == (10, 10)
    assert chains == {"one-more", "three", "stairs", "long"}
    assert captures == {"one-more", "across", "small", "count", "around", "stairs", "long"}
    assert counting == {"across", "count", "danger", "quiet"}


@each()
def test_all_48_stones_are_there(puzzle):
    assert sum(puzzle.stones) == 48
