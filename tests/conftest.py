"""Fixtures for every kind of test, and the rules they keep.

In-process tests run on the in-memory channel layer and a SQLite file that all their threads see. Process tests
(`redis_server`, `serve`) start real servers with a database of their own; `site` is one that many share, because
starting it costs more than most of them do. Browser tests drive Chromium through
Playwright's synchronous API, which keeps an event loop running in its thread; they never touch the ORM in this
process, so Django's guard against that needs no switching off, and run in a pytest of their own.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.contenttypes.management import create_contenttypes
from django.db.models.signals import post_migrate
from django.test import override_settings

from games import caps, thinking
from games.engine.engine import Engine
from tests.processes import PROJECT, PostgreSQL, RedisServer, Server, free_port


def pytest_xdist_auto_num_workers() -> int:
    """Two for each core: about half of the time a test waits for a server, a browser or Redis."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse async tests on a transaction: the ORM of a coroutine runs on another thread, which does not see it."""
    for item in items:
        mark = item.get_closest_marker("django_db")
        on_transaction = not mark.kwargs.get("transaction") if mark else "db" in getattr(item, "fixturenames", ())
        if on_transaction and item.get_closest_marker("asyncio"):
            raise pytest.UsageError(f"{item.nodeid}: an async test needs django_db(transaction=True)")


@pytest.fixture(scope="session", autouse=True)
def _static_files_as_they_are() -> Iterator[None]:
    """Pages of in-process tests name static files that nobody has collected, and serve none."""
    plain = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    with override_settings(STORAGES={**settings.STORAGES, **plain}):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """The test database. When it is emptied nobody needs the permissions again, which cost ten times as much."""
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)


@pytest.fixture(autouse=True)
def _nobody_has_asked_yet() -> None:
    """What one address may ask is counted anew for every test, as all come from the same."""
    for asked in (caps._forms, caps._rooms, caps._misses, caps._sign_ins, caps._solves):
        asked._buckets.clear()


@pytest.fixture(autouse=True)
def _nobody_thinks_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What an engine does in the background of a test is over when the test is: it would take the time of others.

    So the engine of a whole process, which goes on for a minute, is never made: a test has a `plain_engine`.
    """
    monkeypatch.setattr(thinking, "engine", lambda: pytest.fail("whoever thinks in a test needs a plain_engine"))
    yield
    busy = [thread for thread in threading.enumerate() if thread.name in {"engine", "endings"}]
    for thread in busy:
        thread.join(10)
    assert not any(thread.is_alive() for thread in busy), busy


@pytest.fixture
def plain_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Engine:
    """What thinks in this process: nothing is compiled, and no endings are looked for."""
    plain = Engine(tmp_path, most_endings=0)
    monkeypatch.setattr(thinking, "engine", lambda: plain)
    return plain


def pytest_unconfigure() -> None:
    """Django removes the test database, but not the two files that SQLite keeps beside it."""
    name = Path(settings.DATABASES["default"].get("TEST", {}).get("NAME") or os.devnull)
    for beside in name.parent.glob(f"{name.name}*-[sw]*"):
        beside.unlink(missing_ok=True)


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A running redis-server, to be stopped, killed, paused and started again."""
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    """A running PostgreSQL with an empty database, to be killed and run again."""
    server = PostgreSQL()
    if not server.is_there:
        pytest.skip("no PostgreSQL is installed")
    yield server.start()
    server.stop()


@pytest.fixture(scope="session")
def site_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A DATA_DIR with collected static files, a secret key and a migrated, empty database to copy. Nobody changes it.

    All workers of a run share it; the first to need it makes it while the others wait.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # of this run; each worker has its own below
    folder /= "site-data"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made := folder / "made").exists():
            environment = _environment(folder, folder / "mancala.sqlite3")
            for command in (["migrate"], ["collectstatic", "--ignore=admin"]):
                subprocess.run(
                    [sys.executable, "manage.py", *command, "--no-input", "--verbosity=0"],
                    cwd=PROJECT,
                    env={**os.environ, **environment},
                    check=True,
                )
            made.touch()
    return folder


@pytest.fixture(scope="session")
def _one_site(site_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("site"))
    yield factory()
    factory.end()


@pytest.fixture
def site(_one_site: Server) -> Iterator[Server]:
    """A server as it starts by itself, for all tests that leave it alone; each opens rooms of its own."""
    yield _one_site
    assert "Traceback" not in _one_site.log, _one_site.log


@pytest.fixture
def serve(site_data: Path, tmp_path: Path) -> Iterator["ServerFactory"]:
    """Start servers: `serve()`, `serve(redis=redis_server)`, `serve(SOCKET_RATE="1000")`.

    All servers of a test share one database of their own, and their secret key with all tests. At the end they are
    terminated, and a traceback in a log fails the test unless the server's `may_log_tracebacks` is set.
    """
    factory = ServerFactory(site_data, tmp_path)
    yield factory
    factory.end()


class ServerFactory:
    """What the `serve` fixture gives."""

    def __init__(self, site_data: Path, folder: Path) -> None:
        self.servers: list[Server] = []
        self._folder = folder
        self._database = folder / "mancala.sqlite3"
        self._site_data = site_data
        shutil.copy(site_data / "mancala.sqlite3", self._database)

    def __call__(
        self,
        *arguments: str,
        redis: RedisServer | None = None,
        port: int | None = None,
        fd: int | None = None,
        **environment: str,
    ) -> Server:
        """A started server. Other keywords are variables of its environment."""
        return self.prepare(*arguments, redis=redis, port=port, fd=fd, **environment).start()

    def prepare(
        self,
        *arguments: str,
        redis: RedisServer | None = None,
        port: int | None = None,
        fd: int | None = None,
        **environment: str,
    ) -> Server:
        """A server not started yet."""
        variables = _environment(self._site_data, self._database)
        variables |= {"PORT": str(port or free_port())} | ({"REDIS_URL": redis.url} if redis else {}) | environment
        log = self._folder / f"server-{len(self.servers)}.log"
        server = Server(variables, log, arguments, fd)
        self.servers.append(server)
        return server

    def end(self) -> None:
        for server in self.servers:
            if server.is_running:
                server.terminate()
        for server in self.servers:
            assert server.may_log_tracebacks or "Traceback" not in server.log, server.log


def _environment(data: Path, database: Path) -> dict[str, str]:
    """Settings that depend on nothing set outside."""
    limits = ("SOCKET_RATE", "SOCKET_BURST", "CLAIM_SECONDS", "PING_SECONDS", "LOG_FORMAT")
    asked = ("SOCKETS", "FORMS", "ROOMS", "MISSES", "SOLVES")
    generous = {f"ADDRESS_{what}": "1000000" for what in asked}
    unset = dict.fromkeys(("SECRET_KEY", "DEBUG", "PUBLIC_URL", "REDIS_URL", "PROCESSES", *limits), "")
    quick = {"ENGINE_ENDINGS": "10000"}  # found at once
    return {
        **unset,
        **generous,
        **quick,
        "DATA_DIR": str(data),
        "DATABASE_URL": f"sqlite:///{database}",
        "HOST": "127.0.0.1",
    }
