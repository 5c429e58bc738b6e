"""What a started server says, whom it lets in, and how it serves what pages are made of."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPMessage
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.conftest import ServerFactory
from tests.patience import PATIENCE_S
from tests.processes import RedisServer, Server, free_port

ELSEWHERE = "http://elsewhere.example"


def fetch(server: Server, path: str = "/", **headers: str) -> tuple[int, str, HTTPMessage]:
    """Status, body and headers of a page."""
    request = urllib.request.Request(server.url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode("utf-8", "replace"), answer.headers
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.status, answer.read().decode("utf-8", "replace"), answer.headers


def refusal(server: Server, origin: str | None) -> int | None:
    """The status that a page of that origin gets when it opens a websocket here; None if it may."""
    try:
        with connect(f"ws://127.0.0.1:{server.port}/ws/v1/lobby/", origin=origin):
            return None
    except InvalidStatus as refused:
        return refused.response.status_code


def test_it_first_says_what_it_runs_on_and_where_to_find_it(site: Server):
    what, where, end = site.log.splitlines()[:3]
    assert re.fullmatch(r"Mancala runs on SQLite \(.*mancala\.sqlite3\), in one process, without Redis\.", what)
    assert where == f"Open http://127.0.0.1:{site.port}/"
    assert end == "Ctrl-C ends it."


def test_open_to_the_network_it_says_where_other_devices_find_it_and_lets_them_in(serve: ServerFactory):
    server = serve(HOST="0.0.0.0")  # noqa: S104
    line = server.log.splitlines()[2]
    assert line.startswith("From another device in the same network: ")
    for url in re.findall(r"http://\S+", line):
        assert fetch(server, Host=url.split("/")[2])[0] == 200
        assert refusal(server, url.rstrip("/")) is None


def test_with_redis_it_says_so(serve: ServerFactory, redis_server: RedisServer):
    assert "with Redis (127.0.0.1)." in serve(redis=redis_server).log.splitlines()[0]


def test_of_a_redis_that_throws_anything_away_it_warns(serve: ServerFactory, redis_server: RedisServer):
    """B118"""
    redis_server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    assert "throws away links to other devices, too (maxmemory-policy allkeys-lru)" in serve(redis=redis_server).log


def test_without_the_redis_it_was_told_of_it_warns_and_serves(serve: ServerFactory, redis_server: RedisServer):
    redis_server.stop()
    server = serve(redis=redis_server)
    assert "DOES NOT ANSWER" in server.log.splitlines()[0]
    assert fetch(server)[0] == 200
    assert refusal(server, server.url) is None


def test_a_taken_port_is_one_clear_line(serve: ServerFactory, site: Server):
    port = site.port
    second = serve.prepare(port=port)
    second.launch()
    assert second.wait() == 1
    assert second.log == f"Mancala cannot start: port {port} is taken. Choose another, like PORT={port + 1}.\n"


def test_a_folder_that_cannot_be_prepared_is_one_clear_line(serve: ServerFactory, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "static").write_text("in the way")
    server = serve.prepare("--prepare", DATA_DIR=str(tmp_path / "data"))
    server.launch()
    assert server.wait() == 1
    assert re.fullmatch(
        r"Mancala cannot start: .*/data or the database could not be brought up to date: .*\n", server.log
    )


def test_a_postgresql_that_does_not_answer_is_one_clear_line_without_the_password(serve: ServerFactory):
    server = serve.prepare(DATABASE_URL=f"postgres://ann:secret@127.0.0.1:{free_port()}/games")
    server.launch()
    assert server.wait() == 1
    assert re.fullmatch(r"Mancala cannot start: no answer from PostgreSQL \(games at 127\.0\.0\.1\): .*\n", server.log)
    assert "secret" not in server.log


def test_a_variable_that_means_nothing_is_one_clear_line(serve: ServerFactory):
    server = serve.prepare(PUBLIC_URL="play.example.org")
    server.launch()
    assert server.wait() == 1
    assert re.fullmatch(r"Mancala cannot start: PUBLIC_URL .*\n", server.log)


@pytest.fixture(scope="module")
def public(site_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a public address."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("public"))
    yield factory(PUBLIC_URL="https://play.example.org")
    factory.end()


def test_only_pages_of_its_own_origin_open_sockets(public: Server):
    """B99: people were refused, and no log said what to set."""
    own_origins = (public.url, f"http://localhost:{public.port}", f"http://[::1]:{public.port}")
    for own in (*own_origins, "https://play.example.org", "https://Play.Example.ORG", "https://play.example.org:443"):
        assert refusal(public, own) is None
    for other in (
        ELSEWHERE,
        "null",
        None,
        "http://play.example.org",
        "https://play.example.org:444",
        "http://127.0.0.1",
    ):
        assert refusal(public, other) == 403, other
    assert public.log.count("a page of 'http://elsewhere.example' may not open sockets here: set PUBLIC_URL") == 1
    for malformed in ("http://[", "http://x:y"):
        assert refusal(public, malformed) == 400


def test_only_names_of_its_own_are_answered(public: Server):
    """B123"""
    assert fetch(public, Host="play.example.org")[0] == 200
    assert fetch(public, Host="elsewhere.example")[0] == 400
    assert "'elsewhere.example' to PUBLIC_URL" in public.log.splitlines()[-1]


def test_pages_forbid_everything_from_elsewhere_and_everything_inline(site: Server):
    _, _, headers = fetch(site)
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"


def test_pages_give_away_what_of_the_device_they_do_not_need(site: Server):
    _, _, headers = fetch(site)
    policy = headers["Permissions-Policy"].split(", ")
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(policy)
    assert not [part for part in policy if part.startswith(("clipboard", "web-share", "fullscreen"))]  # which they do


@pytest.fixture
def static_names():
    return re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"')


def test_static_files_are_named_by_content_compressed_and_kept_for_ever(site: Server, static_names):
    _, page, _ = fetch(site)
    names = static_names.findall(page)
    assert {name.rpartition(".")[2] for name in names} == {"css", "js"}
    for name in names:
        sizes = []
        for asked, coding in (("gzip, deflate, br, zstd", "br"), ("gzip, deflate", "gzip"), ("br;q=0", None)):
            status, _, headers = fetch(site, name, **{"Accept-Encoding": asked})
            assert status == 200
            assert re.search(r"\.[0-9a-f]{12}\.(css|js)$", name)
            assert "immutable" in headers["Cache-Control"]
            assert headers["Content-Encoding"] == coding or int(headers["Content-Length"]) < 300
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Vary"] == "accept-encoding" or int(headers["Content-Length"]) < 300
            sizes.append(int(headers["Content-Length"]))
        assert sizes == sorted(sizes)


def test_a_static_file_can_be_asked_about_and_is_never_written_to(site: Server, static_names):
    name = static_names.findall(fetch(site)[1])[0]
    with urllib.request.urlopen(urllib.request.Request(site.url + name, method="HEAD"), timeout=PATIENCE_S) as answer:
        assert (answer.status, answer.read()) == (200, b"")
        assert int(answer.headers["Content-Length"]) > 0
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        urllib.request.urlopen(urllib.request.Request(site.url + name, method="POST"), timeout=PATIENCE_S)
    refused.value.close()


def test_modules_import_each_other_by_names_of_content_too(site: Server, static_names):
    _, page, _ = fetch(site)
    scripts = [fetch(site, name)[1] for name in static_names.findall(page) if name.endswith(".js")]
    imported = [name for script in scripts for name in re.findall(r"""from\s*['"]([^'"]+)['"]""", script)]
    assert imported
    assert all(re.search(r"\.[0-9a-f]{12}\.js$", name) for name in imported), imported


def test_with_json_the_log_is_read_by_programs(serve: ServerFactory):
    server = serve(LOG_FORMAT="json")
    assert fetch(server, Host="elsewhere.example")[0] == 400
    line = json.loads(server.log.splitlines()[-1])
    assert (line["level"], line["logger"]) == ("error", "django.security.DisallowedHost")
    assert "PUBLIC_URL" in line["message"]
    assert set(line) == {"at", "level", "logger", "message"}
