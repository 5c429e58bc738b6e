"""A name is text wherever it is shown: in pages, in the data for scripts, in records and in the admin."""

import json
import re

import pytest

from games import presence
from games.presence import Counts
from tests.pages.people import Page
from tests.rooms import sow

# As long as a name may be, and as wicked as that allows.
WICKED = {
    "an image": "<img src=x onerror=1>"[:20],
    "markup that breaks out": '"><svg onload=a>',
    "a template": '{{"wxq"|upper}}',
    "the end of a script": "</script><script>a"[:20],
    "an entity": "<!--&lt;b&gt;&amp;",
    "a line of a record": "x\nSouth: y",
}
CLEANED = {name: " ".join(text.split()) for name, text in WICKED.items()}


@pytest.fixture(params=WICKED)
def name(request):
    return request.param


@pytest.fixture
def room(visitor, name):
    """A public game between two wicked names."""
    host, guest = visitor(WICKED[name]), visitor(WICKED[name])
    code = host.open_room(visibility="public")
    guest.sit(code)
    sow(code, "c")
    presence.remember({code: Counts(north=1)})
    return code


@pytest.fixture
def waiting(visitor, name):
    """A public room where a wicked name waits."""
    code = visitor(WICKED[name]).open_room(visibility="public")
    presence.remember({code: Counts(south=1)})
    return code


def check(html, name):
    """The name is there, as text, and nothing of it became markup or an attribute."""
    page = Page(html)
    values = [value for _, attributes in page.tags for value in attributes.values() if value]
    assert any(CLEANED[name] in text for text in (page.text, *values))
    assert "WXQ" not in page.text
    for tag, attributes in page.tags:
        assert tag != "img" or re.match(r"/static/|/r/\w{8}/qr\.svg$", attributes["src"])
        assert not [attribute for attribute in attributes if attribute.startswith("on")]
    assert all(
        attributes.get("src") or attributes.get("type") == "application/json"
        for tag, attributes in page.tags
        if tag == "script"
    )


def test_a_name_is_text_at_the_board(visitor, room, name):
    """B93: names run as HTML; here and below."""
    check(visitor().look(f"/r/{room}/").content.decode(), name)


def test_a_name_is_text_in_the_lobby(visitor, room, waiting, name):
    answer = visitor().look("/")
    assert len(answer.context["lobby"].open) == len(answer.context["lobby"].playing) == 1
    check(answer.content.decode(), name)


def test_a_name_is_text_in_its_own_form_and_in_an_invitation(visitor, waiting, name):
    person = visitor(WICKED[name])
    check(person.look("/").content.decode(), name)
    check(visitor().look(f"/r/{waiting}/").content.decode(), name)


@pytest.mark.parametrize("field", ["name", "code"])
def test_what_was_typed_wrongly_comes_back_as_text(visitor, name, field):
    typed = WICKED[name] + "!" * 21
    answer = visitor().post({"name": "/name/", "code": "/join/"}[field], **{field: typed})
    assert answer.status_code == 400
    page = Page(answer.content.decode())
    assert page.first("input", name=field)["value"] == typed
    assert "img" not in {tag for tag, _ in page.tags}


def test_a_name_in_the_data_for_the_script_cannot_end_it(visitor, room, name):
    html = visitor().look(f"/r/{room}/").content.decode()
    block = re.search(r'<script id="page" type="application/json">(.*?)</script>', html, re.DOTALL)[1]
    assert not set(block) & set("<>&")
    assert json.loads(block)["snapshot"]["seats"]["S"]["name"] == CLEANED[name]


def test_a_name_cannot_add_lines_to_a_record(visitor, room, name):
    answer = visitor().look(f"/r/{room}/1.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"
    head = answer.content.decode().split("\n\n")[0].split("\n")
    assert [line.split(":")[0] for line in head] == ["Ruleset", "South", "North", "Result"]
    assert head[1] == f"South: {CLEANED[name]}"
    assert head[2] == f"North: {CLEANED[name]} (2)"


def test_a_name_is_data_in_json(visitor, room, name):
    for path in ("state.json", "1.json"):
        answer = visitor().look(f"/r/{room}/{path}")
        assert answer["Content-Type"] == "application/json"
        assert CLEANED[name] in json.dumps(answer.json(), ensure_ascii=False).replace('\\"', '"')


def test_a_name_is_text_in_the_admin(operator, room, name):
    for kind in ("player", "room", "game"):
        answer = operator.get(f"/admin/games/{kind}/")
        assert answer.status_code == 200
        check(answer.content.decode(), name)
