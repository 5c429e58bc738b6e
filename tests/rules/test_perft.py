"""The whole tree of plies from the start of every golden board, counted.

The tables in tests/golden/ go deeper than a quick run has time for: a depth is counted if it has at most PERFT_NODES
nodes.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from games.rules.position import Position
from games.rules.ruleset import Ruleset, by_key
from games.rules.sowing import Kind, Sowing
from games.rules.transcript import letter
from tests.rules.naive import NaiveGame

NODES = int(os.environ.get("PERFT_NODES", "20000"))
TABLES = [
    table
    for path in sorted(Path(__file__).parents[1].joinpath("golden").glob("perft-*.json"))
    for table in json.loads(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("table", [pytest.param(table, id=table["ruleset"]) for table in TABLES])
@pytest.mark.timeout(0)
def test_the_tree_has_as_many_plies_of_every_kind_as_the_golden_table(table):
    ruleset = by_key(table["ruleset"])
    rows = list(takewhile(lambda row: row["nodes"] <= NODES, table["perft"]))
    counts = [Counter(depth=row["depth"]) for row in rows]
    count(ruleset, ruleset.start(), counts)
    for row, counted in zip(rows, counts, strict=True):
        assert {column: counted[column] for column in row} == row, divide(ruleset, row["depth"])


def count(ruleset: Ruleset, position: Position, counts: list[Counter[str]]) -> None:
    """Count every ply from `position` on, one Counter a depth."""
    here, *below = counts
    for pit in ruleset.legal_pits(position):
        sowing = ruleset.sow(position, pit)
        here.update(columns(ruleset, sowing))
        if below:
            count(ruleset, sowing.after, below)


def columns(ruleset: Ruleset, sowing: Sowing) -> Iterator[str]:
    """The columns of the table in which this ply counts."""
    yield "nodes"
    if ruleset.outcome(sowing.after):
        yield "game_over"
    if sowing.extra_turn:
        yield "extra_turn"
    if sowing.captured:
        yield "capture"
        if sowing.captured == 1:
            yield "empty_capture"
        if sowing.last == sowing.pit:
            yield "origin_capture"
    first, *more = laps(sowing)
    if more:
        yield "relay"
    if max(first, *more, 0) >= 2 * ruleset.pits + (2 if ruleset.key.startswith("both-stores") else 1):
        yield "full_lap"


def laps(sowing: Sowing) -> Iterator[int]:
    """How many stones each lap had: as many as lay in its pit when it was picked up."""
    stones = list(sowing.before.stones)
    sown = [transfer for transfer in sowing.transfers if transfer.kind is Kind.SOW]
    while sown:
        pit = sown[0].source
        size, stones[pit] = stones[pit], 0
        for transfer in sown[:size]:
            stones[transfer.target] += 1
        del sown[:size]
        yield size


def divide(ruleset: Ruleset, depth: int) -> str:
    """The nodes below each first ply, by the rules and by the naive ones: the place to look when a number is wrong."""
    lines = [f"{ruleset.key} to depth {depth}: pit, nodes, nodes by the naive rules"]
    for pit in ruleset.legal_pits(ruleset.start()):
        game = NaiveGame(ruleset.key.rpartition("-")[0], ruleset.pits, ruleset.stones)
        game.play(pit)
        after = ruleset.sow(ruleset.start(), pit).after
        lines.append(f"{letter(pit)} {nodes(ruleset, after, depth - 1)} {naive_nodes(game, depth - 1)}")
    return "\n".join(lines)


def nodes(ruleset: Ruleset, position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(nodes(ruleset, ruleset.sow(position, pit).after, depth - 1) for pit in ruleset.legal_pits(position))


def naive_nodes(game: NaiveGame, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for number in game.choices():
        branch = game.copy()
        branch.play(number)
        total += naive_nodes(branch, depth - 1)
    return total
