"""Players who are away, and what the other may claim then."""

import pytest

from games import actions, lists, snapshot
from games.models import Game
from games.protocol import Claimable, Claims, OutcomeShape, Refusal, Refused
from tests.rooms import begin, open_room, sow

DAY_S = 86_400


@pytest.fixture
def timed(alice, bob, said, hands):
    """A game with clocks that has just begun: Alice sits South, Bob North."""
    code = begin(alice, bob, control="30+20")
    said.clear()
    return code


def refusal_of(code, player, **claim):
    with pytest.raises(Refused) as refused:
        actions.claim(code, player and player.pk, **{"game": 1, "win": True, **claim})
    return refused.value.refusal


def test_who_is_away_is_noted_once_and_the_other_told_from_when_on_a_claim_is_good(timed, said, hands):
    gone = hands.now
    actions.attend(timed, south=True, north=False)
    assert said.messages == [Claimable(game=1, version=2, claims=Claims(S=gone + 60_000))]
    assert snapshot.read(timed).claims == Claims(S=gone + 60_000)
    hands.pass_by(seconds=20)
    actions.attend(timed, south=True, north=False)
    assert len(said.messages) == 1
    assert snapshot.read(timed).claims.S == gone + 60_000


def test_who_comes_back_in_time_leaves_nothing_to_claim(timed, said, hands):
    actions.attend(timed, south=True, north=False)
    hands.pass_by(seconds=59)
    actions.attend(timed, south=True, north=True)
    assert said.messages[-1] == Claimable(game=1, version=3, claims=Claims())


@pytest.mark.parametrize(("win", "winner"), [(True, "S"), (False, None)])
def test_a_claim_is_good_from_the_first_second_allowed(timed, alice, said, hands, win, winner):
    """B52, B55: the moment that is shown is the moment that holds."""
    actions.attend(timed, south=True, north=False)
    hands.pass_by(seconds=59.999)
    assert refusal_of(timed, alice) is Refusal.NO_CLAIM
    hands.pass_by(seconds=0.001)
    said.clear()
    actions.claim(timed, alice.pk, game=1, win=win)
    (ended,) = said.messages
    assert ended.outcome == OutcomeShape(winner=winner, score=(0, 0), ending="claimed")
    assert refusal_of(timed, alice) is Refusal.GAME_OVER  # a second tap changes nothing


def test_a_claim_is_refused_where_there_is_none(timed, alice, bob, charlie, hands):
    assert refusal_of(timed, alice) is Refusal.NO_CLAIM
    actions.attend(timed, south=True, north=False)
    hands.pass_by(seconds=1500)
    assert refusal_of(timed, bob) is Refusal.NO_CLAIM  # who is away
    assert refusal_of(timed, charlie) is Refusal.NOT_SEATED
    assert refusal_of(timed, None) is Refusal.NOT_SEATED
    assert refusal_of(timed, alice, game=2) is Refusal.STALE_PLY
    assert refusal_of("zzzzzzzz", alice) is Refusal.NO_SUCH_ROOM
    assert refusal_of(open_room(alice, control="5+3"), alice) is Refusal.NOT_STARTED


def test_who_is_away_may_still_come_back_and_move(timed, hands):
    actions.attend(timed, south=False, north=True)
    hands.pass_by(seconds=61)
    sow(timed, "d")
    assert snapshot.read(timed).claims.N == hands.now - 1_000  # until a socket of hers is seen


def test_a_game_that_is_over_leaves_nothing_to_claim(timed, alice, said, hands):
    actions.attend(timed, south=True, north=False)
    actions.resign(timed, alice.pk, game=1)
    assert snapshot.read(timed).claims == Claims()
    said.clear()
    actions.attend(timed, south=False, north=False)
    assert not said


def test_in_a_game_without_clocks_nobody_is_noted_as_away(hands, code, alice, said):
    """B56: however often one goes back and forth."""
    for here in (False, True, False):
        actions.attend(code, south=True, north=here)
    assert not said
    hands.pass_by(seconds=DAY_S - 1)
    assert snapshot.read(code).claims == Claims()
    assert refusal_of(code, alice) is Refusal.NO_CLAIM


def test_a_turn_that_lasts_a_day_may_be_claimed_by_who_waits_and_the_lobby_says_so(hands, code, alice, bob):
    sow(code, "d")
    began = hands.now
    hands.pass_by(seconds=DAY_S - 0.001)
    assert not lists.mine(alice.pk).games[0].claim
    hands.pass_by(seconds=0.001)
    assert snapshot.read(code).claims == Claims(S=began + DAY_S * 1000)
    assert lists.mine(alice.pk).games[0].claim
    assert not lists.mine(bob.pk).games[0].claim
    assert refusal_of(code, bob) is Refusal.NO_CLAIM
    actions.claim(code, alice.pk, game=1, win=True)
    assert Game.objects.get().winner == "S"


def test_an_extra_turn_is_the_same_turn(hands, code):
    sow(code, "c")
    hands.pass_by(seconds=DAY_S)
    assert snapshot.read(code).claims == Claims(N=hands.now)


def test_a_claim_counts_in_the_series(timed, alice, bob, hands):
    actions.attend(timed, south=True, north=False)
    hands.pass_by(seconds=60)
    actions.claim(timed, alice.pk, game=1, win=True)
    for player in (alice, bob):
        actions.offer(timed, player.pk, game=1, kind="rematch")
    series = snapshot.read(timed).series
    assert (series.S, series.N, series.draws) == (0, 1, 0)  # Alice sits North now
