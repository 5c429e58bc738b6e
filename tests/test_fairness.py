"""Who is helped by nobody. With which boards nobody is, the stories of the solver tell."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import actions, computers, fairness
from games.models import Game
from games.rules.position import Side
from tests import rooms
from tests.rooms import begin

pytestmark = pytest.mark.django_db

alice, bob, charlie = rooms.alice, rooms.bob, rooms.charlie  # fixtures


def test_who_plays_a_person_is_helped_by_nobody_until_the_game_is_over(alice, bob, charlie):
    code = begin(alice, bob)
    assert fairness.rival_game(alice.pk).room_id == fairness.rival_game(bob.pk).room_id == code
    assert fairness.rival_game(charlie.pk) is fairness.rival_game(None) is None
    actions.resign(code, bob.pk, game=1)
    assert fairness.rival_game(alice.pk) is None


def test_a_computer_and_the_own_other_hand_are_no_rivals_nor_is_who_has_left_for_a_day(alice, bob):
    actions.open_room(alice, ruleset="classic-6x4", side=Side.SOUTH, against=computers.of_level(1))
    actions.open_room(alice, ruleset="classic-6x4", side=Side.SOUTH, shared=True)
    assert fairness.rival_game(alice.pk) is None
    Game.objects.of_room(begin(alice, bob)).update(moved_at=timezone.now() - timedelta(days=1))
    assert fairness.rival_game(alice.pk) is None
