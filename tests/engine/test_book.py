"""The opening book: it stands in the place of a search, and says what one would say."""

import doctest
import json
import random

import pytest

from games.engine import board as boards, book
from games.engine.engine import Budget
from games.engine.kernel import FOREVER
from games.rules.position import Position, Side
from games.rules.ruleset import by_key
from tests.engine.samples import start
from tools.opening_book import met

BOOK = json.loads(book.PATH.read_text())


@pytest.mark.parametrize("name", BOOK)
def test_the_start_is_worth_what_was_computed_elsewhere_and_takes_no_search(plain, name):
    ruleset, position, value, pits, _ = start(name)
    (findings,) = plain.study(ruleset, position)
    assert {pit.pit: pit.low for pit in findings.pits} == pits
    assert (findings.low, findings.high, findings.depth, findings.nodes) == (value, value, FOREVER, 0)


@pytest.mark.parametrize("name", BOOK)
def test_what_the_book_says_of_a_position_agrees_with_what_it_says_of_those_it_leads_to(plain, name):
    """A pit is worth what the position after it is, and a position that is not in the book what its best pit is."""
    ruleset, compared = by_key(f"{name}-6x4"), 0

    def south(position: Position, depth: int) -> int | None:
        """What the book says of a position, or of all that it leads to; None if it says nothing."""
        if book.line(position) in BOOK[name]:
            value = plain.solve(ruleset, position).low
            return value if position.turn is Side.SOUTH else -value
        if depth == 0:
            return None
        after = [south(ruleset.sow(position, pit).after, depth - 1) for pit in ruleset.legal_pits(position)]
        best = max if position.turn is Side.SOUTH else min
        return None if None in after or not after else best(after)

    for line in BOOK[name]:
        position = placed(line)
        for pit in plain.solve(ruleset, position).pits:
            value = south(ruleset.sow(position, pit.pit).after, 3)
            assert value in (None, pit.low), (line, pit)
            compared += value is not None
    assert compared >= min(len(BOOK[name]) - 1, 200)  # what is met later leads out of the book


@pytest.mark.parametrize("name", BOOK)
def test_the_book_knows_a_position_from_either_side_whatever_lies_in_the_stores(plain, name):
    ruleset = by_key(f"{name}-6x4")
    south = Position.parse("4,4,4,4,4,4,7/4,4,4,4,4,4,2 S")
    north = Position.parse("4,4,4,4,4,4,2/4,4,4,4,4,4,7 N")
    assert plain.solve(ruleset, south).low == plain.solve(ruleset, north).low == start(name).value + 5


@pytest.mark.parametrize("name", BOOK)
def test_who_looks_a_few_sowings_ahead_does_not_know_the_book(plain, name):
    ruleset = by_key(f"{name}-6x4")
    assert not plain.solve(ruleset, ruleset.start(), Budget(depth=2)).is_exact


def test_the_book_says_nothing_of_a_game_that_a_majority_ends(plain):
    ruleset = by_key("classic-6x4+majority")
    assert book.values(boards.of(ruleset, ruleset.start(), endings=0), ruleset.start()) is None


@pytest.mark.parametrize("side", Side)
def test_whoever_sows_only_what_is_best_meets_nothing_else(plain, side):
    ruleset, part = by_key("classic-3x3"), {}
    for position in met(ruleset, part, side, stones=9):
        assert position.turn is side
        assert book.line(position) not in part
        part[book.line(position)] = [pit.low for pit in plain.solve(ruleset, position).pits]
    chance, asked = random.Random(1), set()
    for _ in range(300):
        position = ruleset.start()
        while position.in_play > 9:
            pits = ruleset.legal_pits(position)
            if position.turn is side:
                line = book.line(position)
                asked.add(line)
                pits = [pit for pit, value in zip(pits, part[line], strict=True) if value == max(part[line])]
            position = ruleset.sow(position, chance.choice(pits)).after
    assert len(asked) > len(part) / 2


def placed(line: str) -> Position:
    """The position of a line of the book, the mover South."""
    me, you = (row.split() for row in line.split("/"))
    return Position((*map(int, me), 0, *map(int, you), 0), Side.SOUTH)


def test_the_example_of_a_line_is_true():
    assert doctest.testmod(book) == (0, 1)
