"""What several kinds of faults befall."""

from collections.abc import Iterator

import pytest

from tests.processes import PostgreSQL


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    """A running PostgreSQL with an empty database, to be killed and run again."""
    server = PostgreSQL()
    if not server.is_there:
        pytest.skip("no PostgreSQL is installed")
    yield server.start()
    server.stop()
