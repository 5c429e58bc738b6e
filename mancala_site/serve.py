"""The server: Daphne, with a word when it starts, and a farewell to its websockets when it ends. Not for pages.

    python -m mancala_site.serve [--prepare] [--host 127.0.0.1] [--port 8000]

By itself Daphne drops its sockets, which looks like a lost network, and their consumers never hear of it. This one
closes each with a code that means "come back soon" and gives the consumers time to finish.
"""

import gc
import sys

if __name__ == "__main__":
    gc.disable()  # what is loaded now stays: `mancala_site.asgi` looks through it once, and enables this again
    # Twisted does without: TLS ends before us, and takes 7 MB and a tenth of a second of every start.
    sys.modules["OpenSSL"] = None  # type: ignore[assignment]  # how Python notes what is not to be imported

import daphne.server  # before all of Twisted: it chooses how that runs  # isort: skip

import argparse
import asyncio
import contextlib
import errno
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import django
import redis
from autobahn.exception import Disconnected
from daphne.endpoints import build_endpoint_description_strings
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DatabaseError, connections
from django.utils.module_loading import import_string
from twisted.internet import defer, reactor, task
from twisted.internet.error import ReactorNotRunning
from twisted.logger import (
    FilteringLogObserver,
    LogLevel,
    LogLevelFilterPredicate,
    PredicateResult,
    STDLibLogObserver,
    globalLogPublisher,
)
from twisted.python.failure import Failure

from mancala_site import addresses
from mancala_site.crew import Crew
from mancala_site.daphne_socket import BoundedSocket, SocketFactory, SocketOutlet
from mancala_site.outlets import offer
from mancala_site.requests import RequestFactory

RESTARTING = 4412
"""The close code that tells a page to come back soon."""

NEWCOMERS = 1024
"""Connections that may wait to be accepted. Of the 50 that Twisted lets wait, the others try again after seconds."""

ANSWER_S = 6
"""How long a websocket that is asked whether it is there may take to answer, before the others are told it is lost."""

DRAIN_S = 5.0
"""How long consumers and requests may take to finish when the server ends."""

MAX_MESSAGE_BYTES = 16_384
"""The longest websocket message, in either direction; consumers take less than that."""

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared, not bound

CANNOT_START = "Mancala cannot start:"


class Unavailable(Exception):
    """Something that the settings name is not there."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until told to end. Exits with 1, after one clear line, when it cannot."""
    options = _options(arguments)
    for name in ("host", "port"):
        if value := getattr(options, name):
            os.environ[name.upper()] = value
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mancala_site.settings")
    try:
        django.setup()
        _require_database()
        if options.prepare:
            _prepare_apart()
        crew = _crew(options)
    except (ImproperlyConfigured, Unavailable) as error:
        sys.exit(f"{CANNOT_START} {error}")
    if crew:
        gc.enable()
        _greet(options)
        crew.run()
        sys.exit(crew.complaint)
    if options.life is not None:
        threading.Thread(target=_end_with, args=(options.life,), name="life", daemon=True).start()
    call_command("sweep", "--once")  # before anybody is judged by a clock that ran while no server did
    threading.Thread(target=call_command, args=("sweep",), name="sweep", daemon=True).start()
    daphne.server.WebSocketFactory = SocketFactory  # Daphne has no option for it
    daphne.server.HTTPFactory = RequestFactory  # likewise
    globalLogPublisher.addObserver(_twisted_errors())
    server = DrainServer(
        import_string(settings.ASGI_APPLICATION),
        endpoints=_endpoints(options),
        ready_callable=None if options.life is not None else lambda: _greet(options),
        server_name="",  # a header that nobody needs
        ping_interval=settings.PING_SECONDS,
        ping_timeout=ANSWER_S,
        websocket_connect_timeout=20,
        websocket_handshake_timeout=20,
        websocket_max_message_size=MAX_MESSAGE_BYTES,
        websocket_max_frame_size=MAX_MESSAGE_BYTES,
        # Who is asking is a proxy's to say only where there is one.
        proxy_forwarded_address_header="X-Real-IP" if settings.PUBLIC_URLS else None,
        proxy_forwarded_proto_header="X-Forwarded-Proto" if settings.PUBLIC_URLS else None,
    )
    server.run()
    sys.exit(server.complaint)


class DrainServer(daphne.server.Server):
    """Daphne that, told to end, takes no newcomers, sends its websockets away and waits for what is under way."""

    def __init__(self, application: Any, **options: Any) -> None:
        super().__init__(application, **options)
        self.complaint: str | None = None
        self._ports: list[Any] = []

    def listen_success(self, port: Any) -> None:
        """Remember a port, to close it first when the server ends."""
        self._ports.append(port)
        super().listen_success(port)

    def listen_error(self, failure: Failure) -> None:
        """Say in one line why the server cannot listen, and end."""
        reason = getattr(failure.value, "socketError", failure.value)
        self.complaint = f"Mancala cannot start: {_cannot_listen(reason)}"
        self.stop()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Begin to serve a request or a socket, which is offered its outlet."""
        if isinstance(protocol, BoundedSocket):
            protocol.outlet = SocketOutlet(protocol)
            offer(scope, protocol.outlet)
        return super().create_application(protocol, scope)

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Pass on what an application says; what it says to a socket that has just gone is dropped, no error."""
        with contextlib.suppress(Disconnected):
            await super().handle_reply(protocol, message)

    @defer.inlineCallbacks
    def kill_all_applications(self) -> Generator[defer.Deferred[Any], Any, None]:
        """Called by Daphne when the server is about to end, which waits for the answer."""
        for port in self._ports:
            yield defer.maybeDeferred(port.stopListening)
        end = time.monotonic() + DRAIN_S
        while self._under_way() and time.monotonic() < end:
            self._send_sockets_away()
            yield task.deferLater(reactor, 0.05)
        for application in self._under_way():
            application.cancel()
        yield task.deferLater(reactor, 0.1)

    def _send_sockets_away(self) -> None:
        for protocol in tuple(self.connections):
            if isinstance(protocol, WebSocketProtocol) and protocol.state == protocol.STATE_OPEN:
                protocol.sendClose(RESTARTING)

    def _under_way(self) -> list[asyncio.Future[None]]:
        applications = [details.get("application_instance") for details in self.connections.values()]
        return [application for application in applications if application and not application.done()]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mancala_site.serve", description="Serve Mancala.")
    parser.add_argument("--host", help="address to listen on, instead of the variable HOST")
    parser.add_argument("--port", help="port to listen on, instead of the variable PORT")
    parser.add_argument("--unix-socket", metavar="PATH", help="listen on this socket and on no port")
    parser.add_argument("--fd", type=int, metavar="N", help="listen on this inherited file descriptor and on no port")
    parser.add_argument("--with", dest="life", type=int, help=argparse.SUPPRESS)  # a pipe of the crew: end with it
    parser.add_argument("--prepare", action="store_true", help="bring database and static files up to date first")
    return parser.parse_args(arguments)


def _endpoints(options: argparse.Namespace) -> list[str]:
    if options.fd is not None:
        return list(build_endpoint_description_strings(file_descriptor=options.fd))
    place = (
        {"unix_socket": options.unix_socket} if options.unix_socket else {"host": settings.HOST, "port": settings.PORT}
    )
    return [f"{endpoint}:backlog={NEWCOMERS}" for endpoint in build_endpoint_description_strings(**place)]


def _crew(options: argparse.Namespace) -> Crew | None:
    """The processes that share the port, where there are to be several."""
    if settings.PROCESSES == 1 or options.fd is not None or options.unix_socket:
        return None
    if not settings.REDIS_URL:
        raise Unavailable(
            f"{settings.PROCESSES} processes hear each other through Redis. Name one, like"
            " REDIS_URL=redis://127.0.0.1:6379/0 (on Debian: apt install redis-server), or leave out PROCESSES."
        )
    if ":" in settings.HOST:
        raise Unavailable("several processes share an IPv4 address only. Choose another HOST, or leave out PROCESSES.")
    try:
        listener = socket.create_server((settings.HOST, settings.PORT), backlog=NEWCOMERS)
    except OSError as error:
        raise Unavailable(_cannot_listen(error)) from error
    return Crew([sys.executable, "-m", "mancala_site.serve"], settings.PROCESSES, listener)


def _cannot_listen(error: object) -> str:
    if getattr(error, "errno", None) == errno.EADDRINUSE:
        return f"port {settings.PORT} is taken. Choose another, like PORT={settings.PORT + 1}."
    return f"it may not listen on {settings.HOST}:{settings.PORT}: {error}"


def _end_with(life: int) -> None:
    """End this process, in order, once nobody holds the other end of a pipe."""
    os.read(life, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _twisted_errors() -> Any:
    """A witness of what goes wrong in Twisted itself, of which Daphne logs nothing."""

    def told_twice(event: Any) -> Any:
        """Who is told to end twice has been told, and nothing is wrong."""
        failure = event.get("log_failure")
        return PredicateResult.no if failure and failure.check(ReactorNotRunning) else PredicateResult.maybe

    witness: Any = STDLibLogObserver("twisted")
    predicates: Any = [told_twice, LogLevelFilterPredicate(LogLevel.error)]
    return FilteringLogObserver(witness, predicates)


def _require_database() -> None:
    database = connections["default"].copy()
    if database.settings_dict["OPTIONS"].pop("pool", None):  # a pool would try for long, and not say why
        database.settings_dict["OPTIONS"]["connect_timeout"] = 5
    try:
        database.ensure_connection()
    except DatabaseError as error:
        reason = " ".join(str(error).split())
        raise Unavailable(f"no answer from {_database()}: {reason}") from error
    finally:
        database.close()


def _prepare_apart() -> None:
    """In a process of its own: what it loads, some 40 MB, would stay."""
    preparing = multiprocessing.get_context("fork").Process(target=_prepare)
    preparing.start()
    preparing.join()
    if preparing.exitcode:  # it has said why
        sys.exit(preparing.exitcode)


def _prepare() -> None:
    try:
        call_command("migrate", verbosity=0, interactive=False)
        if not settings.DEBUG and _static_files_changed():
            call_command("collectstatic", verbosity=0, interactive=False)
    except (DatabaseError, OSError) as error:
        sys.exit(f"{CANNOT_START} {settings.DATA_DIR} or the database could not be brought up to date: {error}")


def _static_files_changed() -> bool:
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    if not manifest.exists():
        return True
    collected_at = manifest.stat().st_mtime
    sources = (storage.path(path) for finder in get_finders() for path, storage in finder.list([]))
    return any(Path(source).stat().st_mtime > collected_at for source in sources)


def _greet(options: argparse.Namespace) -> None:
    print(*_greeting(options), sep="\n", flush=True)  # noqa: T201


def _greeting(options: argparse.Namespace) -> Iterator[str]:
    many = f", in {settings.PROCESSES} processes" if settings.PROCESSES > 1 and options.fd is None else ""
    yield f"Mancala runs on {_database()}, {_relay()}{many}."
    if options.unix_socket or options.fd is not None:
        yield f"Listening on {options.unix_socket or f'file descriptor {options.fd}'}."
    else:
        yield f"Open {_url('127.0.0.1' if settings.HOST in EVERYWHERE else settings.HOST)}"
    if settings.HOST in EVERYWHERE:
        elsewhere = [_url(address) for address in addresses.of_this_machine() if "[" not in address]
        yield f"From another device in the same network: {' or '.join(elsewhere) or 'no network found'}"
    for url in settings.PUBLIC_URLS:
        yield f"In public: {url}/"
    yield "Ctrl-C ends it."


def _url(host: str) -> str:
    return f"http://{host}:{settings.PORT}/"


def _database() -> str:
    place = settings.DATABASES["default"]
    if place["ENGINE"].endswith("sqlite3"):
        file = Path(place["NAME"])
        return f"SQLite ({file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file})"
    return f"PostgreSQL ({place['NAME']} at {place['HOST'] or 'this machine'})"


def _relay() -> str:
    if not settings.REDIS_URL:
        return "in one process, without Redis"
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as client:
        where = client.get_connection_kwargs().get("host", "a local socket")
        try:
            policy = client.info("memory").get("maxmemory_policy", "")
        except redis.RedisError as error:
            return f"with Redis ({where}), WHICH DOES NOT ANSWER: other processes are not heard until it does ({error})"
    if policy.startswith("allkeys"):
        return (
            f"with Redis ({where}), which when full throws away links to other devices, too (maxmemory-policy {policy})"
        )
    return f"with Redis ({where})"


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
