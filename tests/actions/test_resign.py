"""Giving up."""

import pytest

from games import actions, snapshot
from games.management.commands.check_games import faults
from games.protocol import Ended, OutcomeShape, Refusal, Refused
from tests.rooms import begin, open_room, sow


def refusal(code, player, game=1):
    with pytest.raises(Refused) as caught:
        actions.resign(code, player and player.pk, game=game)
    return caught.value.refusal


@pytest.mark.parametrize(("who", "winner"), [("alice", "N"), ("bob", "S")])
def test_whoever_resigns_loses_whosever_turn_it_is(request, code, said, who, winner):
    sow(code, "c")  # one stone in South's store
    said.clear()
    game = actions.resign(code, request.getfixturevalue(who).pk, game=1)
    assert (game.status, game.ending, game.winner, game.version) == ("over", "resigned", winner, 3)
    assert said.messages == [Ended(game=1, version=3, outcome=OutcomeShape(winner, (1, 0), "resigned"))]
    assert (said.rooms, said.lobby) == ([code], 1)
    assert faults(snapshot.current_game(code)) == []


def test_a_game_that_was_resigned_offers_nothing(code, alice):
    actions.resign(code, alice.pk, game=1)
    state = snapshot.read(code)
    assert (state.status, state.turn, state.legal) == ("over", None, ())
    assert state.outcome == OutcomeShape("N", (0, 0), "resigned")


@pytest.mark.parametrize("who", ["charlie", None])
def test_a_spectator_resigns_nothing(request, code, said, who):
    player = who and request.getfixturevalue(who)
    assert refusal(code, player) is Refusal.NOT_SEATED
    assert snapshot.read(code).status == "playing"
    assert not said


@pytest.mark.parametrize("game", [0, 2])
def test_another_game_of_the_room_is_not_resigned(code, alice, said, game):
    assert refusal(code, alice, game) is Refusal.STALE_PLY
    assert not said


def test_a_game_that_has_not_begun_is_left_not_resigned(alice, said):
    assert refusal(open_room(alice), alice) is Refusal.NOT_STARTED


def test_a_game_ends_once(alice, bob, said):
    code = begin(alice, bob)
    actions.resign(code, alice.pk, game=1)
    said.clear()
    assert refusal(code, alice) is Refusal.GAME_OVER
    assert refusal(code, bob) is Refusal.GAME_OVER
    assert snapshot.read(code).outcome.winner == "N"
    assert not said


def test_nothing_is_resigned_in_a_room_that_does_not_exist(alice):
    assert refusal("zzzzzzzz", alice) is Refusal.NO_SUCH_ROOM
