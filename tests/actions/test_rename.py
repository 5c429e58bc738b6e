"""Names of people who sit, and who have not sat yet."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from games import actions, snapshot
from games.models import Game, Player
from games.protocol import PlayerShape, Renamed
from tests.rooms import begin, open_room

pytestmark = pytest.mark.django_db


def test_the_row_of_a_guest_is_written_once_and_keeps_its_name():
    guest = uuid.uuid4()
    assert actions.keep_guest(guest, "Merry Otter").name == "Merry Otter"
    assert actions.keep_guest(guest, "Another").name == "Merry Otter"
    assert Player.objects.count() == 1


def test_a_guest_without_a_row_gets_one_by_choosing_a_name(said):
    guest = uuid.uuid4()
    actions.rename(guest, "Ann")
    assert Player.objects.get(pk=guest).name == "Ann"
    assert said.messages == []


def test_a_new_name_is_told_where_its_player_sits(code, alice, bob, said):
    waiting = open_room(alice)
    said.clear()
    actions.rename(alice.pk, "Ann")
    assert snapshot.read(code).seats.S.name == "Ann"
    told = list(zip(said.rooms, said.messages, strict=True))
    assert (code, Renamed(PlayerShape(str(alice.pk), "Ann"))) in told
    assert (waiting, Renamed(PlayerShape(str(alice.pk), "Ann"))) in told
    assert said.lobby == 1


def test_a_new_name_is_told_where_a_result_is_still_looked_at(code, alice, said):
    actions.resign(code, alice.pk, game=1)
    said.clear()
    actions.rename(alice.pk, "Ann")
    assert said.rooms == [code, code]


def test_a_new_name_is_not_told_in_rooms_of_others_nor_where_the_last_game_was_over_a_day_ago(
    alice, bob, charlie, said
):
    begin(bob, charlie)
    actions.resign(begin(alice, bob), alice.pk, game=1)
    Game.objects.filter(status="over").update(over_at=timezone.now() - timedelta(days=2))
    said.clear()
    actions.rename(alice.pk, "Ann")
    assert said.rooms == []


def test_a_namesake_gets_a_mark_and_loses_it_again(code, alice, bob, said):
    def told():
        names = {message.player.id: message.player.name for message in said.messages}
        said.clear()
        return names

    north = str(bob.pk)
    actions.rename(bob.pk, "Alice")
    assert told()[north] == snapshot.read(code).seats.N.name == "Alice (2)"
    actions.rename(alice.pk, "Ann")
    assert told()[north] == snapshot.read(code).seats.N.name == "Alice"


def test_the_same_name_in_two_rooms_needs_no_mark(alice, bob, charlie, said):
    charlie = actions.rename(charlie.pk, "Alice")
    assert snapshot.read(begin(charlie, bob)).seats.S.name == "Alice"
