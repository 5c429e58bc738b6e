"""The admin shows rows and changes none."""

import pytest

from games import caps
from games.limits import Buckets
from games.models import Game, Player, Room
from tests import rooms
from tests.rooms import begin

alice, bob = rooms.alice, rooms.bob  # fixtures

KINDS = ("player", "room", "game")


@pytest.fixture
def row(alice, bob):
    begin(alice, bob)
    return {"player": alice, "room": Room.objects.get(), "game": Game.objects.get()}


@pytest.mark.parametrize("kind", KINDS)
def test_an_operator_can_look_at_rows_and_find_them(operator, row, kind):
    assert operator.get(f"/admin/games/{kind}/").status_code == 200
    assert operator.get(f"/admin/games/{kind}/?q=Ali").status_code == 200
    assert operator.get(f"/admin/games/{kind}/{row[kind].pk}/change/").status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_an_operator_can_neither_add_nor_change_nor_delete(operator, row, kind):
    pk = row[kind].pk
    assert operator.get(f"/admin/games/{kind}/add/").status_code == 403
    assert operator.post(f"/admin/games/{kind}/{pk}/change/", {"name": "X"}).status_code == 403
    assert operator.post(f"/admin/games/{kind}/{pk}/delete/", {"post": "yes"}).status_code == 403
    operator.post(f"/admin/games/{kind}/", {"action": "delete_selected", "_selected_action": str(pk), "post": "yes"})
    assert (Player.objects.filter(name="Alice").count(), Room.objects.count(), Game.objects.count()) == (1, 1, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_visitor_is_asked_to_log_in(client, db, kind):
    answer = client.get(f"/admin/games/{kind}/")
    assert (answer.status_code, answer.url) == (302, f"/admin/login/?next=/admin/games/{kind}/")


def test_passwords_are_not_tried_without_end(client, admin_user, monkeypatch):
    monkeypatch.setattr(caps, "_sign_ins", Buckets(0, 2))
    for _ in range(2):
        assert client.post("/admin/login/", {"username": "admin", "password": "wrong"}).status_code == 200
    right = {"username": "admin", "password": "password", "next": "/admin/"}
    answer = client.post("/admin/login/", right)
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    assert client.get("/admin/", follow=True).status_code == 200
    elsewhere = client.post("/admin/login/", right, REMOTE_ADDR="192.0.2.7")
    assert (elsewhere.status_code, elsewhere.url) == (302, "/admin/")
