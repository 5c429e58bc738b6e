"""What many ask at once, read for all of them together on the database's threads. Knows nothing of what is read."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, islice
from typing import Generic, TypeVar

from django.db import OperationalError

from games import storage

Question = TypeVar("Question")
Answer = TypeVar("Answer")

_AT_ONCE = 32  # matters that are read together, so that nobody waits long for the others


class Reading(Generic[Question, Answer]):
    """Reads for many at once: whoever asks while it is under way is answered by the next, which begins after that.

    `matter` is what a question is about: all who ask about the same are answered together.
    """

    def __init__(
        self,
        read: Callable[[Sequence[Question]], Sequence[Answer | Exception]],
        matter: Callable[[Question], Hashable],
    ) -> None:
        self._read = read
        self._matter = matter
        self._asked: dict[asyncio.AbstractEventLoop, list[tuple[Question, asyncio.Future[Answer]]]] = {}

    async def ask(self, question: Question) -> Answer:
        """The answer that `read` has for this question. If it is an exception, it comes out here."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        if loop in self._asked:
            self._asked[loop].append((question, future))
        else:
            self._asked[loop] = [(question, future)]
            task = loop.create_task(self._answer_all(loop))
            future.add_done_callback(lambda _: task)  # the loop itself holds its tasks but weakly
        return await future

    async def _answer_all(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while self._asked[loop]:
                await self._answer(self._take(loop))
        finally:
            del self._asked[loop]

    def _take(self, loop: asyncio.AbstractEventLoop) -> list[tuple[Question, asyncio.Future[Answer]]]:
        """What is answered next."""
        matters: dict[Hashable, list[tuple[Question, asyncio.Future[Answer]]]] = {}
        for question, future in self._asked[loop]:
            matters.setdefault(self._matter(question), []).append((question, future))
        first, rest = islice(matters.values(), _AT_ONCE), islice(matters.values(), _AT_ONCE, None)
        self._asked[loop] = list(chain.from_iterable(rest))
        return list(chain.from_iterable(first))

    async def _answer(self, asked: Sequence[tuple[Question, asyncio.Future[Answer]]]) -> None:
        answers: Sequence[Answer | Exception]
        try:
            answers = await storage.run(self._read, [question for question, _ in asked])
        except Exception as error:  # noqa: BLE001  whoever asked is told
            if len(asked) > 1 and not isinstance(error, OperationalError):  # it is the fault of one of them
                for each in asked:
                    await self._answer([each])
                return
            answers = [error] * len(asked)
        for (_, future), answer in zip(asked, answers, strict=True):
            storage.resolve(future, answer)
