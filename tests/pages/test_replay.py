"""A pasted record: what is understood, what is wrong with the rest, and the address that holds the game."""

import json
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from games.models import Game, Player, Room
from games.rules import transcript
from games.rules.ruleset import by_key
from tests.known_games import PRINTED, SHORT
from tests.pages.people import Page, Visitor, text_of

PLACE = f"/replay/both-stores-6x4/{PRINTED}/"
RECORD = transcript.record(by_key("both-stores-6x4"), PRINTED, south="Ann", north="Ben")


def paste(text: str, **choices: str):
    return Visitor().post("/replay/", follow=False, text=text, **choices)


def error(answer) -> str:
    return " ".join(answer.context["form"].errors["text"])


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        (RECORD, {}),
        (RECORD.replace("\n", "\r\n"), {"rules": "classic", "pits": "3"}),
        (json.dumps({"ruleset": "both-stores-6x4", "transcript": PRINTED, "room": "abcdefgh"}), {}),
        (f"Ruleset: both-stores-6x4\n{PRINTED}", {}),
        (PRINTED, {"rules": "both-stores"}),
        (f"1. {PRINTED[:2].upper()} {PRINTED[2:4]}\n2. {PRINTED[4:]}", {"rules": "both-stores"}),
    ],
)
def test_a_record_leads_to_the_address_of_its_game(db, text, choices):
    answer = paste(text, **choices)
    assert (answer.status_code, answer.url) == (302, PLACE)


def test_the_choices_tell_how_plies_alone_are_read(db):
    answer = paste("ab", rules="classic", stones="3", pits="3", majority="on")
    assert answer.url == "/replay/classic-3x3+majority/ab/"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Paste the moves of a game."),
        ("1. 2.", "Paste the moves of a game."),
        ("hello world", "This is no record"),
        ('{"ruleset": "classic-6x4"}', "This is no record"),
        ("Ruleset: oware-6x4\nca", "Nobody knows the rules"),
        ("cc", "Move 2, c: that pit is empty."),
        ("dd", "Move 2, d: it is the turn of Moon, with the pits h to m."),
        ("h", "Move 1, h: it is the turn of Sun, with the pits a to f."),
        ("dn", "Move 2, n: it is the turn of Moon, with the pits h to m."),
        ("Ruleset: classic-6x4+pie\ndnn", "Move 3, n: sides are swapped once, by Moon, before its first move."),
        ("cg", "Move 2, g: it is the turn of Sun, with the pits a to f."),
        ("Ruleset: classic-1x2\naa", "Move 2, a: the game is over before it."),
        ("a" * 100_001, "This text is too long."),
        ("Ruleset: classic-9x9\n" + "a" * 401, "This text is too long."),
    ],
)
def test_what_cannot_be_replayed_says_where_and_why(db, text, words):
    answer = paste(text)
    assert answer.status_code == 400
    assert words in error(answer)
    page = Page(answer.content.decode())
    assert page.first("textarea", id="text")["aria-describedby"] == "text-error"


def test_what_was_pasted_and_chosen_is_still_there_to_be_put_right(db):
    answer = paste("cc & <b>", rules="avalanche")
    page = Page(answer.content.decode())
    assert "cc & <b>" in page.text
    assert "checked" in page.first("input", name="rules", value="avalanche")


def test_a_replay_shows_the_board_before_the_first_ply_and_lists_all():
    answer = Visitor().look(PLACE)
    page = Page(answer.content.decode())
    assert [pit.count for pit in answer.context["board"].near.pits] == [4] * 6
    assert len([tag for tag, held in page.tags if tag == "a" and held.get("href", "").startswith("#move-")]) == 31
    assert "Move 0 of 31" in page.text
    assert "Both stores, 6 pits, 4 stones" in " ".join(page.text.replace(" ,", ",").split())
    assert page.first("a", id="in-solver")["href"] == "/solver/"


def test_the_solver_does_not_know_games_that_more_than_half_wins():
    assert "in the solver" not in text_of(Visitor().look("/replay/classic-3x3+majority/ab/"))


def test_a_record_with_a_swap_is_replayed_and_says_so(db):
    record = transcript.record(by_key("classic-6x4+majority+pie"), "dnh", south="Ann", north="Ben")
    answer = paste(record)
    assert answer.url == "/replay/classic-6x4+majority+pie/dnh/"
    assert paste("dnh", majority="on", pie="on").url == answer.url
    text = " ".join(text_of(Visitor().look(answer.url)).split())
    assert "The players swap sides. Moon is to move." in text
    assert "Move 2: the players swap sides" in text
    assert "Moon sows 5 stones from pit h." in text
    assert "more than half wins , with swapping" in text
    assert Client().get(f"{answer.url}card.jpg").status_code == 200


@pytest.mark.parametrize("key", ["avalanche-6x4", "classic-1x1", "no-empty-capture-9x9", "classic-6x4+majority"])
def test_a_game_of_any_size_and_ruleset_has_a_replay_and_a_picture(key):
    assert "Move 0 of 1" in text_of(Visitor().look(f"/replay/{key}/a/"))
    picture = Client().get(f"/replay/{key}/a/card.jpg")
    assert Image.open(BytesIO(picture.content)).size == (1200, 630)


def test_a_link_to_a_replay_shows_its_last_board():
    page = Page(Client().get(PLACE).content.decode())
    assert page.first("meta", property="og:image")["content"] == f"http://testserver{PLACE}card.jpg"
    assert page.first("meta", property="og:image:alt")["content"] == "The last board, 25 to 23"


@pytest.mark.parametrize("path", ["classic-6x4/cc", "oware-6x4/ca", "classic-6x4/-", "classic-6x4/" + "a" * 401])
def test_an_address_that_holds_no_game_says_why_and_has_no_picture(path):
    answer = Visitor().look(f"/replay/{path}/", status=404)
    assert error(answer)
    assert Client().get(f"/replay/{path}/card.jpg").status_code == 404


@pytest.mark.parametrize(
    "path", ["classic-6x4/CA", "%20classic-6x4/ca", "classic-6x4%C2%A0/ca", "%0aclassic-6x4%0a/cA"]
)
def test_an_address_written_otherwise_leads_to_the_one_that_is_shared_and_shows_the_same(path):
    answer = Client().get(f"/replay/{path}/")
    assert (answer.status_code, answer.url) == (302, "/replay/classic-6x4/ca/")
    for what in (".json", "/card.jpg"):
        assert Client().get(f"/replay/{path}{what}").content == Client().get(f"/replay/classic-6x4/ca{what}").content


def test_nothing_is_kept(db):
    paste(SHORT, rules="both-stores", pits="3", stones="3")
    Client().get(PLACE)
    assert [rows.objects.count() for rows in (Player, Room, Game)] == [0, 0, 0]


def test_the_lobby_leads_there(db):
    assert Page(Visitor().look().content.decode()).first("a", href="/replay/")
