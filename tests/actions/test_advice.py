"""Hints: which pit and why, and who is given none."""

import pytest

from games import actions, advice, computers
from games.models import Game
from games.protocol import Advice, Refusal, Refused
from games.rules.position import Position, Side
from games.rules.ruleset import NAMES, by_key
from tests.engine.samples import known
from tests.rooms import begin, sow

pytestmark = pytest.mark.usefixtures("plain_engine")


def asked(ruleset, position):
    return advice.Question(game=1, ply=0, ruleset=ruleset, position=position)


# What is told -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_best_pit_is_named_and_by_how_much_it_wins(name):
    few = [sample for sample in known(name) if sample.in_play <= 8][:20]
    assert len(few) == 20
    for ruleset, position, value, pits, _ in few:
        given = advice.answer(asked(ruleset, position))
        assert pits[given.pit] == value
        assert given.wins == (value if value > 0 else None)


def test_stones_that_could_be_captured_are_saved():
    # Moon's e would end in its empty f, opposite the three in b: with its own stone it would capture four. Sown, they
    # are not there any more.
    position = Position.parse("0,3,1,2/1,0,1,4 S")
    after = by_key("classic-3x2").sow(position, 1).after
    assert advice._saved(by_key("classic-3x2"), position, after) == 4


def test_nothing_is_saved_where_as_much_can_be_captured_after():
    # a is not in danger, and what is stays: e still ends in f, opposite the three in b and what came there.
    position = Position.parse("1,3,0,3/1,0,1,3 S")
    after = by_key("classic-3x2").sow(position, 0).after
    assert advice._saved(by_key("classic-3x2"), position, after) == 0


def test_an_extra_turn_that_was_not_there_before_is_prepared():
    # c has two: one too many. Sown, b has two, which end in the store; before, none of a, b and c did.
    ruleset = by_key("classic-3x2")
    before, after = Position.parse("1,1,2,0/2,2,2,2 S"), Position.parse("0,2,2,0/2,2,2,2 N")
    assert ruleset.sow(before, 0).after == after
    assert advice._prepares(ruleset, before, after)
    assert not advice._prepares(ruleset, Position.parse("0,2,2,0/2,2,2,2 S"), after)


def test_a_board_too_large_for_the_engine_is_judged_at_sight():
    # 162 stones in all, and a pit of so many that it might overflow: c ends in the store.
    stones = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 160, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    given = advice.answer(asked(by_key("classic-9x9"), Position(tuple(stones), Side.SOUTH)))
    assert given == Advice(game=1, ply=0, pit=2)


# Who is told --------------------------------------------------------------------------------------


@pytest.fixture
def alone(alice):
    """A room where Alice, who sits South, plays a computer."""
    pip = computers.of_level(1)
    return actions.open_room(alice, ruleset="classic-6x4", side=Side.SOUTH, against=pip).room_id


def refusal(*args, **kwargs):
    with pytest.raises(Refused) as refused:
        advice.question(*args, **kwargs)
    return refused.value.refusal


@pytest.mark.django_db
def test_whoever_plays_a_computer_or_both_sides_is_helped(alice, alone):
    here = actions.open_room(alice, ruleset="avalanche-6x4", side=Side.SOUTH, shared=True).room_id
    sow(here, "a")
    for code, ply, turn in ((alone, 0, "S"), (here, 1, "N")):
        given = advice.question(code, alice.pk, game=1, ply=ply)
        assert (given.ply, given.position.turn.letter) == (ply, turn)


@pytest.mark.django_db
def test_nobody_is_helped_against_a_person_in_that_room_or_beside(alice, bob, alone):
    code = begin(alice, bob)
    assert refusal(code, alice.pk, game=1, ply=0) is Refusal.NO_ADVICE
    assert refusal(alone, alice.pk, game=1, ply=0) is Refusal.NO_ADVICE
    actions.resign(code, bob.pk, game=1)
    assert advice.question(alone, alice.pk, game=1, ply=0)


@pytest.mark.django_db
def test_only_who_is_to_move_is_helped_with_the_ply_that_comes_next(alice, bob, alone):
    assert refusal("nowhere2", alice.pk, game=1, ply=0) is Refusal.NO_SUCH_ROOM
    assert refusal(alone, bob.pk, game=1, ply=0) is refusal(alone, None, game=1, ply=0) is Refusal.NOT_SEATED
    assert refusal(alone, alice.pk, game=1, ply=1) is refusal(alone, alice.pk, game=2, ply=0) is Refusal.STALE_PLY
    sow(alone, "a")  # it is the computer's turn
    assert refusal(alone, alice.pk, game=1, ply=1) is Refusal.NOT_YOUR_TURN
    actions.resign(alone, alice.pk, game=1)
    assert refusal(alone, alice.pk, game=1, ply=1) is Refusal.GAME_OVER
    assert Game.objects.of_room(alone).get().is_over
