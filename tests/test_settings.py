"""The settings: what the environment says, what is refused, and what is safe without a word."""

import ast
import re
import runpy
import socket
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured

from mancala_site import addresses
from tests.processes import PROJECT

FILE = PROJECT / "mancala_site" / "settings.py"
READERS = {"_text", "_number", "_choice", "_origins"}


def variables_read() -> set[str]:
    """The names given to the functions that read the environment."""
    calls = (node for node in ast.walk(ast.parse(FILE.read_text())) if isinstance(node, ast.Call))
    named = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id in READERS)
    return {call.args[0].value for call in named if isinstance(call.args[0], ast.Constant)}


@pytest.fixture
def read(monkeypatch, tmp_path):
    """The settings as read with nothing but these variables set."""

    def read(**variables: str) -> dict:
        for name in variables_read():
            monkeypatch.delenv(name, raising=False)
        for name, value in {"DATA_DIR": str(tmp_path / "data"), **variables}.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(FILE))

    return read


def test_every_variable_is_in_the_table_and_every_one_in_the_table_is_read():
    table = (ast.get_docstring(ast.parse(FILE.read_text())) or "").split("=\n")[2]
    assert set(re.findall(r"^[A-Z_]+", table, re.MULTILINE)) == variables_read()


def test_only_the_readers_read_the_environment():
    assert FILE.read_text().count("os.environ") == 1


def test_without_a_variable_only_this_machine_is_served_from_a_folder_of_its_own(read, tmp_path):
    settings = read()
    assert not settings["DEBUG"]
    assert (settings["HOST"], settings["PORT"]) == ("127.0.0.1", 8000)
    assert settings["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"]
    assert settings["WEBSOCKET_ORIGINS"] == ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"]
    assert settings["DATABASES"]["default"]["NAME"] == str(tmp_path / "data" / "mancala.sqlite3")
    assert settings["CHANNEL_LAYERS"]["default"]["BACKEND"] == "channels.layers.InMemoryChannelLayer"


def test_an_empty_variable_is_none(read):
    assert read(PORT="", REDIS_URL=" ", PUBLIC_URL="")["PORT"] == 8000


def test_listening_to_the_network_lets_in_whoever_names_this_machine(read, monkeypatch):
    monkeypatch.setattr(addresses, "of_this_machine", lambda: ("192.168.1.7", "[2001:db8::7]"))
    monkeypatch.setattr(addresses, "names_of_this_machine", lambda: ("den", "den.local"))
    settings = read(HOST="0.0.0.0", PORT="9000")  # noqa: S104
    assert {"192.168.1.7", "[2001:db8::7]", "den", "den.local"} < set(settings["ALLOWED_HOSTS"])
    assert {"http://192.168.1.7:9000", "http://den.local:9000"} < set(settings["WEBSOCKET_ORIGINS"])
    assert "ws://192.168.1.7:9000" in settings["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]["connect-src"]


def test_listening_on_one_address_lets_it_in(read):
    assert "192.0.2.7" in read(HOST="192.0.2.7")["ALLOWED_HOSTS"]


def test_a_public_https_address_is_trusted_and_makes_cookies_secure(read):
    """B123: one variable sets hosts, origins of forms and of sockets, and https."""
    settings = read(PUBLIC_URL="https://Play.example.org, https://mancala.example.org:8443/")
    urls = ["https://play.example.org", "https://mancala.example.org:8443"]
    assert settings["CSRF_TRUSTED_ORIGINS"] == urls
    assert settings["WEBSOCKET_ORIGINS"][-2:] == urls
    assert settings["ALLOWED_HOSTS"][-2:] == ["play.example.org", "mancala.example.org"]
    assert settings["SESSION_COOKIE_SECURE"]
    assert settings["CSRF_COOKIE_SECURE"]
    assert settings["LANGUAGE_COOKIE_SECURE"]
    assert settings["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")
    assert settings["SECURE_HSTS_SECONDS"]
    assert "wss://play.example.org" in settings["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]["connect-src"]


@pytest.mark.parametrize("url", ["http://den.example", "https://a.example,http://a.example"])
def test_a_public_http_address_keeps_cookies_usable_without_https(read, url):
    settings = read(PUBLIC_URL=url)
    assert not settings["SESSION_COOKIE_SECURE"]
    assert settings["SECURE_PROXY_SSL_HEADER"] is None
    assert not settings["SECURE_HSTS_SECONDS"]


def test_redis_carries_messages_and_cache(read):
    settings = read(REDIS_URL="redis://db.example/1")
    assert settings["CHANNEL_LAYERS"]["default"]["CONFIG"]["url"] == "redis://db.example/1"
    assert settings["CACHES"]["default"]["LOCATION"] == "redis://db.example/1"


def test_postgresql_is_reached_through_a_pool_and_nothing_else_is_kept_open(read):
    database = read(DATABASE_URL="postgres://ann:pass@db.example:5433/games?sslmode=require")["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["USER"], database["HOST"], database["PORT"], database["NAME"]) == (
        "ann", "db.example", 5433, "games"
    )  # fmt: skip
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["OPTIONS"]["pool"]
    assert database["CONN_MAX_AGE"] == 0


def test_another_sqlite_file_gets_the_same_care(read):
    database = read(DATABASE_URL="sqlite:////srv/games.sqlite3")["DATABASES"]["default"]
    assert database["NAME"] == "/srv/games.sqlite3"
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("SOCKET_RATE", "-1"),
        ("LOG_FORMAT", "xml"),
        ("PROCESSES", "0"),
        ("PUBLIC_URL", "play.example.org"),
        ("PUBLIC_URL", "https://play.example.org/mancala"),
        ("PUBLIC_URL", "https://*.example.org"),
        ("PUBLIC_URL", "https://ann@play.example.org"),
        ("REDIS_URL", "localhost:6379"),
        ("DATABASE_URL", "mysql://db.example/games"),
        ("DATABASE_URL", "games.sqlite3"),
        ("DATA_DIR", "/dev/null/data"),
    ],
)
def test_a_value_that_means_nothing_is_refused_by_the_name_of_its_variable(read, name, value):
    with pytest.raises(ImproperlyConfigured, match=name):
        read(**{name: value})


def test_the_secret_key_is_made_once_and_only_its_owner_reads_it(read, tmp_path):
    key = read()["SECRET_KEY"]
    assert len(key) >= 50
    assert read()["SECRET_KEY"] == key
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["secret_key"]


def test_servers_that_start_together_agree_on_the_secret_key(read, tmp_path):
    make = read(SECRET_KEY="given")["_secret_key"]
    path = tmp_path / "secret_key"
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(make, [path] * 8))) == 1


def test_a_given_secret_key_is_used_and_kept_nowhere(read, tmp_path):
    assert read(SECRET_KEY="given")["SECRET_KEY"] == "given"
    assert not (tmp_path / "data" / "secret_key").exists()


def test_a_machine_without_network_or_name_still_starts(monkeypatch):
    def fails(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(socket, "socket", fails)
    monkeypatch.setattr(socket, "getaddrinfo", fails)
    assert addresses.of_this_machine() == ()


def test_addresses_of_this_machine_are_none_that_only_it_can_use():
    assert not [a for a in addresses.of_this_machine() if a.startswith(("127.", "169.254.", "[::1]", "[fe80"))]
