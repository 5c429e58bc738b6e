"""What waits to be written is written together: nobody is told before the commit, and one failure is nobody else's."""

import asyncio
import threading

import pytest
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from games import storage
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
