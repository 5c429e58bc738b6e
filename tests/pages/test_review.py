"""The page of a finished game gone over: what it says without a script, what it refuses, and who leads there."""

import json

import pytest

from games import actions, computers, players, reviews, snapshot, thinking
from games.engine.engine import Engine
from games.models import Game, Player, Review
from games.rules.position import Side
from tests.pages.people import Page, Visitor, text_of
from tests.rooms import begin, sow
from tests.tiny_review import PLIES, played


@pytest.fixture(autouse=True)
def waiting(monkeypatch):
    """Games put down to be looked into, which nobody does."""
    thoughts = []
    monkeypatch.setattr(reviews, "_asked", set())
    monkeypatch.setattr(thinking.Thinkers, "in_peace", lambda self, thought: thoughts.append(thought))
    return thoughts


@pytest.fixture
def known(tmp_path):
    """Have a game worked out."""

    def work_out(game: Game) -> Game:
        reviews.work_out(game, Engine(tmp_path, has_book=False, most_endings=0))
        return game

    return work_out


@pytest.fixture
def pair(db):
    return [Player.objects.create(name=name) for name in ("Maya", "Leo")]


def player_of(person: Visitor) -> Player:
    return Player.objects.get(pk=players.known(person.client.get("/").wsgi_request))


def place(game: Game) -> str:
    return f"/r/{game.room_id}/{game.number}/review/"


def rows(answer) -> list[list[str]]:
    """The cells of the table, by rows."""
    html = answer.content.decode().split("<tbody>")[1].split("</tbody>")[0]
    return [Page(row).texts for row in html.split("</tr>")[:-1]]


def test_without_a_script_the_page_says_all_that_is_known(pair, known):
    answer = Visitor().look(place(known(played(*pair))))
    assert rows(answer) == [
        ["1", "Maya", "a", "2", "2", "ba"],
        ["2", "Leo", "e", "-2", "1", "db"],
        ["3", "Leo", "d", "0", "0"],
    ]
    text = text_of(answer)
    assert "Maya 2 : 2 Leo" in text
    assert "Maya 50 % sown well 0 of 1 choices were the best" in text
    assert "Leo 71 % sown well 0 of 1 choices were the best" in text


def test_while_nothing_is_known_it_says_so_and_has_the_game_looked_into(pair, waiting):
    answer = Visitor().look(place(played(*pair)))
    assert rows(answer)[0] == ["1", "Maya", "a"]
    assert "The moves are being looked at" in text_of(answer)
    assert "Load this page again in a minute" in text_of(answer)
    assert len(waiting) == 1


def test_while_many_wait_it_says_so(pair, monkeypatch):
    monkeypatch.setattr(reviews, "_AT_MOST_WAIT", 0)
    assert "Many games are being looked at just now." in text_of(Visitor().look(place(played(*pair))))


def test_the_reader_sees_the_board_from_the_own_side_and_is_told_apart(visitor):
    maya, leo = visitor("Maya"), visitor("Leo")
    game = played(player_of(maya), player_of(leo))
    answer = leo.look(place(game))
    assert (answer.context["board"].near.side, answer.context["page"]["you"]) == ("N", "N")
    assert Visitor().look(place(game)).context["page"]["you"] is None


def test_of_two_on_one_device_the_sides_have_the_names(pair):
    maya, _ = pair
    game = actions.open_room(maya, ruleset="classic-2x1", control="", side=Side.SOUTH, shared=True)
    sow(game.room_id, PLIES)
    answer = Visitor().look(place(game))
    assert [row[1] for row in rows(answer)] == ["Sun", "Moon", "Moon"]
    assert "Maya" not in text_of(answer)


def test_a_game_with_a_computer_has_one_too(pair):
    maya, _ = pair
    game = actions.open_room(maya, ruleset="classic-2x1", control="", side=Side.SOUTH, against=computers.of_level(1))
    sow(game.room_id, PLIES)
    assert [row[1] for row in rows(Visitor().look(place(game)))] == ["Maya", "Pip", "Pip"]


def test_who_swapped_sides_is_named_by_who_they_are(pair):
    maya, leo = pair
    code = begin(maya, leo, "classic-2x1+pie")
    sow(code, "a")
    actions.swap(code, leo.pk, game=1, ply=1)
    actions.resign(code, maya.pk, game=1)
    answer = Visitor().look(f"/r/{code}/1/review/")
    assert [row[:3] for row in rows(answer)] == [["1", "Maya", "a"], ["2", "Leo", "⇄"]]


def test_a_game_that_goes_on_waits_and_leads_to_its_room(pair, waiting):
    code = begin(*pair)
    answer = Visitor().look(f"/r/{code}/1/review/", status=409)
    assert "This game still goes on." in text_of(answer)
    assert Page(answer.content.decode()).first("a", href=f"/r/{code}/")
    assert waiting == []
    assert not Review.objects.exists()


def test_who_plays_a_person_is_led_back_there(visitor, pair, waiting):
    maya = visitor("Maya")
    game = played(*pair)
    code = begin(player_of(maya), pair[1])
    answer = maya.look(place(game), status=409)
    assert "You are playing somebody just now." in text_of(answer)
    assert Page(answer.content.decode()).first("a", href=f"/r/{code}/")
    assert waiting == []
    assert Visitor().look(place(game))


def test_a_game_without_a_ply_says_so(pair):
    code = begin(*pair)
    actions.resign(code, pair[0].pk, game=1)
    assert "There is nothing to go over." in text_of(Visitor().look(f"/r/{code}/1/review/"))


@pytest.mark.parametrize("path", ["/r/abcdefgh/1/review/", "/r/{code}/2/review/"])
def test_there_is_no_review_of_no_game(pair, path):
    Visitor().look(path.format(code=played(*pair).room_id), status=404)


def test_a_finished_game_leads_there_from_its_room_and_from_the_own_games(visitor, pair):
    maya = visitor("Maya")
    game = played(player_of(maya), pair[1])
    for path in (f"/r/{game.room_id}/", "/games/"):
        assert Page(maya.look(path).content.decode()).first("a", href=place(game))


def test_a_way_through_a_game_is_had_as_a_board_is_shown_it():
    shown = json.loads(Visitor().look(f"/replay/classic-2x1/{PLIES}.json").content)
    assert [sown["stones"] for sown in shown["sown"]] == [[0, 2, 0, 1, 1, 0], [0, 2, 0, 1, 0, 1], [0, 0, 2, 0, 0, 2]]
    Visitor().look("/replay/classic-2x1/aa.json", status=404)


def test_one_query_more_is_asked_for_each_thing_and_not_for_each_ply(pair, known, django_assert_max_num_queries):
    game = known(played(*pair))
    person = Visitor()
    person.look()
    with django_assert_max_num_queries(4):
        person.look(place(game))
    assert snapshot.current_game(game.room_id).is_over
