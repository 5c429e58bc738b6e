"""The settings of the site, one file for every way to run it. Values come from the environment, defaults are safe.

Without any variable: one process, SQLite, no Redis, for this machine only.

===============  ====================  ===============================================================================
Variable         Default               Meaning
===============  ====================  ===============================================================================
HOST             127.0.0.1             The address to listen on; 0.0.0.0 lets other devices of the network in.
PORT             8000                  The port to listen on.
PROCESSES        1                     How many server processes share the port. More than one need REDIS_URL.
PUBLIC_URL                             Where the public finds the site behind a proxy: one or several origins separated
                                       by commas, like https://play.example.org. With https only: secure cookies and
                                       HSTS. The proxy sets Host, X-Real-IP and X-Forwarded-Proto itself.
DATABASE_URL     SQLite in DATA_DIR    postgres://user:password@host/name, or sqlite:////path/to/file.
REDIS_URL                              redis://host:6379/0: several processes hear each other, and share a cache.
DATA_DIR         var, in the project   Folder of the SQLite database, the collected static files and the secret key.
SECRET_KEY       made once             Signs cookies; the same for all processes. Kept in DATA_DIR/secret_key if unset.
DEBUG            0                     1 shows errors in the browser and serves static files uncollected. Never public.
LOG_FORMAT       line                  What is logged: line, for people, or json, an object a line, for programs.
SOCKET_RATE      20                    Messages per second that one websocket may send on average.
SOCKET_BURST     60                    Messages that one websocket may send at once.
ADDRESS_SOCKETS  300                   Websockets that one process holds open for one address at a time.
ADDRESS_FORMS    600                   Forms that one process takes from one address in a minute.
ADDRESS_ROOMS    120                   New rooms among them, in ten minutes.
ADDRESS_MISSES   200                   Codes that no room has, in ten minutes: then an address sees only its own games.
ADDRESS_SOLVES   120                   Positions that one process values for one address in a minute.
PING_SECONDS     5                     How long a websocket may be silent before it is asked whether it is there, looked
                                       for every two seconds. Well below the time-outs of proxies.
CLAIM_SECONDS    60                    How long a player may be away from a game with clocks until the other may end it.
COMPUTER_PACE    100                   How long a computer waits before it sows, in percent of a person's pace.
ENGINE_ENDINGS   87000000              Of how many positions the engine finds the values beforehand, for each ruleset
                                       and width of the board that is played: so many bytes of disk and memory.
===============  ====================  ===============================================================================
"""

import logging
import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from mancala_site import addresses
from mancala_site.one_file import SameFileConnection

BASE_DIR = Path(__file__).resolve().parent.parent


def _text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def _number(name: str, default: int, lowest: int, highest: int) -> int:
    text = _text(name, str(default))
    if not (text.isdecimal() and lowest <= int(text) <= highest):
        raise ImproperlyConfigured(f"{name} is a number from {lowest} to {highest}, not {text!r}")
    return int(text)


def _choice(name: str, *allowed: str) -> str:
    text = _text(name, allowed[0]).lower()
    if text not in allowed:
        raise ImproperlyConfigured(f"{name} is {' or '.join(allowed)}, not {text!r}")
    return text


def _origins(name: str) -> list[str]:
    origins = [text.strip().rstrip("/").lower() for text in _text(name).split(",") if text.strip()]
    for origin in origins:
        if not re.fullmatch(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", origin):
            raise ImproperlyConfigured(f"{name} is one or several of https://host[:port], not {origin!r}")
    return origins


def _secret_key(path: Path) -> str:
    """The key in a file that only its owner may read; made once, even by processes that start together."""
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(dir=path.parent)  # readable by its owner only
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was faster
        finally:
            Path(draft).unlink()
    return path.read_text()


# Where it runs ------------------------------------------------------------------------------------

DEBUG = _text("DEBUG", "0").lower() in {"1", "true", "yes", "on"}
HOST = _text("HOST", "127.0.0.1")
PORT = _number("PORT", 8000, 1, 65535)
PROCESSES = _number("PROCESSES", 1, 1, 64)
PUBLIC_URLS = _origins("PUBLIC_URL")
REDIS_URL = _text("REDIS_URL")
if REDIS_URL and not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured(f"REDIS_URL is like redis://host:6379/0, not {REDIS_URL!r}")
DATA_DIR = Path(_text("DATA_DIR", str(BASE_DIR / "var"))).resolve()
try:
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    SECRET_KEY = _text("SECRET_KEY") or _secret_key(DATA_DIR / "secret_key")
except OSError as error:
    raise ImproperlyConfigured(f"DATA_DIR must be a folder to write into: {error}") from error

_hosts = ["127.0.0.1", "localhost", "[::1]"]
if HOST not in _hosts:
    _hosts += [*addresses.of_this_machine(), *addresses.names_of_this_machine()]
    _hosts += [HOST] if HOST not in {"0.0.0.0", "::"} else []  # noqa: S104  compared, not bound

ALLOWED_HOSTS = [*_hosts, *(str(urlsplit(url).hostname) for url in PUBLIC_URLS)]
CSRF_TRUSTED_ORIGINS = PUBLIC_URLS
WEBSOCKET_ORIGINS = [*(f"http://{host}:{PORT}" for host in _hosts), *PUBLIC_URLS]

# What it is made of -------------------------------------------------------------------------------

INSTALLED_APPS = [
    "daphne",  # first: its runserver speaks websocket
    "channels",
    "games",
    "servestatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    *(["servestatic.middleware.ServeStaticMiddleware"] if DEBUG else []),  # else static_answers.py
    "mancala_site.middleware.ReadableForm",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "csp.middleware.CSPMiddleware",
    "mancala_site.middleware.PermissionsPolicy",
    "mancala_site.middleware.DatabaseAway",
]
ROOT_URLCONF = "mancala_site.urls"
ASGI_APPLICATION = "mancala_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.preferences.of_request",
            ],
        },
    },
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# What is kept, and what is passed on --------------------------------------------------------------

_SQLITE: dict[str, Any] = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": str(DATA_DIR / "mancala.sqlite3"),
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",  # else a reader that turns writer is refused at once: "database is locked"
        "timeout": 5,
        "factory": SameFileConnection,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    },
    # A file, which threads and other processes see too; one for each run of the tests.
    "TEST": {"NAME": f"{tempfile.gettempdir()}/mancala-test-{os.getpid()}.sqlite3"},
}
_POSTGRESQL: dict[str, Any] = {
    "ENGINE": "django.db.backends.postgresql",
    # Under ASGI requests end on threads of their own; what stays open belongs to the pool.
    "OPTIONS": {
        # A pool that lost its database would wait twice as long each time before it looks again, up to minutes.
        "pool": {"min_size": 2, "max_size": 10, "timeout": 5, "reconnect_timeout": 2},
        "options": "-c lock_timeout=4s",  # as on SQLite: nobody waits for ever behind another
    },
    "CONN_MAX_AGE": 0,
    "CONN_HEALTH_CHECKS": True,
}


def _database(url: str) -> dict[str, Any]:
    try:
        place: dict[str, Any] = {**(dj_database_url.parse(url) if url else _SQLITE)}
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL: {error}") from error
    for kind in (_SQLITE, _POSTGRESQL):
        if place["ENGINE"] == kind["ENGINE"]:
            return {**place, **kind, "NAME": place["NAME"], "OPTIONS": {**place.get("OPTIONS", {}), **kind["OPTIONS"]}}
    raise ImproperlyConfigured("DATABASE_URL begins with postgres:// or sqlite:///")


DATABASES = {"default": _database(_text("DATABASE_URL"))}

CHANNEL_LAYERS: dict[str, dict[str, Any]]
CACHES: dict[str, dict[str, Any]]
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "mancala_site.layers.ResyncPubSubChannelLayer",
            "CONFIG": {"url": REDIS_URL, "prefix": "mancala"},
        },
    }
    CACHES = {
        "default": {
            "BACKEND": "mancala_site.hints.HintCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "mancala",
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},  # seconds; a hint is not worth more
        },
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

SOCKET_RATE = _number("SOCKET_RATE", 20, 1, 1_000_000)
SOCKET_BURST = _number("SOCKET_BURST", 60, 1, 1_000_000)
ADDRESS_SOCKETS = _number("ADDRESS_SOCKETS", 300, 1, 1_000_000)
ADDRESS_FORMS = _number("ADDRESS_FORMS", 600, 1, 1_000_000)
ADDRESS_ROOMS = _number("ADDRESS_ROOMS", 120, 1, 1_000_000)
ADDRESS_MISSES = _number("ADDRESS_MISSES", 200, 1, 1_000_000)
ADDRESS_SOLVES = _number("ADDRESS_SOLVES", 120, 1, 1_000_000)
PING_SECONDS = _number("PING_SECONDS", 5, 1, 3600)
CLAIM_SECONDS = _number("CLAIM_SECONDS", 60, 1, 86_400)
COMPUTER_PACE = _number("COMPUTER_PACE", 100, 0, 1000)
ENGINE_ENDINGS = _number("ENGINE_ENDINGS", 87_000_000, 0, 87_000_000)

# Who is trusted -----------------------------------------------------------------------------------

_https = bool(PUBLIC_URLS) and all(url.startswith("https:") for url in PUBLIC_URLS)

SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"  # a guest costs no row and no query
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
CSRF_FAILURE_VIEW = "mancala_site.doors.refused_form"
CSRF_COOKIE_HTTPONLY = True  # forms bring the token along; no script reads it
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = _https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _https else None
SILENCED_SYSTEM_CHECKS = [
    "security.W002",  # who may frame us is said by frame-ancestors: a room's board may stand in other pages
    "security.W005",  # the domains below ours may be somebody else's
    "security.W008",  # the proxy leads from http to https
    "security.W021",  # as for W005
]
SECURE_HSTS_SECONDS = 30 * 24 * 60 * 60 if _https else 0
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if _https else None  # over http browsers only complain about it

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "manifest-src": ["'self'"],
        # Older Safari does not take a websocket of the page's origin for 'self'. A policy can't name IPv6 addresses.
        "connect-src": ["'self'", *(url.replace("http", "ws", 1) for url in WEBSOCKET_ORIGINS if "[" not in url)],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    },
}

# Static files -------------------------------------------------------------------------------------

STATIC_URL = "/static/"
SERVESTATIC_ALLOW_ALL_ORIGINS = False  # only our pages ask for them
SERVESTATIC_KEEP_ONLY_HASHED_FILES = True  # nobody asks for the others
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "mancala_site.static_files.ModuleStaticFilesStorage"},
}

# What is logged -----------------------------------------------------------------------------------


def _in_our_words(record: logging.LogRecord) -> bool:
    """A refused request is one line and names the variable that lets it in."""
    if record.name.startswith("django.security."):
        record.exc_info = None
        record.msg = str(record.msg).replace("ALLOWED_HOSTS", "PUBLIC_URL")
    return True


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {"()": "mancala_site.logs.JsonLine"},
    },
    "filters": {"words": {"()": lambda: _in_our_words}, "few": {"()": "mancala_site.logs.FewOfAKind"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": _choice("LOG_FORMAT", "line", "json"),
            "filters": ["words", "few"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "games": {"level": "INFO"},
        "mancala_site": {"level": "INFO"},
        "django.request": {"level": "ERROR"},  # a page that is not there is no news
        "django": {"handlers": [], "level": "WARNING"},  # nor mail, Django's own default
    },
}
