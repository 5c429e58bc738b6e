"""A room inside somebody else's page: any page may show it, it belongs to nobody, and no other page may be shown so."""

import pytest

from tests.pages.people import Page, text_of
from tests.rooms import sow


@pytest.fixture
def ann(visitor):
    return visitor("Ann")


@pytest.fixture
def code(ann, visitor):
    code = ann.open_room(side="S")
    visitor("Ben").sit(code)
    return code


def test_it_shows_the_board_the_players_and_whose_turn_it_is(ann, code):
    sow(code, "d")
    page = Page(ann.look(f"/r/{code}/embed/").content.decode())
    states = {held["data-side"]: held["data-state"] for tag, held in page.tags if held.get("class") == "embed__side"}
    assert states == {"S": "idle", "N": "turn"}
    assert page.first("section", id="board")["data-ply"] == "1"
    assert {"Ann", "Ben"} <= set(page.texts)
    link = page.first("a", href=f"/r/{code}/")
    assert (link["target"], link["rel"], link["aria-label"]) == ("_blank", "noopener", "Open in Mancala")


def test_a_player_only_watches_there_and_no_cookie_is_read_or_set(ann, visitor, code):
    answer, stranger = ann.look(f"/r/{code}/embed/"), visitor().look(f"/r/{code}/embed/")
    for seen in (answer, stranger):
        assert (seen.context["page"]["you"], seen.context["page"]["player"]) == (None, None)
        assert not seen.cookies
        assert "Cookie" not in seen.headers["Vary"]
        assert not Page(seen.content.decode()).first("section", id="board")["data-hand"]
    assert answer.content == stranger.content


def test_any_page_may_show_it_and_no_other_page_of_ours(ann, code):
    for path, status in ((f"/r/{code}/embed/", 200), ("/r/zzzzzzzz/embed/", 404), ("/r/nonsense!/embed/", 404)):
        answer = ann.look(path, status)
        assert "frame-ancestors *" in answer.headers["Content-Security-Policy"], path
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"], path
        assert "X-Frame-Options" not in answer.headers
    for path in (
        "/",
        f"/r/{code}/",
        "/games/",
        "/another-device/",
        "/go-on/",
        "/how-to-play/",
        "/replay/",
        "/nowhere/",
    ):
        policy = ann.client.get(path).headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy, path


def test_a_room_that_is_not_there_is_told_in_few_words(ann):
    for code in ("zzzzzzzz", "nonsense!", "%00", "a" * 300):
        answer = ann.look(f"/r/{code}/embed/", 404)
        assert "No game here" in text_of(answer)
        assert "<script" not in answer.content.decode()


def test_a_code_as_people_type_it_leads_there_too(ann, code):
    answer = ann.client.get(f"/r/{code[:4].upper()}-{code[4:]}/embed/")
    assert answer.headers["Location"] == f"/r/{code}/embed/"


def test_the_room_hands_out_what_to_paste(ann, code):
    held = Page(ann.look(f"/r/{code}/").content.decode()).first("input", id="embed")
    assert held["value"] == f'<iframe src="http://testserver/r/{code}/embed/" width="480" height="320"></iframe>'
