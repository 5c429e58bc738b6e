"""Two people on one device, as pages have it: how they get there, and what the page, the lobby and the record say."""

import re

import pytest

from games import actions
from games.models import Game, Room
from tests.pages.people import Page, messages_of, seats, text_of
from tests.rooms import sow


@pytest.fixture
def ann(visitor):
    return visitor("Ann")


@pytest.fixture
def room(ann):
    return ann.open_room(visibility="shared")


def test_a_game_on_this_device_is_opened_from_the_lobby_with_both_seats(ann, room):
    assert seats(room) == ("Ann", "Ann")
    assert Room.objects.get().visibility == "private"


@pytest.mark.parametrize("visibility", ["private", "public"])
def test_who_opens_the_own_invitation_is_offered_to_play_here_together(ann, visitor, visibility):
    """B66: a player accepts the own link; it is asked for, and no accident."""
    code = ann.open_room(visibility=visibility, side="S")
    assert ann.sit(code).context["you"] == "S"
    assert seats(code) == ("Ann", None)
    page = Page(ann.look(f"/r/{code}/").content.decode())
    assert page.first("form", action=f"/r/{code}/both/")["method"] == "post"
    assert ann.look(f"/r/{code}/both/", 302).url == f"/r/{code}/"
    assert ann.post(f"/r/{code}/both/").context["both"]
    assert seats(code) == ("Ann", "Ann")
    assert messages_of(visitor("Ben").sit(code)) == ["Both seats are taken. You can still watch this game."]


def test_who_asks_for_both_seats_after_a_friend_sat_down_is_told_so(ann, visitor):
    code = ann.open_room()
    visitor("Ben").sit(code)
    assert messages_of(ann.post(f"/r/{code}/both/")) == ["Your friend has just sat down. You play with them now."]
    assert messages_of(visitor("Cleo").post(f"/r/{code}/both/")) == ["You are watching this game."]
    assert ann.post("/r/zzzzzzzz/both/").status_code == 404


def test_the_page_calls_the_sides_sun_and_moon_for_everybody(ann, visitor, room):
    for person, both in ((ann, True), (visitor(), False)):
        answer = person.look(f"/r/{room}/")
        assert (answer.context["you"], answer.context["both"]) == (None, both)
        page = Page(answer.content.decode())
        assert "Sun against Moon" in page.text.split("Mancala")[0]
        ranks = [tag["aria-label"] for _, tag in page.tags if tag.get("class") == "rank"]
        assert ranks == ["Moon’s pits", "Sun’s pits"]
        assert ("hidden" in page.first("button", **{"data-offer": "takeback"})) is not both
        assert ("hidden" in page.first("button", **{"data-toggle": "follow"})) is not both
        assert ("hidden" in page.first("button", **{"data-flip": None})) is both
        assert "(2)" not in page.text


def test_the_lobby_and_every_page_lead_back_without_an_opponent(ann, room):
    sow(room, "ca")
    lobby = ann.look("/")
    assert re.findall(r'data-code="(\w+)" data-turn="(\w+)"', lobby.content.decode()) == [(room, "shared")]
    assert "Return to your game on one device" in text_of(ann.look("/how-to-play/"))
    assert "None" not in text_of(lobby)


def test_the_record_tells_the_two_apart(ann, room):
    sow(room, "c")
    actions.resign(room, actions.keep_guest(ann.look("/").context["player"], "Ann").pk, game=1)
    text = ann.look(f"/r/{room}/1.txt").content.decode()
    assert "South: Ann (Sun)\nNorth: Ann (Moon)\nResult: Ann (Moon) wins, Ann (Sun) resigned\n" in text


def test_on_one_device_sides_are_not_swapped_whatever_was_ticked(visitor):
    code = visitor("Ann").open_room(visibility="shared", pie="on", majority="on")
    assert Game.objects.get(room=code).ruleset == "classic-6x4+majority"
