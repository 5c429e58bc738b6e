"""The puzzles: what their pages bring along, and what is kept of who solved them."""

import json
import re

import pytest
from django.db import OperationalError

from games import caps
from games.models import Player, Solved
from games.puzzles import PUZZLES
from games.rules.transcript import letter
from tests.pages.people import Page, Visitor, text_of

pytestmark = pytest.mark.django_db

LIST = "/puzzles/"
NUMBERS = range(1, 11)


def path_of(number):
    return f"/puzzles/{number}/"


def task_of(number):
    """What the script of a puzzle begins with."""
    html = Visitor().look(path_of(number)).content.decode()
    return json.loads(re.search(r'<script id="page" type="application/json">(.*?)</script>', html)[1])["puzzle"]


def solve(person, number):
    answer = person.post(f"{path_of(number)}solved/", follow=False)
    assert answer.status_code == 204


def solved_by(person):
    """The numbers of the puzzles with a mark, as the list shows them."""
    html = person.look(LIST).content.decode()
    items = re.findall(r'<li class="card puzzles__item"( data-done)?>', html)
    return [number for number, mark in enumerate(items, start=1) if mark]


def test_the_list_leads_to_ten_puzzles_none_of_which_is_solved():
    page = Page(Visitor().look(LIST).content.decode())
    links = {held.get("href") for tag, held in page.tags if tag == "a"}
    assert {path_of(number) for number in NUMBERS} <= links
    assert "0 of 10 solved" in page.text


@pytest.mark.parametrize("number", NUMBERS)
def test_whatever_can_be_sown_can_be_tried_and_one_pit_is_right(number):
    task, puzzle = task_of(number), PUZZLES[number - 1]
    offered = task["welcome"]["snapshot"]["legal"]
    right = ""
    for tries in task["steps"]:
        assert sorted(one["pit"] for one in tries) == sorted(pit for pit, *_ in offered)
        (found,) = [one for one in tries if one["right"]]
        right += letter(found["pit"])
        offered = found["sown"][-1]["legal"]
    assert (right, offered) == (puzzle.solution, [])


@pytest.mark.parametrize("number", NUMBERS)
def test_a_wrong_try_brings_moons_answer_along_and_a_score_that_does_not_win(number):
    for tries in task_of(number)["steps"]:
        for one in tries:
            own, theirs = one["score"]
            assert own + theirs == 48
            assert (own > theirs) == one["right"]
            first, *answer = one["sown"]
            assert first["side"] == "S"
            assert {sown["side"] for sown in answer} <= {"N"}
            assert one["right"] or first["turn"] != "N" or answer


def test_the_first_puzzle_as_worked_out_by_hand():
    # f: 1 stone into the store. e: 1 stone into the empty f, across from it h with 5.
    first, second = task_of(1)["steps"]
    (f,) = [one["sown"] for one in first if one["right"]]
    (e,) = [one["sown"] for one in second if one["right"]]
    assert f[0]["stones"] == [1, 2, 0, 1, 1, 0, 15, 5, 2, 1, 0, 0, 12, 8]
    assert e[0]["stones"] == [1, 2, 0, 1, 0, 0, 21, 0, 2, 1, 0, 0, 12, 8]


@pytest.mark.parametrize("number", NUMBERS)
def test_without_a_script_a_page_asks_and_answers(number):
    html = Visitor().look(path_of(number)).content.decode()
    (answer,) = re.findall(r"<noscript><details>.*?</details></noscript>", html, re.DOTALL)
    assert Page(html).text.count(Page(answer).texts[-1]) == 3, "why: when it is solved, when it is shown, and here"
    assert f"<strong>{', '.join(PUZZLES[number - 1].solution)}</strong>" in answer


@pytest.mark.parametrize("number", [0, 11, 999999999999])
def test_there_are_no_others(number, visitor):
    Visitor().look(path_of(number), status=404)
    assert visitor().post(f"{path_of(number)}solved/").status_code == 404
    assert not Solved.objects.exists()


def test_looking_at_puzzles_writes_nothing_and_solving_one_keeps_the_guest(visitor):
    ann = visitor()
    ann.look(LIST)
    ann.look(path_of(3))
    assert not Player.objects.exists()
    solve(ann, 3)
    assert Player.objects.count() == 1
    assert solved_by(ann) == [3]
    assert "1 of 10 solved" in text_of(ann.look(LIST))


def test_solved_twice_is_solved_once(visitor):
    ann = visitor()
    solve(ann, 2)
    solve(ann, 2)
    assert Solved.objects.count() == 1


def test_one_s_own_puzzles_are_solved_and_nobody_elses(visitor):
    ann, ben = visitor("Ann"), visitor("Ben")
    solve(ann, 1)
    solve(ann, 10)
    solve(ben, 4)
    assert (solved_by(ann), solved_by(ben), solved_by(visitor())) == ([1, 10], [4], [])


def test_the_list_beside_a_puzzle_marks_what_is_solved(visitor):
    ann = visitor()
    solve(ann, 6)
    links = [held for tag, held in Page(ann.look(path_of(2)).content.decode()).tags if tag == "a"]
    assert {held["href"] for held in links if "data-done" in held} == {path_of(6)}
    assert path_of(2) in {held["href"] for held in links if held.get("aria-current") == "page"}


def test_what_is_solved_is_solved_on_the_other_device(visitor):
    ann, phone = visitor("Ann"), visitor()
    solve(ann, 5)
    link = Page(ann.post("/another-device/").content.decode()).first("input", id="device-link")["value"]
    phone.post("/go-on/", key=link.partition("=")[2])
    assert solved_by(phone) == [5]


def test_nobody_solves_for_somebody_by_a_link_or_without_a_token(visitor):
    ann = visitor()
    answer = ann.client.get(f"{path_of(1)}solved/")
    assert (answer.status_code, answer["Location"]) == (302, path_of(1))
    assert ann.client.post(f"{path_of(1)}solved/").status_code == 403
    assert solved_by(ann) == []


def test_an_address_that_posts_too_much_is_held_back(visitor, monkeypatch):
    ann = visitor()
    solve(ann, 1)
    monkeypatch.setattr(caps, "may_post", lambda address: False)
    assert ann.post(f"{path_of(2)}solved/").status_code == 429
    assert solved_by(ann) == [1]


def test_to_think_about_a_puzzle_needs_no_database(visitor, monkeypatch):
    ann = visitor("Ann")

    def fail(*args):
        raise OperationalError("database is locked")

    monkeypatch.setattr(Solved.objects, "names_of", fail)
    assert "Which pit wins?" in text_of(ann.look(path_of(1)))
    assert "0 of 10 solved" in text_of(ann.look(LIST))


@pytest.mark.parametrize("path", ["/", "/how-to-play/", "/how-to-play/classic/"])
def test_the_puzzles_are_found(path):
    links = {held.get("href") for tag, held in Page(Visitor().look(path).content.decode()).tags if tag == "a"}
    assert LIST in links
