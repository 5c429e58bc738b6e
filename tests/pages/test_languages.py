"""Which language a page speaks, that it speaks nothing else, and the switch. The catalogs: tests/test_words.py."""

import gettext
import re

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client

from games import lists
from games.forms import OpenRoomForm
from tests.pages.people import Page
from tests.processes import PROJECT

TRANSLATED = [code for code, _ in settings.LANGUAGES if code != "en"]
HEADINGS = {"en": "Start a game", "de": "Spiel starten", "fr": "Commencer une partie", "es": "Empezar una partida"}
YEAR_S = 365 * 24 * 60 * 60


def english(language: str) -> list[str]:
    """Sentences that nobody should find on a page in this language: translated, and too long to be there by chance."""
    with (PROJECT / "locale" / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        catalog = gettext.GNUTranslations(file)._catalog
    sentences = ((key.rpartition("\x04")[2], text) for key, text in catalog.items() if isinstance(key, str))
    return [sentence for sentence, text in sentences if len(sentence) > 8 and sentence != text]


def language_of(answer) -> str:
    """What a page says it speaks, in its head and on its root."""
    of_root = re.search(r'<html lang="(\w+)"', answer.content.decode())[1]
    assert answer.headers["Content-Language"] == of_root
    return of_root


@pytest.fixture
def pages(visitor, plain_engine):
    """Every kind of page: (path, whom it is for, its status)."""
    maya, leo, eve = visitor("Maya"), visitor("Leo"), visitor("Eve")
    waiting, playing = maya.open_room(), maya.open_room()
    leo.post(f"/r/{playing}/seat/")
    return [
        ("/", eve, 200),
        ("/", maya, 200),
        ("/how-to-play/", eve, 200),
        ("/how-to-play/", leo, 200),
        ("/how-to-play/sample-game/", eve, 200),
        *((f"/how-to-play/{rules}/", eve, 200) for rules in OpenRoomForm.RULES),
        ("/puzzles/", eve, 200),
        *((f"/puzzles/{number}/", eve, 200) for number in range(1, 11)),
        (f"/r/{waiting}/", maya, 200),
        (f"/r/{waiting}/", eve, 200),
        (f"/r/{playing}/", leo, 200),
        (f"/r/{playing}/", eve, 200),
        ("/games/", leo, 200),
        ("/solver/", eve, 200),
        ("/solver/?rules=classic&position=0,0,1,9/2,0,1,11%20S", eve, 200),
        ("/solver/?rules=classic&position=4,4,0/4,0%20S", eve, 400),
        ("/another-device/", eve, 200),
        ("/go-on/", leo, 404),
        ("/r/zzzzzzzz/", eve, 404),
        ("/nowhere/", eve, 404),
    ]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_page_speaks_one_language_in_all_that_is_seen_and_heard(pages, language):
    for path, person, status in pages:
        answer = person.look(path, status, accept_language=language)
        assert language_of(answer) == language, path
        page = Page(answer.content.decode())
        held = " ".join([page.text, *(text for _, attributes in page.tags for text in attributes.values() if text)])
        assert [sentence for sentence in english(language) if sentence in held] == [], path


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("es-MX", "es"),
        ("pl,fr;q=0.5,en;q=0.3", "fr"),
        ("en-GB,de;q=0.9", "en"),
        ("pl", "en"),
        ("*;q=x,,\x00", "en"),
    ],
)
def test_the_browser_says_which_language_its_reader_knows(db, asked, language):
    answer = Client().get("/", headers={"accept-language": asked})
    assert language_of(answer) == language
    assert HEADINGS[language] in Page(answer.content.decode()).texts


@pytest.mark.parametrize("path", ["/", "/how-to-play/"])
def test_no_cache_gives_a_page_to_a_reader_of_another_language(db, path):
    assert {"Accept-Language", "Cookie"} <= set(Client().get(path).headers["Vary"].split(", "))


def test_the_switch_names_every_language_in_its_own_words_on_every_page(pages):
    for path, person, status in pages:
        page = Page(person.look(path, status, accept_language="fr").content.decode())
        buttons = [
            attributes for tag, attributes in page.tags if tag == "button" and attributes.get("name") == "language"
        ]
        assert [button["lang"] for button in buttons[:4]] == ["en", "de", "fr", "es"], path
        assert {button["value"] for button in buttons if "aria-current" in button} == {"fr"}
        assert {"English", "Deutsch", "Français", "Español"} <= set(page.texts)


def test_the_switch_outdoes_the_browser_for_a_year_and_comes_back_to_the_page(visitor):
    eve = visitor()
    answer = eve.post("/language/", follow=False, language="es", next="/how-to-play/?from=here")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/how-to-play/?from=here")
    cookie = answer.cookies["language"]
    assert (cookie.value, cookie["max-age"], cookie["samesite"], cookie["path"]) == ("es", YEAR_S, "Lax", "/")
    assert cookie["httponly"]
    assert language_of(eve.look("/", accept_language="de")) == "es"


@pytest.mark.parametrize(
    "path", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", ""]
)
def test_the_switch_leads_nowhere_else(visitor, path):
    answer = visitor().post("/language/", follow=False, language="de", next=path)
    assert answer.headers["Location"] == "/"


def test_a_language_that_there_is_not_changes_nothing(visitor):
    eve = visitor()
    answer = eve.post("/language/", follow=False, language="../en", next="/")
    assert "language" not in answer.cookies
    eve.client.cookies["language"] = "xx"
    assert language_of(eve.look("/")) == "en"


def test_the_switch_of_a_page_that_answers_a_form_leads_to_one_that_can_be_opened(visitor):
    eve = visitor()
    eve.client.cookies["language"] = "de"
    answer = eve.post("/join/", code="xyz")
    page = Page(answer.content.decode())
    assert answer.status_code == 400
    assert "Ein Code hat 8 Buchstaben und Ziffern" in page.text
    at = page.tags.index(("form", page.first("form", action="/language/")))
    assert next(held for tag, held in page.tags[at:] if held.get("name") == "next")["value"] == "/"


@pytest.mark.parametrize(
    ("failure", "status", "heading"),
    [(ZeroDivisionError(), 500, "Etwas ist schiefgegangen"), (OperationalError(), 503, "Einen Moment, bitte")],
    ids=["broken", "database away"],
)
def test_a_page_that_fails_says_so_in_the_language_of_its_reader(monkeypatch, failure, status, heading):
    def fail(*_):
        raise failure

    monkeypatch.setattr(lists, "lobby", fail)
    answer = Client(raise_request_exception=False).get("/", headers={"accept-language": "de"})
    assert answer.status_code == status
    assert language_of(answer) == "de"
    assert heading in Page(answer.content.decode()).texts


def test_a_form_without_its_token_is_refused_in_the_language_of_its_reader(db):
    answer = Client(enforce_csrf_checks=True).post("/name/", {"name": "Eve"}, headers={"accept-language": "fr"})
    assert answer.status_code == 403
    assert language_of(answer) == "fr"
    assert "Ton navigateur bloque les cookies" in Page(answer.content.decode()).texts
