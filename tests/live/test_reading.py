"""What many ask at once is read together: by a read that began after they asked, and one fault is nobody else's."""

import asyncio
import threading

import pytest
from django.conf import settings
from django.db import OperationalError

from games import reading as module, storage
from games.reading import Reading

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("sqlite3" not in settings.DATABASES["default"]["ENGINE"], reason="PostgreSQL has many threads"),
]


@pytest.fixture
def reading():
    """Answers numbers by their doubles, on a database thread, and none that is odd; what was asked together."""
    asked = []

    def read(questions):
        asked.append(questions)
        return [ValueError("odd") if number % 2 else 2 * number for number in questions]

    reading = Reading(read, lambda number: number % 1000)
    reading.asked = asked
    return reading


async def test_who_asks_while_others_are_answered_is_answered_with_all_who_came_meanwhile(reading):
    go = threading.Event()
    busy = asyncio.ensure_future(storage.run(go.wait))  # the thread
    answers = []
    for number in (2, 4, 6, 8):
        answers.append(asyncio.ensure_future(reading.ask(number)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # now the first has been handed over
    go.set()
    assert await asyncio.gather(*answers, busy) == [4, 8, 12, 16, True]
    assert reading.asked == [[2], [4, 6, 8]]
    assert await reading.ask(10) == 20


async def test_whose_question_has_no_answer_hears_why_and_nobody_else(reading):
    answers = await asyncio.gather(*map(reading.ask, (2, 3, 4)), return_exceptions=True)
    assert (answers[0], str(answers[1]), answers[2]) == (4, "odd", 8)


async def test_when_the_database_fails_all_who_asked_hear_it_and_the_next_is_answered(reading, monkeypatch):
    def fail(questions):
        raise OperationalError("away")

    monkeypatch.setattr(reading, "_read", fail)
    answers = await asyncio.gather(*map(reading.ask, (2, 4)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [OperationalError] * 2
    monkeypatch.undo()
    assert await reading.ask(2) == 4


async def test_a_question_that_breaks_the_reading_is_nobody_elses_fault(reading, monkeypatch):
    read = reading._read
    monkeypatch.setattr(reading, "_read", lambda questions: read([8 // (number - 4) for number in questions]))
    answers = await asyncio.gather(*map(reading.ask, (2, 6, 4, 8)), return_exceptions=True)
    assert (answers[0], answers[1], type(answers[2]), answers[3]) == (-8, 8, ZeroDivisionError, 4)


async def test_who_does_not_wait_for_the_answer_holds_up_nobody(reading):
    gone, other = (asyncio.ensure_future(reading.ask(number)) for number in (2, 4))
    await asyncio.sleep(0)
    gone.cancel()
    assert await other == 8


async def test_of_many_matters_not_all_are_read_at_once_but_all_who_ask_about_one_are_answered_together(reading):
    first, again = [2 * number for number in range(100)], [1000 + 2 * number for number in range(100)]
    answers = await asyncio.gather(*map(reading.ask, [*first, *again]))
    assert answers == [2 * number for number in [*first, *again]]
    matters = [{number % 1000 for number in asked} for asked in reading.asked]
    assert max(map(len, matters)) == module._AT_ONCE
    assert sum(map(len, matters)) <= len(first) + 1  # one was asked about before the other came
