"""What a process tells those who run it: alive, ready, how much goes on; and how its log is read by programs."""

import json
import logging
from types import SimpleNamespace

import pytest
from channels.layers import get_channel_layer
from channels.testing import HttpCommunicator
from django.db import DatabaseError
from prometheus_client import REGISTRY

from games import actions
from mancala_site import logs, operations
from mancala_site.asgi import application
from mancala_site.logs import FewOfAKind, JsonLine
from tests.live.sockets import do

pytestmark = pytest.mark.django_db(transaction=True)


async def ask(path: str, *headers: tuple[bytes, bytes], method: str = "GET") -> tuple[int, bytes]:
    """Status and body of the answer to a probe, which knows no name of the site."""
    answer = await HttpCommunicator(
        application, method, path, headers=[(b"host", b"10.0.0.7:8001"), *headers]
    ).get_response()
    return answer["status"], answer["body"]


class Broken:
    """A connection to a database that is gone."""

    def cursor(self):
        raise DatabaseError("gone")

    def close(self):
        pass


async def test_a_process_that_answers_is_alive_even_without_its_database(monkeypatch):
    monkeypatch.setattr(operations, "connection", Broken())
    assert await ask("/healthz") == (200, b"ok\n")


async def test_a_process_whose_database_and_layer_answer_is_ready():
    status, body = await ask("/readyz")
    assert (status, json.loads(body)) == (200, {"database": True, "layer": True})


async def test_a_process_without_its_database_is_not_ready_and_says_so(monkeypatch, caplog):
    monkeypatch.setattr(operations, "connection", Broken())
    status, body = await ask("/readyz")
    assert (status, json.loads(body)) == (503, {"database": False, "layer": True})
    assert "not ready, the database does not answer: DatabaseError('gone')" in caplog.text


async def test_a_process_that_reaches_no_other_is_not_ready_and_says_so(monkeypatch, caplog):
    async def away(*args):
        raise ConnectionError("away")

    monkeypatch.setattr(get_channel_layer(), "group_send", away)
    status, body = await ask("/readyz")
    assert (status, json.loads(body)) == (503, {"database": True, "layer": False})
    assert "not ready, the layer does not answer: ConnectionError('away')" in caplog.text


@pytest.mark.parametrize("header", [b"x-real-ip", b"x-forwarded-for"])
async def test_figures_are_for_nobody_who_comes_through_a_proxy(header):
    assert (await ask("/metrics"))[0] == 200
    assert (await ask("/metrics", (header, b"192.0.2.7")))[0] == 404


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_a_probe_may_ask_without_a_body(path):
    assert await ask(path, method="HEAD") == (200, b"")


def figure(name: str, **labels: str) -> float:
    """A figure as it is now."""
    return REGISTRY.get_sample_value(f"mancala_{name}", labels) or 0.0


async def test_sockets_and_their_rooms_are_counted_while_they_are_open(sockets, code, ann, ben):
    """B127: what grows can be seen."""
    before = {name: figure(name, kind="room") for name in ("sockets", "reconnects_total")}
    rooms = figure("rooms")
    first = await sockets.enter(code, ann)
    second = await sockets.open(f"/ws/v1/rooms/{code}/?again", ben)
    await second.hear("welcome")
    assert figure("sockets", kind="room") == before["sockets"] + 2
    assert figure("reconnects_total", kind="room") == before["reconnects_total"] + 1
    assert figure("rooms") == rooms + 1
    await first.close()
    await second.close()
    assert figure("sockets", kind="room") == before["sockets"]
    assert figure("rooms") == rooms


async def test_moves_refusals_and_closes_are_counted(sockets, code, ann):
    moves, commits = figure("moves_total"), figure("commit_seconds_count")
    refused = figure("refusals_total", code="not_your_turn")
    closed = figure("closed_total", code="4404")
    south = await sockets.enter(code, ann)
    await south.say(type="play", game=1, ply=0, pit=0)
    await south.hear("sown")
    await south.say(type="play", game=1, ply=1, pit=1)
    assert (await south.hear("refused"))["code"] == "not_your_turn"
    nowhere = await sockets.open("/ws/v1/rooms/zzzzzzzz/")
    await nowhere.hear_close()
    assert figure("moves_total") == moves + 1
    assert figure("commit_seconds_count") == commits + 1
    assert figure("refusals_total", code="not_your_turn") == refused + 1
    assert figure("closed_total", code="4404") == closed + 1


async def test_figures_name_nobody(sockets, code, ann):
    await sockets.enter(code, ann)
    _, body = await ask("/metrics")
    assert b"mancala_moves_total" in body
    assert b"Ann" not in body
    assert code.encode() not in body


# The log ------------------------------------------------------------------------------------------


async def test_a_fault_is_logged_with_the_ids_of_room_and_player(sockets, code, ann, monkeypatch, caplog):
    def fails(*args, **kwargs):
        raise ZeroDivisionError

    south = await sockets.enter(code, ann)
    monkeypatch.setattr(actions, "resign", fails)
    await south.say(type="resign", game=1)
    await south.hear("refused")
    (record,) = (record for record in caplog.records if record.name == "games.sockets")
    line = json.loads(JsonLine().format(record))
    assert (line["level"], line["logger"], line["message"]) == ("error", "games.sockets", f"resign in {code} failed")
    assert (line["room"], line["player"]) == (code, str((await do(lambda: ann.player)).pk))
    assert line["traceback"].endswith("ZeroDivisionError")
    assert "Ann" not in json.dumps(line)


def test_a_line_for_programs_is_one_line_in_universal_time():
    error = ValueError("a\nb")
    record = logging.LogRecord("games", logging.INFO, "", 0, "é %s\n", ("x",), (ValueError, error, None))
    record.created = 1_800_000_000.25
    text = JsonLine().format(record)
    assert "\n" not in text
    assert json.loads(text)["at"] == "2027-01-15T08:00:00.250+00:00"
    assert json.loads(text)["message"] == "é x\n"
    assert "room" not in json.loads(text)


@pytest.fixture
def written(monkeypatch):
    """A logger whose lines are few of a kind; what it has written, and a clock to move."""
    passed = SimpleNamespace(lines=[], now=0.0)
    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: passed.now))

    class Kept(logging.Handler):
        def emit(self, record):
            passed.lines.append(record.getMessage())

    handler = Kept()
    handler.addFilter(FewOfAKind())
    passed.log = logging.getLogger("storm")
    passed.log.propagate = False
    passed.log.addHandler(handler)
    yield passed
    passed.log.removeHandler(handler)


def test_a_storm_of_lines_of_one_kind_is_told_in_a_few_and_others_are_written_meanwhile(written):
    """B126: the log filled the disk."""
    for number in range(1020):
        written.log.error("room %s failed", number)
    written.log.error("something else")
    assert written.lines == [*(f"room {number} failed" for number in range(20)), "something else"]


def test_once_a_minute_it_is_said_how_many_were_left_out(written):
    for number in range(1021):
        if number == 1020:
            written.now = 60.0
        written.log.error("room %s failed", number)
    assert written.lines[20:] == ["room 1020 failed (1000 more like this were left out)"]


def test_another_kind_of_exception_from_the_same_place_is_another_kind(written):
    for error in (*[KeyError()] * 30, ValueError()):
        written.log.error("failed: %r", error, exc_info=error)
    assert written.lines == ["failed: KeyError()"] * 20 + ["failed: ValueError()"]


def test_a_line_however_long_the_address_that_was_asked_for_is_cut(written):
    written.log.warning("Forbidden: %s", "/" + "x" * 16_000)
    assert written.lines == ["Forbidden: /" + "x" * (1000 - 12) + " …"]
