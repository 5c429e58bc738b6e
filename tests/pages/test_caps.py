"""What one address may ask of the pages; people behind the same one play on."""

import pytest

from games import caps
from games.limits import Buckets
from tests.pages.people import text_of


@pytest.fixture
def few(monkeypatch):
    """An address may post ten forms, open two rooms, and ask for three that do not exist."""
    for name, number in (("_forms", 10), ("_rooms", 2), ("_misses", 3)):
        monkeypatch.setattr(caps, name, Buckets(0, number))


def test_rooms_are_opened_without_end_only_by_programs(few, visitor):
    """B100: two hundred new rooms a minute from one address."""
    ann = visitor()
    for _ in range(2):
        ann.open_room()
    answer = ann.post("/rooms/", follow=False)
    assert (answer.status_code, answer["Retry-After"]) == (429, "600")
    assert "Please try again in 10 minutes." in text_of(answer)


def test_another_address_opens_rooms_meanwhile(few, visitor):
    ann = visitor()
    for _ in range(3):
        ann.post("/rooms/", follow=False)
    ann.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
    assert ann.post("/rooms/", follow=False).status_code == 302


def test_forms_without_end_are_held_back_before_anything_is_read(few, visitor):
    """B100: sitting down and standing up fifty times a second."""
    ann = visitor()
    code = ann.open_room()
    for _ in range(9):
        ann.sit(code)
    answer = ann.sit(code)
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    assert "Please try again in a minute." in text_of(answer)


MISSES = ["/r/zzzzzzzz/", "/r/zzzzzzzz/state.json", "/r/zzzzzzzz/1.txt", "/r/zzzzzzzz/card.jpg", "/r/zzzzzzzz/embed/"]


@pytest.mark.parametrize("path", MISSES)
def test_codes_are_not_found_by_trying(few, visitor, path):
    ann, ben = visitor(), visitor()
    code = ann.open_room()
    for _ in range(3):
        ben.look(path, 404)
    answer = ben.look(path, 429)
    assert answer["Retry-After"] == "600"
    assert "Too many codes were tried from your network that no game has." in text_of(answer)
    there = path.replace("zzzzzzzz", code)
    assert text_of(ben.look(there, 429)) == text_of(answer)  # a hit looks like a miss
    assert ben.post("/join/", code=code).status_code == 429
    ann.look(there)  # who plays there sees it, from the same address too


def test_typed_codes_count_too(few, visitor):
    ann = visitor()
    for _ in range(3):
        assert ann.post("/join/", code="zzzzzzzz").status_code == 400
    assert ann.post("/join/", code="zzzzzzzz").status_code == 429


def test_a_school_class_behind_one_address_plays(visitor):
    """Thirty people who all come at once: each opens a room, mistypes a code and sits down with a neighbour."""
    people = [visitor() for _ in range(30)]
    codes = [person.open_room(side="S") for person in people]
    for number, person in enumerate(people):
        assert person.post("/join/", code="zzzz-zzzz").status_code == 400
        assert person.post("/join/", code=codes[number - 1]).status_code == 200
        assert person.sit(codes[number - 1]).status_code == 200
        assert person.seat(codes[number - 1]) == "N"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unix:", ""),
        ("", ""),
    ],
)
def test_an_address_is_that_of_a_network_where_everybody_has_many(text, address):
    assert caps.address_of({"client": [text, 0]}) == address
    assert caps.address_of({"client": None}) == ""
