"""Swapping sides by the pie rule: the people change places, stones and turn stay."""

import pytest

from games import actions, snapshot
from games.management.commands.check_games import faults
from games.models import Game
from games.protocol import Refusal, Refused, Series
from tests.rooms import begin, sow


@pytest.fixture
def code(alice, bob, said):
    """A game by the pie rule: Alice has had the first turn as South, Bob sits North."""
    room = begin(alice, bob, "classic-6x4+pie")
    sow(room, "ca")
    said.clear()
    return room


def swap(code, player, ply=2, game=1):
    return actions.swap(code, player.pk, game=game, ply=ply)


def refusal(act, *arguments, **named):
    with pytest.raises(Refused) as refused:
        act(*arguments, **named)
    return refused.value.refusal


def rematch(code, alice, bob, game=1):
    for player in (alice, bob):
        actions.offer(code, player.pk, game=game, kind="rematch")


def check(code):
    assert [fault for game in Game.objects.of_room(code) for fault in faults(game)] == []


def test_the_people_change_places_and_who_began_sows_next(code, alice, bob, said):
    before = snapshot.read(code)
    assert before.may_swap
    swap(code, bob)
    state = snapshot.read(code)
    assert said.messages == [state]
    assert (said.seatings[0].south, said.seatings[0].north) == (str(bob.pk), str(alice.pk))
    assert said.concerned == {str(alice.pk), str(bob.pk)}
    assert (state.seats.S.name, state.seats.N.name) == ("Bob", "Alice")
    assert (state.transcript, state.ply, state.version, state.turn) == ("can", 3, before.version + 1, "N")
    assert (state.stones, state.legal, state.last) == (before.stones, before.legal, before.last)
    assert not state.may_swap
    sow(code, "h")
    assert Game.objects.get(room=code).position.endswith("S")
    check(code)


def test_a_sowing_tells_when_sides_may_be_swapped(alice, bob, said):
    code = begin(alice, bob, "classic-6x4+pie")
    said.clear()
    sow(code, "cah")
    assert [message.may_swap for message in said.messages] == [False, True, False]
    assert snapshot.earlier(snapshot.read(code), 2).may_swap is False


def test_who_cannot_swap_and_when(code, alice, bob, charlie, said):
    assert refusal(swap, code, charlie) is Refusal.NOT_SEATED
    assert refusal(actions.swap, code, None, game=1, ply=2) is Refusal.NOT_SEATED
    assert refusal(swap, "zzzzzzzz", bob) is Refusal.NO_SUCH_ROOM
    assert refusal(swap, code, alice) is Refusal.NOT_YOUR_TURN
    for ply in (1, 3):
        assert refusal(swap, code, bob, ply) is Refusal.STALE_PLY
    assert refusal(swap, code, bob, game=2) is Refusal.STALE_PLY
    assert not said
    swap(code, bob)
    assert refusal(swap, code, bob) is Refusal.STALE_PLY  # a second click
    assert refusal(swap, code, alice, 3) is Refusal.ILLEGAL_PIT
    actions.resign(code, bob.pk, game=1)
    assert refusal(swap, code, alice, 3) is Refusal.GAME_OVER


@pytest.mark.parametrize(
    ("ruleset", "plies"), [("classic-6x4", "ca"), ("classic-6x4+pie", "c"), ("classic-6x4+pie", "caj")]
)
def test_nobody_swaps_without_the_rule_in_a_first_turn_or_once_north_has_sown(alice, bob, said, ruleset, plies):
    code = begin(alice, bob, ruleset)
    sow(code, plies)
    player = alice if plies == "c" else bob
    assert refusal(swap, code, player, len(plies)) is Refusal.ILLEGAL_PIT


def test_north_sows_between_the_read_and_the_write(code, bob, meanwhile):
    meanwhile(lambda: sow(code, "h"))
    assert refusal(swap, code, bob) is Refusal.STALE_PLY
    assert snapshot.read(code).transcript == "cah"


def test_a_swap_takes_offers_off_the_table_and_cannot_be_taken_back(code, alice, bob):
    actions.offer(code, alice.pk, game=1, kind="draw")
    swap(code, bob)
    assert snapshot.read(code).offer is None
    for player in (alice, bob):
        answer = refusal(actions.offer, code, player.pk, game=1, kind="takeback")
        assert answer is Refusal.NOTHING_TO_TAKE_BACK
    sow(code, "jh")  # j's four stones end in North's store
    actions.offer(code, alice.pk, game=1, kind="takeback")
    actions.answer(code, bob.pk, game=1, number=snapshot.read(code).offer.id, accept=True)
    assert snapshot.read(code).transcript == "can"
    check(code)


def test_whoever_takes_back_a_first_sowing_may_swap_after_all(code, alice, bob):
    sow(code, "h")
    actions.offer(code, bob.pk, game=1, kind="takeback")
    actions.answer(code, alice.pk, game=1, number=snapshot.read(code).offer.id, accept=True)
    assert snapshot.read(code).may_swap
    swap(code, bob)
    check(code)


def test_a_series_goes_with_the_people_and_the_other_one_begins_the_next_game(code, alice, bob):
    swap(code, bob)
    actions.resign(code, alice.pk, game=1)  # Bob wins, as South
    rematch(code, alice, bob)
    state = snapshot.read(code)
    assert (state.seats.S.name, state.series) == ("Bob", Series(S=1, N=0, draws=0))  # Alice began the first
    sow(code, "d")
    swap(code, alice, ply=1, game=2)
    state = snapshot.read(code)
    assert (state.seats.S.name, state.series) == ("Alice", Series(S=0, N=1, draws=0))
    actions.resign(code, bob.pk, game=2)
    rematch(code, alice, bob, game=2)
    state = snapshot.read(code)
    assert (state.seats.S.name, state.series) == ("Alice", Series(S=1, N=1, draws=0))
    check(code)


def test_two_who_are_called_alike_are_told_apart_on_their_new_sides(code, alice, bob):
    actions.rename(bob.pk, "alice")
    swap(code, bob)
    seats = snapshot.read(code).seats
    assert (seats.S.name, seats.N.name) == ("alice", "Alice (2)")
