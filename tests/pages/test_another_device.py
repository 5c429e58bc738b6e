"""The link with which a guest goes on on another device: good once, and not for long (B67, its second half)."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.cache import cache
from redis.exceptions import ConnectionError as RedisConnectionError

from games import actions
from games.actions.handover import GOOD_MINUTES
from games.models import Player
from games.players import Guest
from tests.pages.people import Page, messages_of, text_of
from tests.rooms import sow

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(visitor):
    return visitor("Ann")


def link_of(person) -> str:
    """The path of a new link, as the page shows it."""
    answer = person.post("/another-device/")
    assert answer.status_code == 200
    return Page(answer.content.decode()).first("input", id="device-link")["value"].removeprefix("http://testserver")


def key_of(link: str) -> str:
    return link.partition("=")[2]


def go_on(person, link: str):
    return person.post("/go-on/", key=key_of(link))


def test_the_seat_is_there_on_the_other_device_and_stays_on_the_first(ann, visitor):
    # B67: a guest's cookie is gone, and a private link restores the seat.
    code, phone = ann.open_room(side="S"), visitor()
    visitor("Ben").sit(code)
    assert phone.seat(code) is None
    answer = go_on(phone, link_of(ann))
    assert messages_of(answer) == ["Hello again! Here you are Ann, too."]
    assert [phone.seat(code), ann.seat(code)] == ["S", "S"]
    sow(code, "d")
    for device in (phone, ann):
        assert [game.code for game in device.look("/").context["mine"].games] == [code]


def test_somebody_who_never_sat_takes_the_suggested_name_along_and_no_row_is_written(visitor):
    desk, phone = visitor(), visitor()
    name = desk.look("/").context["player_name"]
    assert go_on(phone, link_of(desk)).context["player_name"] == name
    assert not Player.objects.exists()


def test_opening_the_link_asks_and_uses_nothing_up(ann, visitor):
    """B70: chat programs fetch links."""
    link, robot, phone = link_of(ann), visitor(), visitor()
    for _ in range(3):
        answer = robot.look(link, user_agent="WhatsApp/2.23")
        assert "Go on here as Ann ?" in text_of(answer)
        assert "sessionid" not in answer.cookies
        assert robot.client.head(link).status_code == 200
    assert messages_of(go_on(phone, link))


def test_the_link_works_once_and_says_so_afterwards(ann, visitor):
    link = link_of(ann)
    go_on(visitor(), link)
    for answer in (visitor().look(link, 410), go_on(visitor(), link)):
        assert answer.status_code == 410
        assert "This link is used up" in text_of(answer)
        assert "Make a new one on the device with your games" in text_of(answer)


@pytest.mark.parametrize(
    ("key", "status"), [("", 404), ("x" * 23, 404), ("ä" * 24, 404), ("\x00" * 24, 404), ("A" * 24, 410)]
)
def test_what_leads_nowhere_is_told_what_to_do(visitor, key, status):
    person = visitor()
    for answer in (person.client.get("/go-on/", {"key": key}), person.post("/go-on/", key=key)):
        assert answer.status_code == status
        assert "Make a new one on the device with your games" in text_of(answer)


def test_of_two_who_answer_in_the_same_moment_one_becomes_the_guest():
    key, barrier = actions.hand_over(Guest(Player.objects.create(name="Ann").pk, "Ann")), Barrier(8)

    def take() -> bool:
        barrier.wait()
        try:
            actions.take_over(key)
        except actions.NoHandover:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda _: take(), range(8))) == 1


def test_the_link_is_good_for_ten_minutes_and_the_page_says_so(ann, monkeypatch):
    kept = []
    monkeypatch.setattr(cache, "set", lambda key, value, seconds: kept.append((key, seconds)))
    link = link_of(ann)
    ((key, seconds),) = kept
    assert seconds == GOOD_MINUTES * 60 == 600
    assert key_of(link) not in key  # whoever reads the cache cannot go on with it
    assert "The link works once, within 10 minutes." in text_of(ann.look("/another-device/"))


def test_who_has_games_here_is_told_what_becomes_of_them(ann, visitor):
    link, ben, cleo = link_of(ann), visitor("Ben"), visitor("Cleo")
    code = ben.open_room()
    assert "This browser has games of its own, as Ben . They stay with that name" in text_of(ben.look(link))
    assert "games of its own" not in text_of(cleo.look(link))
    go_on(ben, link)
    assert ben.seat(code) is None


def test_the_own_link_says_that_it_is_for_the_other_device(ann):
    link = link_of(ann)
    assert "Here you are Ann already" in text_of(ann.look(link))
    assert 'name="key"' not in ann.look(link).content.decode()


def test_the_secret_goes_nowhere_else(ann, visitor):
    link = link_of(ann)
    answer = visitor().look(link)
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in answer.headers["Cache-Control"]
    page = Page(answer.content.decode())
    assert page.first("meta", name="robots")["content"] == "noindex"
    told = [held["content"] for tag, held in page.tags if tag == "meta" and "content" in held]
    assert not [text for text in told if key_of(link) in text]
    assert key_of(link) not in answer.wsgi_request.path  # which is what Django logs


def test_the_page_with_the_link_is_kept_by_nobody_and_has_its_code(ann):
    answer = ann.post("/another-device/")
    assert "no-store" in answer.headers["Cache-Control"]
    assert re.search(r'<div class="qr" role="img"[^>]*><svg ', answer.content.decode())


def test_a_form_from_elsewhere_makes_nobody_somebody_else(ann, visitor):
    link, phone = link_of(ann), visitor()
    assert phone.client.post("/go-on/", {"key": key_of(link)}).status_code == 403
    assert "Go on here as Ann ?" in text_of(phone.look(link))


def test_without_its_cache_the_page_asks_to_come_back(ann, monkeypatch, caplog):
    def fail(*_):
        raise RedisConnectionError("refused")

    monkeypatch.setattr(cache, "set", fail)
    answer = ann.post("/another-device/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "POST /another-device/: the cache did not answer" in caplog.text
