"""A SQLite database that is busy, full or gone, while people play: a move waits or is refused, and none is lost."""

import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ServerFactory
from tests.faults.table import Table, end_clean, locked
from tests.patience import PATIENCE_S
from tests.processes import Server

MEGABYTES = 3


@pytest.fixture(scope="module")
def disk(site_data: Path) -> Iterator[Path]:
    """A small disk with a folder on it, which holds a migrated database."""
    place = Path(tempfile.mkdtemp(prefix="mancala-disk-"))  # not where pytest would stumble over it
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", place], capture_output=True, check=False
    )
    if made.returncode:
        place.rmdir()
        pytest.skip("only root may have a small disk")
    (place / "data").mkdir()
    shutil.copy(site_data / "mancala.sqlite3", place / "data")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)
    place.rmdir()


@pytest.fixture(scope="module")
def server(site_data: Path, disk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on it; when all is over every game is as its record says."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("server"))
    database = f"sqlite:///{disk}/data/mancala.sqlite3"
    server = factory(DATABASE_URL=database, DJANGO_SETTINGS_MODULE="tests.faults.impatient")
    yield server
    end_clean(factory)


@pytest.fixture
def neighbour(server: Server, rooms_made: list[dict[str, str]]) -> Iterator[Table]:
    neighbour = Table(rooms_made.pop(), server)
    yield neighbour
    neighbour.leave()


def page(server: Server, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(server.url + path, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.status, answer.read().decode()


def test_while_another_program_writes_a_move_waits_and_nobody_sees_it_before_it_is_kept(
    server: Server, table: Table, neighbour: Table
):
    with locked(server):
        table.south.sow(2)
        neighbour.south.sow(2)
        assert '"transcript":""' in page(server, f"/r/{table.code}/state.json")[1]  # who only reads is not held up
        table.still_see("")
    table.see("c")
    neighbour.see("c")
    assert table.south.refusals == []


def test_when_it_does_not_let_go_the_move_is_refused_and_can_be_made_again(
    server: Server, table: Table, neighbour: Table
):
    with locked(server):
        table.south.sow(2)
        table.south.until(lambda: table.south.refusals, "it is refused")
        for seat in neighbour.all:
            seat.beat()
            seat.until(lambda seat=seat: seat.pongs, "whoever plays elsewhere is answered")
        table.still_see("")
    assert table.south.refusals == ["unavailable"]
    table.south.sow(2)
    table.see("c")
    neighbour.south.sow(5)
    neighbour.see("f")


def test_on_a_full_disk_a_move_is_refused_and_play_goes_on_once_there_is_room(server: Server, table: Table, disk: Path):
    table.south.sow(2)
    table.see("c")
    with (disk / "in the way").open("wb", buffering=0) as stuff, pytest.raises(OSError, match="No space left"):
        while True:
            stuff.write(bytes(4096))
    table.south.sow(5)
    table.south.until(lambda: table.south.refusals, "it is refused")
    table.still_see("c")
    assert table.south.refusals == ["unavailable"]
    assert page(server, f"/r/{table.code}/")[0] == 200  # reading needs no room
    (disk / "in the way").unlink()
    table.south.sow(5)
    table.see("cf")
    table.north.sow(7)
    table.see("cfh")
    assert "disk is full" in server.log


@pytest.mark.parametrize("what", ["data", "data/mancala.sqlite3"], ids=["its folder", "its file"])
def test_a_database_that_is_moved_away_and_back_has_lost_nothing(server: Server, table: Table, disk: Path, what: str):
    """SQLite itself would have made an empty file, which spoils the log of the one that is gone."""
    table.south.sow(2)
    table.see("c")
    (disk / what).rename(disk / "elsewhere")
    status, words = page(server, f"/r/{table.code}/")
    assert status == 503
    assert "Every move that was made is kept." in words
    table.south.sow(5)  # the connection of the moves has been open all the time
    table.see("cf")
    (disk / "elsewhere").rename(disk / what)
    assert '"transcript":"cf"' in page(server, f"/r/{table.code}/state.json")[1]
    table.north.sow(7)
    table.see("cfh")
