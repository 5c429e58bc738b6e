"""The solver's page: what its form sets up, what it says without a script, and why it says nothing."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from games import caps, studying
from games.limits import Buckets
from games.models import Game
from tests.pages.people import Page, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_engine")]

KNOWN = "2,1,2,2,1,0,15/0,0,2,1,0,0,22 S"
"""The first of tests/golden/positions-classic.jsonl: a -6, b and c -2, d and e -4; these two end in f, alone."""
LAST = "0,0,1,9/2,0,1,11 S"


@pytest.fixture
def look(client):
    """The page at an address, and its answer."""

    def look(status=200, **query):
        answer = client.get("/solver/", query)
        assert answer.status_code == status
        return Page(answer.content.decode()), answer

    return look


def set_up(client, position="1,2,3/4,5,6 N", **fields):
    """Send the form with these numbers; the ruleset and position that it leads to."""
    rows, turn = position.split(" ")
    holes = {f"h{hole}": n for hole, n in enumerate(re.split("[,/]", rows))}
    form = {"rules": "avalanche", "pits": "2", "stones": "4", "turn": turn, **holes, "do": "show", **fields}
    answer = client.get("/solver/", {name: value for name, value in form.items() if value is not None})
    assert answer.status_code == 302
    query = parse_qs(urlsplit(answer.url).query)
    return query["rules"][0], query["position"][0]


@pytest.mark.parametrize(
    ("fields", "position"),
    [
        ({}, "1,2,3/4,5,6 N"),
        ({"h0": "", "h4": "007"}, "0,2,3/4,7,6 N"),
        ({"do": "start", "stones": "3", "turn": "S"}, "3,3,0/3,3,0 S"),
        ({"do": "clear"}, "0,0,0/0,0,0 N"),
        ({"do": "round"}, "4,5,6/1,2,3 S"),
        ({"pits": "3"}, "4,4,4,0/4,4,4,0 N"),
        ({"h3": "x"}, "1,2,3/x,5,6 N"),
    ],
)
def test_the_form_leads_to_an_address_that_holds_the_whole_question(client, fields, position):
    assert set_up(client, **fields) == ("avalanche", position)


def test_without_a_script_all_is_said_in_words_with_ways_on(look):
    page, _ = look(rules="classic", position=LAST)
    assert "Moon wins by 4 with best play" in page.text
    assert "Pit c −4 Moon wins by 4" in page.text
    assert "Best play: c" in page.text
    sown = page.first("a", **{"data-pit": "2"})
    assert sown["href"] == "/solver/?rules=classic&position=0,0,0,10/0,0,0,14%20N"
    page, _ = look(rules="classic", position="0,0,0,10/0,0,0,14 N")
    assert "Game over. Moon won, 14 to 10." in page.text


def test_what_each_pit_is_worth_is_told_with_what_it_brings_at_once(look):
    page, answer = look(rules="classic", position=KNOWN, seconds="5")
    told = {move.worth.letter: (move.short, move.words, move.worth.best) for move in answer.context["told"]}
    assert told == {
        "a": ("−6", "Moon wins by 6", False),
        "b": ("−2", "Moon wins by 2", True),
        "c": ("−2", "Moon wins by 2", True),
        "d": ("−4", "Moon wins by 4. Captures 1", False),
        "e": ("−4", "Moon wins by 4. Captures 1", False),
    }
    assert ["data-best" in held for tag, held in page.tags if tag == "li"][:5] == [False, True, True, False, False]
    assert "Moon wins by 2 with best play" in page.text


def test_every_hole_is_a_number_with_a_name(look):
    page, _ = look(rules="classic", position=LAST)
    inputs = [held for tag, held in page.tags if tag == "input" and held["type"] == "number"]
    found = sorted((held["name"], held["value"], held["aria-label"]) for held in inputs)
    assert found == [
        ("h0", "0", "Sun’s pit a"), ("h1", "0", "Sun’s pit b"), ("h2", "1", "Sun’s pit c"), ("h3", "9", "Sun’s store"),
        ("h4", "2", "Moon’s pit e"), ("h5", "0", "Moon’s pit f"), ("h6", "1", "Moon’s pit g"),
        ("h7", "11", "Moon’s store"),
    ]  # fmt: skip


def test_it_begins_with_the_start_of_a_game_about_which_nobody_has_thought_yet(look):
    page, answer = look()
    assert answer.context["answer"] is None
    assert "What is each move worth?" in page.text
    assert 'name="robots"' not in answer.content.decode()
    assert json.loads(re.search(r'id="page"[^>]*>(.*?)<', answer.content.decode())[1])["fault"] is None


@pytest.mark.parametrize(
    ("position", "stones"), [("0,0,0/0,0,0 S", "3"), ("5,5,0/5,5,0 S", "5"), ("40,0,0/0,40,0 S", "6")]
)
def test_whatever_lies_there_the_form_can_be_sent(look, position, stones):
    page, _ = look(rules="classic", position=position)
    chosen = {held["name"]: held["value"] for tag, held in page.tags if tag == "input" and "checked" in held}
    assert chosen.items() >= {"turn": "S", "rules": "classic", "pits": "2", "stones": stones}.items()


def test_positions_are_not_for_search_engines(look):
    _, answer = look(rules="classic", position=LAST)
    assert '<meta name="robots" content="noindex">' in answer.content.decode()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"rules": "classic", "position": "x,4,0/4,4,0 S"}, "This is no position"),
        ({"rules": "classic", "position": "4,4,0/4,0 S"}, "The two rows must have the same number of pits."),
        ({"rules": "classic", "position": "162,4,0/4,4,0 S"}, "These are too many stones to work out."),
        ({"rules": "oware", "position": LAST}, "Nobody knows these rules."),
        ({"rules": "classic-3x4+majority", "position": LAST}, "Nobody knows these rules."),
        ({"rules": "classic", "position": LAST, "seconds": "9"}, "The solver thinks for five seconds at most."),
    ],
)
def test_what_cannot_be_answered_says_why(look, query, words):
    page, _ = look(400, **query)
    assert words in page.text


def test_what_is_left_out_is_the_start_and_classic(look):
    page, _ = look(rules="avalanche")
    assert "Avalanche" in page.text
    look(position=LAST)


def test_one_address_asks_only_so_often(look, monkeypatch):
    monkeypatch.setattr(caps, "_solves", Buckets(0, 0))
    page, answer = look(429, rules="classic", position=LAST)
    assert "Too many positions came from your network." in page.text
    assert int(answer["Retry-After"]) > 0
    look()  # to look at the board alone costs nothing


def test_who_plays_a_person_finds_it_closed_until_then(visitor):
    ann, ben = visitor("Ann"), visitor("Ben")
    code = ann.open_room(side="S")
    ben.sit(code)
    path = f"/solver/?rules=classic&position={LAST.replace(' ', '%20')}"
    closed = ann.look(path, 409)
    assert "You are playing a game. The solver waits until it is over." in text_of(closed)
    assert f'href="/r/{code}/"' in closed.content.decode()
    ben.look(path, 409)
    visitor().look(path)
    game = Game.objects.get(room_id=code)
    assert game.status == Game.Status.PLAYING


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((4, 4, 4), "Sun wins by 4 with best play"),
        ((-3, -3, -3), "Moon wins by 3 with best play"),
        ((0, 0, 0), "A draw with best play"),
        ((2, 8, 5), "Sun wins by at least 2 with best play"),
        ((-8, -2, -5), "Moon wins by at least 2 with best play"),
        ((-2, 8, 5), "Not settled yet: from −2 to +8"),
        ((-20, 20, 5), "Not settled yet: about +5"),
    ],
)
def test_bounds_are_told_as_bounds(values, words):
    low, high, guess = values
    worth = type("Value", (), {"low": low, "high": high, "guess": guess})
    assert studying._worth("best.", "S", worth) == words


def test_the_ways_to_it_are_there(client):
    for path in ("/", "/how-to-play/"):
        assert 'href="/solver/"' in client.get(path).content.decode()
