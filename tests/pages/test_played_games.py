"""The reader's finished games: what their page says of each, from the reader's seat, and who finds it."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from games import actions, history
from games.models import Game, Player
from tests.pages.people import Page, text_of
from tests.rooms import begin, sow

GOLDEN = "cebgceb"
"""A golden game of classic-3x3: North wins 14:4."""


@pytest.fixture
def ann(visitor):
    return visitor("Ann")


@pytest.fixture
def ben(visitor):
    return visitor("Ben")


def play(south, north, plies: str = "", **choices: str) -> str:
    """A game of classic-3x3 between two visitors: the code of its room."""
    code = south.open_room(side="S", stones="3", pits="3", **choices)
    north.sit(code)
    sow(code, plies)
    return code


def resign(code: str, side: str) -> None:
    game = Game.objects.get(room=code)
    actions.resign(code, {"S": game.south_id, "N": game.north_id}[side], game=game.number)


def rows(answer) -> list[str]:
    """What the page says of each game, buttons and all."""
    items = re.findall(r'<li class="played__game".*?</li>', answer.content.decode(), re.DOTALL)
    return [Page(item).text for item in items]


def links(answer) -> set[str]:
    """Where the page leads to within the site."""
    return {held["href"] for tag, held in Page(answer.content.decode()).tags if tag == "a" and held.get("href")}


def test_a_game_is_told_from_the_seat_of_the_reader(ann, ben):
    code = play(ann, ben, GOLDEN)
    (lost,), (won,) = rows(ann.look("/games/")), rows(ben.look("/games/"))
    assert lost.startswith("Lost Against Ben Stones, yours first: 4 : 14 All stones are home.")
    assert won.startswith("Won Against Ann Stones, yours first: 14 : 4 All stones are home.")
    assert "Classic , 3 pits, 3 stones" in won
    for person in (ann, ben):
        assert {f"/replay/classic-3x3/{GOLDEN}/", f"/r/{code}/1.txt", f"/r/{code}/"} <= links(person.look("/games/"))


def test_who_resigned_and_a_draw_that_was_agreed_are_named(ann, ben):
    resign(play(ann, ben), "N")
    code = play(ann, ben)
    game = Game.objects.get(room=code)
    for player in (game.south_id, game.north_id):
        actions.offer(code, player, game=1, kind="draw")
    draw, won = rows(ann.look("/games/"))
    assert draw.startswith("A draw Against Ben Stones, yours first: 0 : 0 A draw was agreed.")
    assert won.startswith("Won Against Ben Stones, yours first: 0 : 0 Ben resigned.")
    assert "You resigned." in rows(ben.look("/games/"))[1]
    assert "Step through it" not in won  # nothing was sown


def test_a_game_on_one_device_is_won_by_a_side(ann):
    code = ann.open_room(visibility="shared", stones="3", pits="3")
    sow(code, GOLDEN)
    (row,) = rows(ann.look("/games/"))
    assert row.startswith("Moon On one device Stones, yours first: 4 : 14 All stones are home.")
    resign(ann.open_room(visibility="shared"), "S")
    assert rows(ann.look("/games/"))[0].startswith("Moon On one device Stones, yours first: 0 : 0 ")


def test_a_game_that_nobody_went_on_with_is_nobodys(ann, ben):
    play(ann, ben, "c")
    actions.close_idle(
        moved_before=datetime.now(UTC) + timedelta(days=1), opened_before=datetime(2000, 1, 1, tzinfo=UTC)
    )
    for person in (ann, ben):
        (row,) = rows(person.look("/games/"))
        assert row.startswith("Nobody won Against")
        assert "Nobody had moved for a long time." in row


def test_unfinished_games_and_those_of_others_are_not_listed(ann, ben, visitor):
    play(ann, ben, "c")
    ann.open_room()
    resign(play(ben, visitor("Cleo")), "S")
    assert rows(ann.look("/games/")) == []
    assert "No finished games yet." in text_of(ann.look("/games/"))


def test_a_stranger_finds_no_games_and_is_given_nothing(visitor):
    stranger = visitor()
    answer = stranger.look("/games/")
    assert rows(answer) == []
    assert "sessionid" not in answer.cookies
    assert not Player.objects.exists()


def test_games_come_twenty_to_a_page_the_latest_first(ann, ben):
    numbers = range(1, history.PAGE + 3)
    code = play(ann, ben)
    first = Game.objects.get(room=code)
    resign(code, "S")
    over_at = datetime(2026, 1, 1, tzinfo=UTC)
    columns = {"room": first.room, "south": first.south, "north": first.north, "ruleset": first.ruleset}
    Game.objects.bulk_create(
        Game(
            **columns,
            number=n,
            position=first.position,
            status="over",
            ending="resigned",
            winner="N",
            over_at=over_at + timedelta(days=n),
        )
        for n in numbers[1:]
    )
    Game.objects.filter(pk=first.pk).update(over_at=over_at)

    def shown(page: str) -> list[int]:
        return [int(n) for n in re.findall(rf"/r/{code}/(\d+)\.txt", ann.look(f"/games/{page}").content.decode())]

    assert shown("") == shown("?page=nonsense") == list(numbers)[:1:-1]
    assert shown("?page=2") == shown("?page=99") == [2, 1]
    assert {"?page=2"} == {link for link in links(ann.look("/games/")) if "page" in link}
    assert {"?page=1"} == {link for link in links(ann.look("/games/?page=2")) if "page" in link}


def test_dates_are_in_the_language_of_the_reader(ann, ben):
    resign(play(ann, ben), "S")
    Game.objects.update(over_at=datetime(2026, 5, 3, 12, tzinfo=UTC))
    for language, date in (
        ("en", "May 3, 2026"),
        ("de", "3. Mai 2026"),
        ("fr", "3 mai 2026"),
        ("es", "3 de mayo de 2026"),
    ):
        page = Page(ann.look("/games/", accept_language=language).content.decode())
        assert page.first("time")["datetime"] == "2026-05-03T12:00:00+00:00"
        assert date in page.texts


def test_the_lobby_leads_there_also_when_no_game_goes_on(ann, ben):
    assert "data-played" not in ann.look("/").content.decode()
    resign(play(ann, ben), "S")
    page = Page(ann.look("/").content.decode())
    assert "data-played" in page.first("section", id="mine")
    assert "/games/" in links(ann.look("/"))


@pytest.mark.django_db
def test_a_page_of_games_costs_two_queries(django_assert_num_queries):
    alice, bob = (Player.objects.create(name=name) for name in ("Alice", "Bob"))
    for _ in range(3):
        code = begin(alice, bob)
        actions.resign(code, alice.pk, game=1)
    with django_assert_num_queries(2):
        assert len(history.page(alice.pk, "1").object_list) == 3
    with django_assert_num_queries(0):
        assert not history.page(None, "1").object_list


def test_names_of_opponents_are_shown_as_text(ann, visitor):
    """B93: names run as HTML."""
    resign(play(ann, visitor("<b>Ben</b>")), "S")
    (row,) = rows(ann.look("/games/"))
    assert "Against <b>Ben</b>" in row
