"""Reactions: ready-made words, for everybody in the room and from everybody in it, but not without end."""

import pytest
from django.core.cache import cache

from games import actions, snapshot
from games.protocol import Reacted, Refusal, Refused
from games.reactions import MOST
from tests.rooms import open_room


@pytest.fixture(autouse=True)
def _nobody_has_spoken():
    cache.clear()


def refusal(code, player):
    with pytest.raises(Refused) as refused:
        actions.react(code, player, kind="well")
    return refused.value.refusal


def test_a_reaction_is_told_with_the_seat_of_who_reacts_and_changes_nothing(code, said, alice, bob, charlie):
    before = snapshot.read(code)
    for player in (alice, bob, charlie):
        actions.react(code, player.pk, kind="wow")
    assert said.messages == [Reacted(side=side, kind="wow") for side in ("S", "N", None)]
    assert said.rooms == [code] * 3
    assert said.lobby == 0
    assert snapshot.read(code) == before


def test_the_sixth_within_a_quarter_of_a_minute_is_too_much(code, said, alice, bob):
    """B106: ready-made lines sent without end, and again after a reload."""
    for _ in range(MOST):
        actions.react(code, alice.pk, kind="well")
    assert refusal(code, alice.pk) is Refusal.TOO_FAST
    assert len(said.messages) == MOST == 5
    actions.react(code, bob.pk, kind="well")
    actions.react(open_room(alice), alice.pk, kind="hello")


def test_while_nobody_counts_nobody_is_held_back(code, said, alice, monkeypatch):
    def away(*_arguments):
        raise ConnectionError("the cache is away")

    monkeypatch.setattr(cache, "add", away)
    for _ in range(MOST + 1):
        actions.react(code, alice.pk, kind="well")
    assert len(said.messages) == MOST + 1


def test_nothing_is_said_by_nobody_or_in_a_room_that_does_not_exist(code, said, alice):
    assert refusal(code, None) is Refusal.NOT_SEATED
    assert refusal("zzzzzzzz", alice.pk) is Refusal.NO_SUCH_ROOM
    assert said.messages == []
