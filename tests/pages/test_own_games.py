"""The reader's own unfinished games: in the lobby, and the way back to them from every page beside the boards."""

import re

import pytest
from django.db import OperationalError

from games import lists, presence
from games.models import Player
from games.presence import Counts
from tests.pages.people import Page, messages_of, text_of
from tests.rooms import sow

BESIDE = ["/", "/how-to-play/", "/how-to-play/classic/", "/how-to-play/sample-game/"]
"""Pages that are no room."""


def rows(answer) -> list[tuple[str, str]]:
    """Code and whose turn it is, of every own game that the lobby lists."""
    return re.findall(r'game-row--own" data-code="(\w+)" data-turn="(\w+)"', answer.content.decode())


def way_back(answer) -> str | None:
    """Where the way back to the own game leads, if there is one."""
    found = re.search(r'id="return".*?href="(.*?)"', answer.content.decode(), re.DOTALL)
    return found and found[1]


@pytest.fixture
def ann(visitor):
    return visitor("Ann")


@pytest.fixture
def ben(visitor):
    return visitor("Ben")


def test_the_lobby_lists_unfinished_games_those_of_my_turn_first(ann, ben):
    waiting, theirs, mine = ann.open_room(), ben.open_room(), ann.open_room()
    ann.sit(theirs)
    ben.sit(mine)
    assert rows(ann.look("/")) == [(mine, "you"), (theirs, "them"), (waiting, "nobody")]
    assert rows(ben.look("/")) == [(theirs, "you"), (mine, "them")]


def test_a_game_is_listed_with_its_opponent_and_the_score_mine_first(ann, ben):
    code = ben.open_room()
    ann.sit(code)
    sow(code, "cd")  # South has 2 in the store
    assert (
        "Against Ben Your turn Their turn Theirs for a day: you may claim it Stones, yours first: 0 : 2 ·"
        in text_of(ann.look("/"))
    )


def test_who_has_no_games_finds_no_list_of_them_and_no_way_back(ann, visitor):
    for person in (ann, visitor()):
        for path in BESIDE:
            answer = person.look(path)
            assert rows(answer) == []
            assert way_back(answer) is None
            assert "return.css" not in answer.content.decode()


def test_the_games_of_somebody_without_a_row_are_none(visitor):
    guest = visitor()
    guest.look("/")
    assert not Player.objects.exists()
    assert rows(guest.look("/")) == []


def test_a_game_that_waits_is_left_from_the_lobby(ann):
    code = ann.open_room()
    page = Page(ann.look("/").content.decode())
    assert page.first("form", action=f"/r/{code}/leave/")["method"] == "post"
    answer = ann.leave(code)
    assert messages_of(answer) == ["You have left the game. Its link still works."]
    assert rows(answer) == []


@pytest.mark.parametrize("path", BESIDE)
def test_every_page_beside_the_boards_leads_back_to_the_game(ann, ben, path):
    code = ann.open_room()
    assert way_back(ann.look(path)) is None  # nobody else is there yet
    ben.sit(code)
    assert way_back(ann.look(path)) == f"/r/{code}/"
    assert "Return to your game with Ben Your turn" in text_of(ann.look(path))
    assert way_back(ben.look(path)) == f"/r/{code}/"
    other = ann.open_room()
    ben.sit(other)
    assert way_back(ann.look(path)) == "/#mine"


def test_a_link_without_a_game_leads_back_to_the_game_and_a_room_needs_no_way_back(ann, ben):
    code = ann.open_room()
    ben.sit(code)
    assert way_back(ann.look("/r/zzzzzzzz/", 404)) == f"/r/{code}/"
    assert way_back(ann.look(f"/r/{code}/")) is None


@pytest.mark.parametrize("path", BESIDE[1:])
def test_pages_about_the_rules_cost_a_stranger_no_query_and_a_guest_one(visitor, path, django_assert_num_queries):
    stranger, guest = visitor(), visitor()
    guest.look("/")
    with django_assert_num_queries(0):
        answer = stranger.look(path)
    assert "sessionid" not in answer.cookies
    with django_assert_num_queries(1):
        guest.look(path)


def test_a_page_about_the_rules_needs_no_database(ann, monkeypatch, caplog):
    def fail(*args):
        raise OperationalError("database is locked")

    monkeypatch.setattr(lists, "going_on", fail)
    assert way_back(ann.look("/how-to-play/")) is None
    assert "database is locked" in caplog.text


def test_nobody_is_offered_the_own_waiting_room(ann, ben):
    code = ann.open_room(visibility="public", side="S")
    presence.remember({code: Counts(south=1)})
    offered = [[room.code for room in person.look("/").context["lobby"].open] for person in (ann, ben)]
    assert offered == [[], [code]]
