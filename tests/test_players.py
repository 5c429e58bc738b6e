"""Who is asking: identities live in the session's data, and rows are never written here."""

import uuid
from types import SimpleNamespace

import pytest

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
