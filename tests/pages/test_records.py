"""What can be read of a game without a page: its state, its record for programs and for people; and the probes."""

import pytest
from django.utils import timezone
from msgspec import json

from games import actions, snapshot
from games.protocol import Snapshot
from games.rules import transcript
from tests import rooms
from tests.known_games import PRINTED
from tests.rooms import begin, open_room, sow

alice, bob = rooms.alice, rooms.bob  # fixtures


@pytest.fixture
def code(alice, bob):
    room = begin(alice, bob, "both-stores-6x4")
    sow(room, PRINTED)
    return room


def test_the_state_of_a_room_is_its_snapshot(client, code):
    answer = client.get(f"/r/{code}/state.json")
    assert answer["Content-Type"] == "application/json"
    assert json.decode(answer.content, type=Snapshot) == snapshot.read(code)


def test_the_state_of_a_room_that_is_not_there_says_so(client, db):
    answer = client.get("/r/zzzzzzzz/state.json")
    assert (answer.status_code, answer.json()) == (404, {"refused": "no_such_room"})


def test_the_record_for_programs_tells_every_ply(client, code):
    record = client.get(f"/r/{code}/1.json").json()
    assert (record["room"], record["game"], record["ruleset"]) == (code, 1, "both-stores-6x4")
    assert (record["south"], record["north"], record["status"]) == ("Alice", "Bob", "over")
    assert record["outcome"] == {"winner": "S", "score": [25, 23], "ending": "played_out"}
    assert "".join("abcdefghijklmn"[ply["pit"]] for ply in record["plies"]) == record["transcript"] == PRINTED
    stones = record["start"]
    for ply in record["plies"]:
        for _, source, targets in ply["transfers"]:
            stones[source] -= len(targets)
            for target in targets:
                stones[target] += 1
        assert stones == ply["stones"]


def test_the_record_for_people_can_be_read_back(client, code):
    text = client.get(f"/r/{code}/1.txt").content.decode()
    assert text.startswith("Ruleset: both-stores-6x4\nSouth: Alice\nNorth: Bob\nResult: South wins 25:23\n\n")
    assert transcript.parse(text) == PRINTED
    assert text.endswith(f"\nReplay: http://testserver/replay/both-stores-6x4/{PRINTED}/\n")


@pytest.mark.parametrize(
    ("who", "result"), [("alice", "Bob wins, Alice resigned"), ("bob", "Alice wins, Bob resigned")]
)
def test_the_record_of_a_game_that_was_resigned_says_by_whom(request, client, alice, bob, who, result):
    code = begin(alice, bob)
    sow(code, "c")
    actions.resign(code, request.getfixturevalue(who).pk, game=1)
    assert f"\nResult: {result}\n" in client.get(f"/r/{code}/1.txt").content.decode()


def test_the_record_of_a_draw_by_agreement_says_so(client, alice, bob):
    code = begin(alice, bob)
    for player in (alice, bob):
        actions.offer(code, player.pk, game=1, kind="draw")
    assert "\nResult: draw, agreed\n" in client.get(f"/r/{code}/1.txt").content.decode()


def test_a_game_that_has_not_begun_has_a_record_too(client, alice):
    code = open_room(alice)
    assert client.get(f"/r/{code}/1.json").json()["north"] is None
    assert "North: nobody\nResult: not over\n" in client.get(f"/r/{code}/1.txt").content.decode()


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999999", "-1", "x", "1.5"])
@pytest.mark.parametrize("kind", ["json", "txt"])
def test_a_game_that_was_never_played_has_no_record(client, code, number, kind):
    assert client.get(f"/r/{code}/{number}.{kind}").status_code == 404


@pytest.mark.parametrize("path", ["/r/zzzzzzzz/1.json", "/r/zzzzzzzz/1.txt"])
def test_a_room_that_is_not_there_has_no_record(client, db, path):
    assert client.get(path).status_code == 404


def test_the_record_of_an_abandoned_game_says_that_nobody_won(alice, bob, client):
    code = begin(alice, bob)
    actions.close_idle(moved_before=timezone.now(), opened_before=timezone.now())
    assert "\nResult: nobody wins, abandoned\n" in client.get(f"/r/{code}/1.txt").content.decode()
