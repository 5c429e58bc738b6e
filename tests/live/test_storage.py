"""What waits to be written is written together: nobody is told before the commit, and one failure is nobody else's."""

import asyncio
import gc
import sqlite3
import threading
from contextlib import closing

import pytest
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from games import database, storage
from games.models import Player
from games.protocol import Refusal, Refused

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("sqlite3" not in settings.DATABASES["default"]["ENGINE"], reason="PostgreSQL has many writers"),
]


def add(name: str) -> str:
    Player.objects.create(name=name)
    return name


async def names() -> list[str]:
    return await storage.run(lambda: sorted(Player.objects.values_list("name", flat=True)))


@pytest.fixture
async def together():
    """Have writes wait for one another until all have come; what each gave, an answer or an exception."""

    async def write(*actions):
        go = threading.Event()
        busy = asyncio.ensure_future(storage.run(go.wait))
        answers = [asyncio.ensure_future(storage.write(action)) for action in actions]
        await asyncio.sleep(0)  # now all have handed in what they want
        go.set()
        await busy
        return await asyncio.gather(*answers, return_exceptions=True)

    return write


async def test_all_are_committed_at_once_and_before_anybody_hears_of_it(together):
    seen = []

    def note():
        transaction.on_commit(lambda: seen.append(connection.in_atomic_block))
        return len(seen), add("b")

    answers = await together(lambda: add("a"), note, lambda: (len(seen), add("c")))
    assert answers == ["a", (0, "b"), (0, "c")]
    assert seen == [False]
    assert await names() == ["a", "b", "c"]


async def test_who_is_refused_undoes_nothing_of_the_others(together):
    def refuse():
        raise Refused(Refusal.ILLEGAL_PIT)

    first, refused, last = await together(lambda: add("a"), refuse, lambda: add("b"))
    assert (first, refused.refusal, last) == ("a", Refusal.ILLEGAL_PIT, "b")
    assert await names() == ["a", "b"]


async def test_what_the_database_does_not_take_fails_alone_and_the_others_are_written_once(together):
    def fail():
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO games_player (id) VALUES (NULL)")

    first, failed, last = await together(lambda: add("a"), fail, lambda: add("b"))
    assert (first, last) == ("a", "b")
    assert isinstance(failed, DatabaseError)
    assert await names() == ["a", "b"]


async def test_a_connection_that_broke_is_told_to_all_who_wait(together, monkeypatch):
    def broken(*args, **kwargs):
        raise InterfaceError("the connection is closed")

    monkeypatch.setattr(storage.transaction, "atomic", broken)
    answers = await together(*[lambda: add("a")] * 2)
    assert [str(answer) for answer in answers] == ["the connection is closed"] * 2


async def test_a_database_that_cannot_be_written_is_waited_for_once_and_not_by_each(together, monkeypatch):
    begun = []

    def locked(*args, **kwargs):
        begun.append(1)
        raise OperationalError("database is locked")

    monkeypatch.setattr(storage.transaction, "atomic", locked)
    answers = await together(*[lambda: add("a")] * 3)
    assert [str(answer) for answer in answers] == ["database is locked"] * 3
    assert begun == [1]
    assert await names() == []


async def test_who_no_longer_waits_disturbs_nobody(together):
    go = threading.Event()
    busy = asyncio.ensure_future(storage.run(go.wait))
    gone = asyncio.ensure_future(storage.write(add, "gone"))
    stays = asyncio.ensure_future(storage.write(add, "stays"))
    await asyncio.sleep(0)
    gone.cancel()
    go.set()
    await busy
    assert await stays == "stays"
    assert await names() == ["gone", "stays"]  # it was asked for


class Renaming:
    """A name to be written in place of another."""

    statement = "UPDATE games_player SET name = %s WHERE name = %s"

    def __init__(self, before: str, after: str, fault: Exception | None = None) -> None:
        self.values = (after, before)
        self.fault = fault
        self.told: list[list[str]] = []
        self.thread = 0

    def record(self, by) -> bool:
        return by.change(self.statement, self.values) > 0

    def tell(self) -> None:
        """Note what another connection sees by now."""
        self.thread = threading.get_ident()
        database = sqlite3.connect(connection.settings_dict["NAME"])
        self.told.append(sorted(name for (name,) in database.execute("SELECT name FROM games_player")))
        database.close()
        if self.fault:
            raise self.fault

    def write(self) -> bool:
        if Player.objects.filter(name=self.values[1]).update(name=self.values[0]):
            transaction.on_commit(self.tell)
            return True
        return False


@pytest.fixture
async def ledger():
    """Players a and b, and a loop that can write by itself."""
    await storage.write(add, "a")
    await storage.write(add, "b")
    assert not await storage.record(Renaming("nobody", "somebody"))


async def test_what_is_worked_out_is_told_on_the_loop_after_one_commit_of_all(ledger):
    first, second, third = Renaming("a", "c"), Renaming("nobody", "somebody"), Renaming("b", "d")
    assert await asyncio.gather(*map(storage.record, (first, second, third))) == [True, False, True]
    assert (first.told, second.told, third.told) == ([["c", "d"]], [], [["c", "d"]])
    assert first.thread == threading.get_ident()


@pytest.mark.parametrize("tries", [1, 1_000_000])
async def test_while_somebody_else_writes_the_loop_goes_on_and_tries_again_or_lets_the_thread_wait(
    ledger, monkeypatch, tries
):
    """B112: a database that is busy holds up the thread for it, and nobody else."""
    monkeypatch.setattr(storage, "_TRIES", tries)
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    renaming, with_it = Renaming("a", "c"), Renaming("b", "d")
    recording = asyncio.ensure_future(storage.record(renaming))
    for _ in range(10):
        await asyncio.sleep(0)  # the loop turns
    assert not recording.done()
    recording_too = asyncio.ensure_future(storage.record(with_it))
    await asyncio.sleep(0)
    other.execute("COMMIT")
    other.close()
    assert await asyncio.gather(recording, recording_too) == [True, True]
    assert (renaming.thread == threading.get_ident()) == (tries > 1)
    assert await names() == ["c", "d"]


async def test_what_the_database_refuses_is_tried_again_one_by_one_on_the_thread(ledger):
    wrong = Renaming("a", "c")
    wrong.statement = "UPDATE nothing SET name = %s WHERE name = %s"
    right = Renaming("b", "d")
    assert await asyncio.gather(storage.record(wrong), storage.record(right)) == [True, True]
    assert await names() == ["c", "d"]


async def test_a_fault_while_recording_leaves_nothing_open_and_the_others_are_written(ledger, monkeypatch):
    def fault(by):
        by.change(faulty.statement, faulty.values)
        raise ZeroDivisionError

    first, faulty, last = Renaming("nobody", "somebody"), Renaming("a", "c"), Renaming("b", "d")
    monkeypatch.setattr(faulty, "record", fault)
    monkeypatch.setattr(faulty, "write", lambda: fault(database))
    answers = await asyncio.gather(*map(storage.record, (first, faulty, last)), return_exceptions=True)
    assert (answers[0], type(answers[1]), answers[2]) == (False, ZeroDivisionError, True)
    assert not storage.ledger()._database.in_transaction
    assert (faulty.told, len(last.told)) == ([], 1)
    on_the_loop = Renaming("d", "e")
    assert await storage.record(on_the_loop)
    assert on_the_loop.thread == threading.get_ident()


async def test_who_waits_until_all_is_settled_waits_for_the_thread_too(ledger):
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        renaming = Renaming("a", "c")
        recording = asyncio.ensure_future(storage.record(renaming))
        settling = [asyncio.ensure_future(storage.ledger().settled()) for _ in range(3)]
        for _ in range(10):
            await asyncio.sleep(0)
        assert not any(each.done() for each in (recording, *settling))
        settling.pop().cancel()
        other.execute("COMMIT")
    assert await asyncio.gather(recording, *settling) == [True, None, None]
    assert renaming.told
    await storage.ledger().settled()  # at once


async def test_a_fault_in_telling_is_nobody_elses_and_what_is_committed_stays(ledger):
    faulty, right = Renaming("a", "c", ZeroDivisionError()), Renaming("b", "d")
    answers = await asyncio.gather(storage.record(faulty), storage.record(right), return_exceptions=True)
    assert [type(answer) for answer in answers] == [ZeroDivisionError, bool]
    assert await names() == ["c", "d"]


async def test_it_is_told_even_if_who_asked_is_gone(ledger):
    renaming = Renaming("a", "c")
    asking = asyncio.ensure_future(storage.record(renaming))
    await asyncio.sleep(0)
    asking.cancel()
    assert await storage.record(Renaming("b", "d"))
    assert renaming.told == [["c", "d"]]


async def test_what_the_loop_leaves_in_the_log_is_taken_over_by_the_thread(ledger, monkeypatch):
    monkeypatch.setattr(storage, "_CHECKPOINT", 1)
    assert await storage.record(Renaming("a", "c"))
    await storage.run(lambda: None)  # after what was asked of the thread
    database = sqlite3.connect(
        f"file:{connection.settings_dict['NAME']}?immutable=1", uri=True
    )  # the file, not its log
    assert ("c",) in database.execute("SELECT name FROM games_player").fetchall()
    database.close()


def test_what_a_loop_wrote_with_is_closed_when_the_loop_is_gone():
    async def write():
        await storage.record(Renaming("a", "c"))
        return storage.ledger()._database

    database = asyncio.run(write())
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        database.execute("SELECT 1")
