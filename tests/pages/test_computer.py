"""A game against the computer, as pages have it: how it is begun, and what is there of a rival that nobody talks to."""

import pytest

from games import bots
from games.models import Game
from tests.pages.people import Page, seats


@pytest.fixture(autouse=True)
def looked_after(monkeypatch):
    """The rooms where a computer is asked to play. None does here."""
    rooms = []
    monkeypatch.setattr(bots, "look_after", rooms.append)
    return rooms


@pytest.fixture
def ann(visitor):
    return visitor("Ann")


def words_of(page: Page) -> list[str | None]:
    """What can be said to whoever is in the room."""
    return [held["data-react"] for _, held in page.tags if "data-react" in held]


def test_the_lobby_offers_the_five(ann):
    page = Page(ann.look().content.decode())
    levels = [held for name, held in page.tags if name == "input" and held.get("name") == "level"]
    assert [(held["value"], "checked" in held) for held in levels] == [
        ("1", True),
        ("2", False),
        ("3", False),
        ("4", False),
        ("5", False),
    ]
    names = [page.texts.index(name) for name in ("Pip", "Coco", "Finn", "Nova", "Sage")]
    assert names == sorted(names)


def test_who_chooses_a_computer_is_at_the_board_with_it(ann, looked_after):
    code = ann.open_room(visibility="computer", level="3", side="S", control="5+3", pie="on")
    assert seats(code) == ("Ann", "Finn")
    assert looked_after == [code]
    game = Game.objects.get()
    assert (game.status, game.control, game.ruleset) == ("playing", "", "classic-6x4")


def test_a_choice_that_is_refused_is_still_chosen(ann):
    answer = ann.post("/rooms/", visibility="computer", level="4", stones="9")
    page = Page(answer.content.decode())
    assert "checked" in page.first("input", name="level", value="4")
    assert "checked" in page.first("input", name="visibility", value="computer")


def test_the_page_tells_a_computer_from_a_person(ann):
    code = ann.open_room(visibility="computer", level="3", side="S")
    page = Page(ann.look(f"/r/{code}/").content.decode())
    assert page.first("section", id="plate-N")["aria-label"] == "Finn, moon, computer, level 3 of 5"
    assert page.first("section", id="plate-S")["aria-label"] == "Ann, sun"
    marks = ["hidden" not in held for _, held in page.tags if held.get("data-part") == "computer"]
    assert marks == [True, False]  # far, near


def test_whoever_only_watches_is_told_that_it_thinks(ann, visitor):
    code = ann.open_room(visibility="computer", level="3", side="N")
    assert "Thinking…" in Page(visitor().look(f"/r/{code}/").content.decode()).texts


def test_nobody_talks_to_a_computer_but_whoever_watches_may_talk_to_its_rival(ann, visitor):
    code = ann.open_room(visibility="computer", level="3")
    page = Page(ann.look(f"/r/{code}/").content.decode())
    assert words_of(page) == []
    assert [held for _, held in page.tags if held.get("data-open") == "talk" or held.get("id") == "talk"] == []
    assert page.first("dialog", id="share")
    assert "well" in words_of(Page(visitor().look(f"/r/{code}/").content.decode()))
