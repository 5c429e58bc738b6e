"""The page of a room as players, spectators and previews get it: complete without a script."""

import json
import re

import pytest
from msgspec import to_builtins

from games import actions, snapshot
from tests.known_games import PRINTED
from tests.pages.people import Page, seats, text_of
from tests.rooms import sow

SOUTH_ROW, NORTH_ROW = [0, 1, 2, 3, 4, 5], [7, 8, 9, 10, 11, 12]


@pytest.fixture
def people(visitor):
    return visitor("Ann"), visitor("Ben"), visitor("Cleo")


@pytest.fixture
def room(people):
    ann, ben, _ = people
    code = ann.open_room()
    ben.sit(code)
    return code


def page_of(person, code):
    return Page(person.look(f"/r/{code}/").content.decode())


def holes(row):
    return [pit.hole for pit in row.pits]


def embedded(answer):
    """The state that the page's script begins with."""
    script = re.search(r'<script id="page" type="application/json">(.*?)</script>', answer.content.decode(), re.DOTALL)
    return json.loads(script[1])


def test_players_see_their_own_row_at_the_bottom_and_spectators_souths(people, room):
    boards = [person.look(f"/r/{room}/").context["board"] for person in people]
    assert [holes(board.near) for board in boards] == [SOUTH_ROW, NORTH_ROW, SOUTH_ROW]
    assert [holes(board.far) for board in boards] == [NORTH_ROW[::-1], SOUTH_ROW[::-1], NORTH_ROW[::-1]]
    assert [board.near.name for board in boards] == ["Ann", "Ben", "Ann"]


@pytest.mark.parametrize(
    ("who", "far", "near"), [(0, NORTH_ROW, SOUTH_ROW), (1, SOUTH_ROW, NORTH_ROW), (2, NORTH_ROW, SOUTH_ROW)]
)
def test_the_pits_of_the_page_are_drawn_in_that_order_each_with_its_own_number(people, room, who, far, near):
    """B18: a mirrored board whose clicks did not match."""
    pits = [
        attributes
        for tag, attributes in page_of(people[who], room).tags
        if tag == "button" and "data-hole" in attributes
    ]
    assert [int(pit["data-hole"]) for pit in pits] == [*far[::-1], *near]
    assert [pit["data-letter"] for pit in pits] == ["abcdefghijklmn"[int(pit["data-hole"])] for pit in pits]
    assert {pit["data-count"] for pit in pits} == {"4"}


def test_pits_are_offered_to_whoever_is_to_move(people, room):
    offered = [sum("data-legal" in attributes for _, attributes in page_of(person, room).tags) for person in people]
    assert offered == [6, 0, 0]


def test_the_page_embeds_what_a_socket_would_be_told_first(people, room):
    sow(room, "c")
    for person, you in zip(people, ("S", "N", None), strict=True):
        answer = person.look(f"/r/{room}/")
        page = embedded(answer)
        assert page["you"] == you == answer.context["you"]
        assert page["snapshot"] == json.loads(json.dumps(to_builtins(snapshot.read(room))))
        assert page["player"] == answer.context["page"]["player"]


def test_an_extra_turn_outlives_a_reload(people, room):
    """B14: a reload gave the extra turn to the other player."""
    sow(room, "c")
    for _ in range(2):
        state = people[0].look(f"/r/{room}/").context["snapshot"]
        assert (state.turn, state.transcript, state.last.extra_turn) == ("S", "c", True)


def test_the_page_of_a_waiting_room_has_the_link_and_the_code_to_share(visitor):
    ann = visitor("Ann")
    code = ann.open_room()
    answer = ann.look(f"/r/{code}/")
    assert answer.context["room_url"] == f"http://testserver/r/{code}/"
    assert answer.context["code_display"] == f"{code[:4]}-{code[4:]}"
    assert answer.context["free_seat"] == "N"
    assert f'value="http://testserver/r/{code}/"' in answer.content.decode()
    assert f"{code[:4]}-{code[4:]}" in text_of(answer)


def test_a_friend_who_opens_the_link_is_offered_the_seat_by_a_form(visitor):
    ann, ben = visitor("Ann"), visitor()
    code = ann.open_room(side="N")
    answer = ben.look(f"/r/{code}/")
    assert (answer.context["free_seat"], answer.context["host_name"]) == ("S", "Ann")
    form = Page(answer.content.decode()).first("form", action=f"/r/{code}/seat/")
    assert form["method"] == "post"
    assert "Ann is waiting for you" in text_of(answer)


def test_a_friend_reads_what_is_agreed_to_by_sitting_down(visitor):
    ann = visitor("Ann")
    code = ann.open_room(rules="avalanche", stones="5", pie="on", control="5+3")
    sit = text_of(visitor().look(f"/r/{code}/")).split("Ann is waiting for you")[1].split("Sit down and play")[0]
    agreed = "Avalanche , 6 pits, 5 stones , with swapping · 5 min each, 3 s more a turn"
    assert " ".join(sit.split()) == f"{agreed} · After Sun’s first turn Moon may swap sides. The rules"
    plain = text_of(visitor().look(f"/r/{ann.open_room()}/"))
    assert "The rules" not in plain.split("Ann is waiting for you")[1].split("Sit down and play")[0]


def test_a_clock_is_written_as_players_write_it_with_words_for_the_ear(visitor):
    ann = visitor("Ann")
    for control, words in (("3+2", "3+2 3 min each, 2 s more a turn · Classic"), ("30s", "30 s a turn · Classic")):
        page = " ".join(text_of(ann.look(f"/r/{ann.open_room(control=control)}/")).split())
        assert words in page


def test_a_room_that_everybody_left_still_offers_a_seat(visitor):
    ann, ben = visitor("Ann"), visitor("Ben")
    code = ann.open_room()
    ann.leave(code)
    answer = ben.look(f"/r/{code}/")
    assert (answer.context["host_name"], answer.context["free_seat"]) == ("", "S")
    assert ben.sit(code).context["you"] == "S"


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("classic", "Classic"),
        ("both-stores", "Both stores"),
        ("no-empty-capture", "No empty captures"),
        ("avalanche", "Avalanche"),
    ],
)
def test_the_room_and_its_preview_say_which_ruleset_is_on(visitor, rules, words):
    ann = visitor("Ann")
    code = ann.open_room(rules=rules, stones="3")
    answer = visitor().look(f"/r/{code}/")
    assert (answer.context["rules_name"], answer.context["pits"], answer.context["stones"]) == (rules, 6, 3)
    page = Page(answer.content.decode())
    assert words in page.text
    assert words in page.first("meta", name="description")["content"]


def test_the_room_names_the_extra_rules(visitor):
    ann = visitor("Ann")
    code = ann.open_room(majority="on", pie="on")
    page = Page(ann.look(f"/r/{code}/").content.decode())
    assert "more than half wins , with swapping" in " ".join(page.text.split("Moves")[0].split())
    words = page.first("meta", name="description")["content"]
    assert "More than half of the stones wins at once. After Sun’s first turn Moon may swap sides." in words


@pytest.mark.parametrize("ending", ["played out", "resigned"])
def test_a_spectator_of_a_game_that_is_over_reads_neutral_words(people, visitor, ending):
    """B19: a spectator is told “you lost”."""
    ann, ben, cleo = people
    code = ann.open_room(rules="both-stores")
    ben.sit(code)
    if ending == "played out":
        sow(code, PRINTED)
    else:
        actions.resign(code, snapshot.current_game(code).north_id, game=1)
    answer = cleo.look(f"/r/{code}/")
    assert (answer.context["you"], answer.context["snapshot"].outcome.winner) == (None, "S")
    page = Page(re.sub(r"<template.*?</template>", "", answer.content.decode(), flags=re.DOTALL))
    assert page.first("h1")
    assert "Ann against Ben" in page.text
    assert not re.search(r"\b[Yy]ou (won|lost|win|lose)\b", page.text)


def test_no_pit_is_offered_once_the_game_is_over(people, room):
    ann, *_ = people
    actions.resign(room, snapshot.current_game(room).south_id, game=1)
    assert not [attributes for _, attributes in page_of(ann, room).tags if "data-legal" in attributes]


def test_an_address_leads_to_the_board_after_a_ply(people, room):
    sow(room, "cah")
    ann, *_ = people
    answer = ann.look(f"/r/{room}/?ply=1")
    page = embedded(answer)
    assert [page["at"], page["snapshot"]["ply"], len(page["record"]["plies"])] == [1, 3, 3]
    board = answer.context["board"]
    assert [pit.count for pit in board.near.pits] == [4, 4, 0, 5, 5, 5]
    assert [pit.count for pit in board.far.pits] == [4] * 6
    assert (board.near.store.count, board.far.store.count) == (1, 0)
    assert not [pit for pit in board.near.pits if pit.legal]
    drawn = Page(answer.content.decode())
    assert "Move 1 of 3" in drawn.text
    assert "hidden" not in drawn.first("section", id="lookback")
    assert "hidden" in page_of(ann, room).first("section", id="lookback")


@pytest.mark.parametrize("ply", ["3", "99999999", "-1", "x", "", "1.5", "\u0661"])
def test_a_ply_that_is_no_earlier_one_leads_to_the_game_as_it_is(people, room, ply):
    sow(room, "cah")
    answer = people[0].look(f"/r/{room}/?ply={ply}")
    assert answer.context["shown"] == answer.context["snapshot"]
    assert "at" not in embedded(answer)


# Addresses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["{upper}", "{code:.4}-{rest}", "{upper:.4}-{rest}", "{code:.4} {rest}", "{code}."])
def test_a_link_typed_by_hand_leads_to_the_room(visitor, typed):
    ann = visitor("Ann")
    code = ann.open_room()
    answer = visitor().client.get(f"/r/{typed.format(code=code, upper=code.upper(), rest=code[4:])}/")
    assert (answer.status_code, answer.url) == (302, f"/r/{code}/")


@pytest.mark.parametrize("path", ["zzzzzzzz", "abc", "x" * 500, "İ", "é", "0", "lobby"])
def test_a_room_that_is_not_there_says_so(visitor, path):
    answer = visitor().client.get(f"/r/{path}/", follow=True)
    assert answer.status_code == 404
    assert "No game here" in text_of(answer)


@pytest.mark.parametrize("path", ["---", "_", "%00", "...", " ", "!"])
def test_a_code_of_signs_alone_is_a_room_that_is_not_there(visitor, path):
    assert visitor().client.get(f"/r/{path}/", follow=True).status_code == 404


@pytest.mark.parametrize(
    "path", ["/nonsense", "/r/", "/r/zzzzzzzz", "/.env", "/r/zzzzzzzz/../../etc/passwd", "/static/x"]
)
def test_an_address_that_leads_nowhere_says_so(visitor, path):
    answer = visitor().client.get(path, follow=True)
    assert answer.status_code == 404


def test_pages_of_games_are_never_kept_by_caches(people, room):
    for path in ("/", f"/r/{room}/", f"/r/{room}/state.json", f"/r/{room}/1.json"):
        assert "no-store" in people[0].look(path)["Cache-Control"]


def test_every_page_forbids_inline_scripts_and_foreign_frames(people, room):
    for path, status in (("/", 200), (f"/r/{room}/", 200), ("/how-to-play/", 200), ("/nonsense", 404)):
        policy = people[0].look(path, status)["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert "frame-ancestors 'none'" in policy


def test_no_page_holds_inline_code(people, room):
    for path in ("/", f"/r/{room}/", "/how-to-play/", f"/r/{room}/"):
        page = Page(people[0].look(path).content.decode())
        for tag, attributes in page.tags:
            assert tag != "style"
            assert not [name for name in attributes if name.startswith("on") or name == "style"], (
                path,
                tag,
                attributes,
            )
            assert tag != "script" or attributes.get("src") or attributes["type"] == "application/json"


def test_the_seats_are_as_the_page_says(people, room):
    assert [person.seat(room) for person in people] == ["S", "N", None]
    assert seats(room) == ("Ann", "Ben")
