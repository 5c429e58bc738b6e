"""Closing what nobody comes back to is announced as any other end. The command: tests/test_close_idle_rooms.py."""

from django.utils import timezone

from games import actions
from games.protocol import Ended, OutcomeShape
from tests.rooms import open_room


def close_all():
    return actions.close_idle(moved_before=timezone.now(), opened_before=timezone.now())


def test_everybody_in_the_room_hears_of_the_end_and_both_players_in_the_lobby(code, alice, bob, said):
    assert close_all() == (0, 1)
    outcome = OutcomeShape(winner=None, score=(0, 0), ending="abandoned")
    assert (said.rooms, said.messages) == ([code], [Ended(game=1, version=2, outcome=outcome)])
    assert said.concerned == {str(alice.pk), str(bob.pk)}


def test_who_waited_hears_in_the_lobby_that_the_room_is_gone(alice, said):
    open_room(alice)
    said.clear()
    assert close_all() == (1, 0)
    assert (said.lobby, said.concerned) == (1, {str(alice.pk)})
