"""`manage.py close_idle_rooms`: what nobody comes back to is closed, and nothing else."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.utils import timezone

from games import actions, presence, snapshot
from games.models import Game, Room
from games.presence import Counts
from games.protocol import OutcomeShape, Refusal, Refused, Series
from tests import rooms
from tests.rooms import begin, open_room, sow

pytestmark = pytest.mark.django_db

alice, bob = rooms.alice, rooms.bob  # fixtures


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


@pytest.fixture
def close(capsys):
    """Run the command: what it says."""

    def run(*options):
        call_command("close_idle_rooms", *options)
        return capsys.readouterr().out.strip()

    return run


def age(code, **ago):
    """Let the room have been opened, and moved in last, so long ago."""
    then = timezone.now() - timedelta(**ago)
    Game.objects.filter(room=code).update(created_at=then)
    Game.objects.filter(room=code, moved_at__isnull=False).update(moved_at=then)


NOTHING = "0 waiting rooms deleted, 0 games ended as abandoned"


def test_an_old_room_where_nobody_waits_any_more_is_deleted(alice, bob, close):
    """B75: dead rooms stay; a live game is never cleaned away."""
    left, *forgotten = (open_room(alice) for _ in range(100))
    young, live = open_room(alice), begin(alice, bob)
    actions.leave_seat(left, alice)
    for code in (left, *forgotten):
        age(code, days=1, minutes=1)
    age(young, hours=23)
    Game.objects.filter(room=live).update(created_at=timezone.now() - timedelta(days=99))
    assert close() == "100 waiting rooms deleted, 0 games ended as abandoned"
    assert {room.code for room in Room.objects.all()} == {young, live}
    assert close() == NOTHING
    call_command("check_games")


def test_whoever_waits_with_the_page_open_may_wait_as_long_as_they_like(alice, close):
    code = open_room(alice)
    age(code, days=3)
    presence.remember({code: Counts(south=1)})
    assert close() == NOTHING
    presence.remember({code: Counts()})
    assert close() == "1 waiting rooms deleted, 0 games ended as abandoned"


def test_a_game_that_nobody_goes_on_with_ends_without_a_winner(alice, bob, close):
    old, young = begin(alice, bob), begin(alice, bob)
    sow(old, "cd")
    age(old, days=14, minutes=1)
    age(young, days=13)
    assert close() == "0 waiting rooms deleted, 1 games ended as abandoned"
    assert snapshot.read(old).outcome == OutcomeShape(winner=None, score=(2, 0), ending="abandoned")
    assert snapshot.read(young).status == "playing"
    assert close() == NOTHING
    call_command("check_games")


def test_a_game_that_is_over_stays_as_it_is(alice, bob, close):
    code = begin(alice, bob)
    actions.resign(code, alice.pk, game=1)
    age(code, days=100)
    assert close() == NOTHING
    assert snapshot.read(code).outcome.ending == "resigned"


def test_the_series_does_not_count_an_abandoned_game(alice, bob, close):
    code = begin(alice, bob)
    actions.resign(code, bob.pk, game=1)
    for number in (1, 2):
        for player in (alice, bob):
            actions.offer(code, player.pk, game=number, kind="rematch")
        if number == 1:
            age(code, days=20)
            close()
    assert snapshot.read(code).series == Series(S=1, N=0, draws=0)  # Alice sits South again
    call_command("check_games")


def test_days_are_chosen_and_are_at_least_one(alice, bob, close):
    code, waiting = begin(alice, bob), open_room(alice)
    for room in (code, waiting):
        age(room, days=3)
    assert close("--days=4", "--waiting-days=4") == NOTHING
    assert close("--days=2", "--waiting-days=2") == "1 waiting rooms deleted, 1 games ended as abandoned"
    for wrong in ("0", "-1", "x"):
        with pytest.raises(CommandError, match="whole number of days"):
            call_command("close_idle_rooms", f"--days={wrong}")


def test_who_sits_down_while_the_room_is_being_deleted_has_it(alice, bob, close, monkeypatch):
    code = open_room(alice)
    age(code, days=2)

    def nobody_yet(codes):
        actions.take_seat(code, bob)
        return {}

    monkeypatch.setattr(presence, "recall", nobody_yet)
    assert close() == NOTHING
    assert snapshot.read(code).status == "playing"


def test_who_comes_too_late_to_a_deleted_room_is_told(alice, bob, close):
    code = open_room(alice)
    age(code, days=2)
    close()
    with pytest.raises(Refused) as refused:
        actions.take_seat(code, bob)
    assert refused.value.refusal is Refusal.NO_SUCH_ROOM
