"""What a program is told of a position, and who is told nothing; and that docs/api.md says all of it."""

import json
import re
import threading

import pytest

from games import actions, caps, solver, studying
from games.limits import Buckets
from games.models import Game
from games.rules import transcript
from games.rules.position import Position
from games.rules.ruleset import NAMES, by_key
from games.solver import Answer, Ended, Fault, Worth
from tests.engine.samples import known
from tests.patience import PATIENCE_S
from tests.processes import PROJECT, wait_for

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_engine")]

DOC = (PROJECT / "docs" / "api.md").read_text()
FEW = "0,0,1,9/2,0,1,11 S"
"""Sun has one stone, which goes home and leaves the row empty: Moon keeps its three."""


@pytest.fixture
def ask(client):
    """Ask for a position; the status, what is said, and the whole answer."""

    def ask(position=FEW, ruleset="classic", **more):
        answer = client.get("/api/v1/solve", {"ruleset": ruleset, "position": position, **more})
        return answer.status_code, json.loads(answer.content), answer

    return ask


def refused(answer):
    return answer[0], answer[1]["refused"]


# What is told -------------------------------------------------------------------------------------


def test_a_position_worked_out_by_hand(ask):
    status, told, answer = ask()
    assert status == 200
    told.pop("nodes")
    assert told == {
        "ruleset": "classic-3x4", "position": FEW, "turn": "S", "outcome": None, "low": -4, "high": -4, "guess": -4,
        "exact": True, "line": "c", "depth": None, "compiled": False,
        "pits": [{"pit": 2, "letter": "c", "low": -4, "high": -4, "exact": True, "guess": -4, "best": True,
                  "last": 3, "extra_turn": False, "captured": 0, "after": "0,0,0,10/0,0,0,14 N"}],
    }  # fmt: skip
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_computed_elsewhere_and_the_line_keeps_them(ask, name):
    few = [sample for sample in known(name) if sample.in_play <= 8][:12]
    assert len(few) == 12
    for ruleset, position, value, pits, _ in few:
        _, told, _ = ask(str(position), ruleset.key, seconds="5")  # some hundredths suffice on a quiet machine
        assert {worth["pit"]: worth["low"] for worth in told["pits"]} == pits
        assert (told["low"], told["high"], told["exact"]) == (value, value, True)
        assert [worth["pit"] for worth in told["pits"] if worth["best"]] == [
            pit for pit, worth in pits.items() if worth == value
        ]
        mover, after = position.turn, position
        for symbol in told["line"]:
            after = ruleset.sow(after, transcript.hole(symbol)).after
        south, north = ruleset.outcome(after).score
        assert (south - north) * (1 if mover.letter == "S" else -1) == value


def test_a_game_that_is_over_has_no_pits(ask):
    status, told, _ = ask("0,0,0,4/1,2,0,3 S")
    assert (status, told["turn"], told["outcome"]) == (200, None, {"winner": "N", "score": [4, 6]})
    assert (told["low"], told["high"], told["pits"], told["line"]) == (-2, -2, [], "")


def test_what_cannot_be_proved_in_time_is_told_within_bounds(ask):
    _, told, _ = ask(str(by_key("classic-6x6").start()), seconds="0.05")
    assert not told["exact"]
    assert told["low"] < told["high"]
    assert all(worth["low"] <= worth["high"] for worth in told["pits"])
    assert sum(worth["best"] for worth in told["pits"]) == 1


# What is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"position": ""}, "malformed"),
        ({"position": "four,4,0/4,4,0 S"}, "malformed"),
        ({"position": "4,4,0/4,4,0 X"}, "malformed"),
        ({"position": "04,4,0/4,4,0 S"}, "malformed"),
        ({"position": "-4,4,0/4,4,0 S"}, "malformed"),
        ({"position": "4,4,0/4,0 S"}, "rows"),
        ({"position": "999,4,0/4,4,0 S"}, "too_large"),
        ({"ruleset": "oware"}, "ruleset"),
        ({"ruleset": ""}, "ruleset"),
        ({"ruleset": "classic-6x4"}, "width"),
        ({"seconds": "0"}, "seconds"),
        ({"seconds": "5.1"}, "seconds"),
        ({"seconds": "nan"}, "seconds"),
        ({"seconds": "-1"}, "seconds"),
    ],
)
def test_what_cannot_be_answered_says_why(ask, question, code):
    assert refused(ask(**question)) == (400, code)


def test_one_address_asks_only_so_often(ask, monkeypatch):
    monkeypatch.setattr(caps, "_solves", Buckets(0, 2))
    assert [ask()[0] for _ in range(2)] == [200, 200]
    *said, answer = ask()
    assert refused(said) == (429, "too_often")
    assert int(answer["Retry-After"]) > 0
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_when_as_many_think_as_may_the_next_is_asked_to_come_back(ask, monkeypatch):
    monkeypatch.setattr(solver, "_line", solver.Line(1, most_waiting=1))
    monkeypatch.setattr(solver, "_PATIENCE_S", 0)
    with solver._line.turn(""):
        *said, answer = ask()
    assert refused(said) == (503, "busy")
    assert int(answer["Retry-After"]) > 0
    assert ask()[0] == 200


def test_when_as_many_wait_as_may_nobody_else_does(ask, monkeypatch):
    monkeypatch.setattr(solver, "_line", solver.Line(1, most_waiting=0))
    with solver._line.turn(""):
        assert refused(ask()) == (503, "busy")
    assert ask()[0] == 200


def test_one_address_takes_at_most_half_of_the_line():
    line = solver.Line(1, most_waiting=2)

    def wait(address):
        with line.turn(address):
            pass

    waiting = [threading.Thread(target=wait, args=(address,)) for address in "ab"]
    with line.turn("a"):
        waiting[0].start()
        wait_for(lambda: line._waiting["a"] == 1, "one waits")
        with pytest.raises(solver.Unsolved), line.turn("a"):
            pass
        waiting[1].start()
        wait_for(lambda: line._waiting["b"] == 1, "somebody else waits beside")
    for thread in waiting:
        thread.join(PATIENCE_S)
    assert not line._waiting


def test_who_waits_is_thought_for_next_and_those_before_take_no_longer_than_usual():
    line, told = solver.Line(1, most_waiting=4), []

    def wait():
        with line.turn("") as others_wait:
            told.append(others_wait)

    with line.turn("") as others_wait:
        assert not others_wait
        waiting = [threading.Thread(target=wait) for _ in range(2)]
        for thread in waiting:
            thread.start()
        wait_for(lambda: line._waiting.total() == 2, "both wait")
        assert told == []
    for thread in waiting:
        thread.join(PATIENCE_S)
    assert told == [True, False]


# Nobody is helped against a person ----------------------------------------------------------------


@pytest.fixture
def live(visitor):
    """Ann and Ben in the middle of a game, and Cleo, who watches: the three, and the position."""
    ann, ben, cleo = visitor("Ann"), visitor("Ben"), visitor("Cleo")
    code = ann.open_room(side="S")
    ben.sit(code)
    game = Game.objects.get(room_id=code)
    ruleset = by_key(game.ruleset)
    position = ruleset.start()
    for ply in range(7):
        player = game.south_id if position.turn.letter == "S" else game.north_id
        pit = ruleset.legal_pits(position)[0]
        actions.play(code, player, game=1, ply=ply, pit=pit)
        position = ruleset.sow(position, pit).after
    return ann, ben, cleo, position


def asks(visitor, position, ruleset="classic"):
    answer = visitor.client.get("/api/v1/solve", {"ruleset": ruleset, "position": position, "seconds": "0.05"})
    return answer.status_code, json.loads(answer.content).get("refused")


def test_who_plays_a_person_is_told_nothing_until_it_is_over(live):
    ann, ben, cleo, _ = live
    code = Game.objects.get().room_id
    assert asks(ann, FEW) == asks(ben, FEW) == (409, "playing")
    assert asks(cleo, FEW) == (200, None)
    actions.resign(code, Game.objects.get().north_id, game=1)
    assert asks(ann, FEW) == (200, None)


def test_what_lies_on_a_live_board_is_nobodys_to_ask_for(live):
    *_, cleo, position = live
    assert asks(cleo, str(position)) == (409, "on_a_board")
    half = position.width + 1
    turned = Position(position.stones[half:] + position.stones[:half], position.turn.opponent)
    assert asks(cleo, str(turned)) == (409, "on_a_board")
    stores = [stones + 3 * (hole % half == half - 1) for hole, stones in enumerate(position.stones)]
    assert asks(cleo, str(Position(tuple(stores), position.turn))) == (409, "on_a_board")
    assert asks(cleo, str(Position(position.stones, position.turn.opponent))) == (200, None)
    assert asks(cleo, str(position), "avalanche") == (409, "on_a_board")
    ruleset = by_key("classic-6x4")
    after = ruleset.sow(position, ruleset.legal_pits(position)[0]).after
    assert asks(cleo, str(after)) == (409, "on_a_board")
    later = ruleset.sow(after, ruleset.legal_pits(after)[0]).after
    assert asks(cleo, str(later)) == (200, None)
    Game.objects.update(ply=5)
    assert asks(cleo, str(position)) == (200, None)


# What the document says ---------------------------------------------------------------------------


def cells(heading, column=1):
    """The words in backticks of a column of the tables of a section."""
    part = DOC.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [row.split("|")[column] for row in part.splitlines() if row.startswith("| `")]
    return [word for row in rows for word in re.findall(r"`([a-z_]+)`", row)]


def test_every_field_is_documented():
    fields = [*Answer.__struct_fields__, *Worth.__struct_fields__]
    assert sorted(cells("The answer")) == sorted(fields)
    assert set(Ended.__struct_fields__) <= set(re.findall(r"`(\w+)`", DOC))


def test_the_example_is_an_answer():
    text = re.search(r"```json\n(.*?)```", DOC, re.DOTALL)[1]
    assert list(json.loads(text)) == list(Answer.__struct_fields__)
    assert list(json.loads(text)["pits"][0]) == list(Worth.__struct_fields__)


def test_every_refusal_is_documented_with_its_status():
    statuses = re.findall(r"^\| `(\w+)` \| (\d+) \|", DOC, re.MULTILINE)
    assert statuses == [(fault.value, str(studying.STATUS.get(fault, 400))) for fault in Fault]
