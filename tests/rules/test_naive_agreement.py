"""The rules against the naive ones: 10,000 random games of all sizes and rulesets."""

import random
from itertools import product

import pytest

from games.rules.position import Side
from games.rules.ruleset import NAMES, by_key
from games.rules.sowing import Kind, Sowing
from tests.rules.naive import NaiveGame

GAMES_PER_NAME = 2_500
BOARDS = list(product(range(1, 10), range(1, 10), (False, True)))


@pytest.mark.parametrize("name", NAMES)
def test_random_games_of_all_sizes_go_as_the_naive_rules_say(name):
    rng = random.Random(name)
    for number in range(GAMES_PER_NAME):
        pits, stones, majority = BOARDS[number % len(BOARDS)]
        key = f"{name}-{pits}x{stones}{'+majority' * majority}"
        compare(key, NaiveGame(name, pits, stones, majority=majority), rng)


def compare(key: str, game: NaiveGame, rng: random.Random) -> None:
    """Play one game by both, to its end."""
    ruleset = by_key(key)
    position = ruleset.start()
    transcript = [key]
    while choices := game.choices():
        first = position.pits(position.turn)[0]
        assert ruleset.legal_pits(position) == tuple(first + number for number in choices), transcript
        assert ruleset.outcome(position) is None, transcript
        number = rng.choice(choices)
        transcript.append(first + number)
        sowing = ruleset.sow(position, first + number)
        happened = game.play(number)
        position = sowing.after
        assert (position.stones, position.turn.value) == (game.stones(), game.turn), transcript
        assert told(sowing) == happened, transcript
    outcome = ruleset.outcome(position)
    assert outcome.score == (game.stores["S"], game.stores["N"]), transcript
    assert (outcome.winner and outcome.winner.value) == game.winner(), transcript
    assert ruleset.legal_pits(position) == (), transcript


def told(sowing: Sowing) -> dict[str, object]:
    """A ply in the words of the naive rules."""
    swept = {sowing.after.store(side): 0 for side in Side}
    for move in sowing.transfers:
        if move.kind is Kind.SWEEP:
            swept[move.target] += move.stones
    return {"captured": sowing.captured, "extra_turn": sowing.extra_turn, "swept": list(swept.values())}
