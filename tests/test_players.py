"""Who is asking: identities live in the session's data, and rows are never written here."""

import uuid
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from games import names, players
from games.models import Player

pytestmark = pytest.mark.django_db


def asking(**session):
    return SimpleNamespace(session=session)


def test_a_new_browser_is_given_an_identity_and_a_name_that_stay():
    request = asking()
    guest = players.guest(request)
    assert names.clean(guest.name) == guest.name
    assert players.guest(request) == guest
    assert players.identity({"session": request.session}) == guest.id


def test_two_browsers_are_two_people():
    assert players.guest(asking()).id != players.guest(asking()).id


def test_recognising_somebody_writes_no_row():
    players.guest(asking())
    assert not Player.objects.exists()


def test_a_chosen_name_outweighs_the_suggested_one():
    request = asking()
    guest = players.guest(request)
    Player.objects.create(pk=guest.id, name="Ann")
    assert players.guest(request).name == "Ann"


def test_a_session_is_signed_anew_once_a_month(monkeypatch):
    """B67: a guest's cookie ran out, and the player became a spectator of the own game."""
    start = timezone.now()
    request = asking()
    written = []
    for days in (0, 29, 30, 31, 59, 60):
        monkeypatch.setattr(timezone, "now", lambda: start + timedelta(days=days))
        before = dict(request.session)
        guest = players.guest(request)
        if request.session != before:
            written.append(days)
    assert written == [0, 30, 60]
    assert str(guest.id) == before["player"]


def test_a_session_that_lost_its_suggested_name_still_has_a_lasting_one():
    request = asking(player=str(uuid.UUID(int=7)))
    assert players.guest(request).name == players.guest(request).name != ""


@pytest.mark.parametrize("stored", [None, "", "nonsense", 12, "1234", ["a"], {}])
def test_a_session_without_a_proper_identity_is_nobody(stored):
    assert players.identity({"session": {"player": stored}}) is None


def test_a_session_without_a_proper_identity_gets_a_new_one():
    request = asking(player="nonsense")
    guest = players.guest(request)
    assert players.identity({"session": request.session}) == guest.id


def test_a_browser_that_never_saw_a_page_is_nobody_on_a_socket():
    assert players.identity({"session": {}}) is None
