"""Every game of tests/golden/, ply for ply."""

import json
from pathlib import Path

import pytest

from games.rules.position import Side
from games.rules.ruleset import by_key
from games.rules.sowing import Kind, Sowing
from games.rules.transcript import hole, replay

FILES = sorted(Path(__file__).parents[1].joinpath("golden").glob("games-*.jsonl"))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_every_golden_game_replays_ply_for_ply_to_its_score(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 100
    for line in lines:
        game = json.loads(line)
        ruleset = by_key(game["ruleset"])
        sowings = list(replay(ruleset, game["transcript"]))
        for symbol, sowing, ply in zip(game["transcript"], sowings, game["plies"], strict=True):
            over = ruleset.outcome(sowing.after) is not None
            assert hole(symbol) == ply["pit"]
            assert told(sowing, over=over) == {"extra_turn": False, "captured": 0, "swept": [0, 0]} | ply, game
        outcome = ruleset.outcome(sowings[-1].after)
        assert list(outcome.score) == game["score"]
        assert outcome.winner == (Side(game["winner"]) if game["winner"] else None)
        assert ruleset.legal_pits(sowings[-1].after) == ()


def told(sowing: Sowing, *, over: bool) -> dict[str, object]:
    """A ply in the words of the golden files."""
    return {
        "pit": sowing.pit,
        "side": sowing.side.value,
        "stones": list(sowing.after.stones),
        "turn": None if over else sowing.after.turn.value,
        "extra_turn": sowing.extra_turn,
        "captured": sowing.captured,
        "swept": [swept(sowing, side) for side in Side],
    }


def swept(sowing: Sowing, side: Side) -> int:
    store = sowing.after.store(side)
    return sum(move.stones for move in sowing.transfers if move.kind is Kind.SWEEP and move.target == store)
