"""Rooms on the `server` of a module, one for each of its tests that plays."""

from collections.abc import Iterator

import pytest

from tests.faults.table import Table, rooms
from tests.processes import Server


@pytest.fixture(scope="module")
def rooms_made(server: Server) -> list[dict[str, str]]:
    return rooms(server, 12)


@pytest.fixture
def table(server: Server, rooms_made: list[dict[str, str]]) -> Iterator[Table]:
    table = Table(rooms_made.pop(), server)
    yield table
    table.leave()
