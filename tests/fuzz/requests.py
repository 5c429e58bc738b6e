"""Requests that no browser of ours sends, by chance from a seed, as bytes for the wire. Opens no connection."""

import re
from random import Random
from urllib.parse import quote, urlencode

from games import urls
from games.forms import MAX_RECORD

_PAGES = [page for page in urls.urlpatterns if "admin" not in str(page.pattern)]
"""All but what needs the admin's files, which are not collected for tests."""

_CSRF = "a" * 32
"""Whoever makes up a cookie makes up the token that goes with it."""

_TEXTS = (
    *("", "0", "1", "-1", "12", "99999", "9" * 25, "1e9", "٣", "null", "S", "N", "random", "shared", "public", "on"),
    *("\x00", "a\x00b", "\r\nSet-Cookie: a=b", "\ufeff", "\u202e", "\ud7ff", "🦊" * 30, "é" * 200, "a" * 3000, " "),
    *("../../etc/passwd", "..%2f..%2f", "//evil.example", "https://evil.example/", "javascript:alert(1)", "\\\\evil"),
    *(
        "<script>alert(1)</script>",
        "{{7*7}}",
        "{% load %}",
        "' OR 1=1 --",
        "$(id)",
        "%s%s%n",
        "%(nth)s",
        "{0.__class__}",
    ),
    *("classic-6x4", "avalanche-3x3+pie", "both-stores-9x9+majority", "classic-0x0", "classic-99x99", "classic-6x4+x"),
    *(
        "cajmdimhckdmjbhemidkmlmjchdkelm",
        "c",
        "aaaa",
        "z" * 401,
        "abcdefgh" * 50,
        "5+3",
        "30s",
        "1+1+1",
        "0+0",
        "9999+9",
    ),
    *('{"ruleset":"classic-6x4","transcript":"ca"}', '{"ruleset":[],"transcript":{}}', "[" * 5000, "Ruleset: \nca"),
    *("de", "en-GB", "xx", "zh-Hant-" * 30, "x" * MAX_RECORD, "x" * (MAX_RECORD + 1)),
)

_HEADERS = {
    "Accept-Encoding": ("gzip;q=NaN", "br;q=-1", "gzip;;;=", "*;q=1e999", "br," * 500, "\xff", "identity;q=0"),
    "Accept-Language": (
        "de-" * 900,
        "*",
        "de;q=abc",
        "-;q=1",
        "de,,,;q",
        "en_US\xff",
        "de;q=0.9999999999999",
        "x" * 4000,
    ),
    "Content-Type": (
        *(
            "text/html; charset=zlib",
            "text/html; charset=rot13",
            "text/html; charset=idna",
            "text/html; charset=undefined",
        ),
        *("text/html; charset=utf-16", "text/html; charset=utf-7", "text/html; charset=hex", "text/html; charset=\xff"),
        *("text/html; charset=unicode_escape", "text/html; charset=" + "x" * 3000, "text/html; charset=punycode"),
        *(
            "application/x-www-form-urlencoded; charset=zlib",
            "multipart/form-data",
            "multipart/form-data; boundary=\xff",
        ),
        *("multipart/form-data; boundary=" + "b" * 400, "multipart/form-data; boundary=b; charset=zlib", ";", "a;*=b"),
        *("a/b; x*=utf-8''%ff", "a/b; x*=zlib''a", "a/b; x*=a'b", "application/json", '"', "text/plain;" * 900),
    ),
    "Cookie": (
        *(
            "sessionid=" + "x" * 200,
            "sessionid=eyJhIjoxfQ:1:abc",
            "sessionid=.eJx:1wq:zz",
            "sessionid=",
            "sessionid=\xff",
        ),
        *(
            "language=../../etc",
            "language=" + "x" * 3000,
            "settings=theme=dark&sound",
            "settings=%ff%00" * 200,
            "=;=;=",
        ),
        *(
            "messages=x",
            "messages=W10:1abc:x",
            "csrftoken=short",
            "csrftoken=" + "é" * 32,
            "a=" * 2000,
            "$Version=1; a",
        ),
    ),
    "Host": (
        "evil.example",
        "127.0.0.1:1",
        "[::1",
        "[::1]:x",
        "",
        "a b",
        "127.0.0.1\xff",
        "x" * 5000,
        "127.0.0.1:99999999",
    ),
    "Origin": ("http://evil.example", "null", "http://[", "\xff", "http://x:y", "http://127.0.0.1:8000"),
    "Referer": ("http://evil.example/", "http://[", "\xff", "//", "javascript:"),
    "If-None-Match": ('"', "*", 'W/"', '"1.2", W/"\xff"', "," * 2000, '"' * 2000),
    "If-Modified-Since": ("never", "Thu, 99 Foo 9999 99:99:99 GMT", "9" * 400, "Sun, 06 Nov 0000 08:49:37 GMT"),
    "Range": ("bytes=0-", "bytes=-1", "bytes=9" * 300, "x=1"),
    "Content-Length": ("-1", "1e3", "0x10", "9" * 30, "5, 5", "+5", " ", "\xb2"),
    "Transfer-Encoding": ("chunked, chunked", "gzip", "chunked\x0b", "identity", "\xff"),
    "Expect": ("100-continue", "200-ok", "\xff"),
    "Upgrade": ("websocket", "h2c", "WebSocket", "websocket, h2c", "\xff", "TLS/1.0"),
    "Connection": ("Upgrade", "close, Upgrade", "keep-alive", "Host", "\xff"),
    "X-Forwarded-For": ("1.2.3.4, \xff", "x" * 900, "::1"),
    "X-Real-IP": ("\xff", "x", "1.2.3.4, 5.6.7.8", "::ffff:1.2.3.4", "fe80::1%eth0", ""),
    "X-Forwarded-Proto": ("https", "\xff", "javascript"),
    "X-HTTP-Method-Override": ("DELETE",),
    "X-Requested-With": ("XMLHttpRequest",),
    "Daphne-Root-Path": ("/evil", "//evil.example", "\xff", "%ff%00", "/" * 900),
    "Sec-WebSocket-Version": ("0", "13", "8", "x", "9" * 99, "13, 8"),
    "Sec-WebSocket-Key": ("dGhlIHNhbXBsZSBub25jZQ==", "x", "", "=" * 24, "\xff" * 24),
    "Sec-WebSocket-Protocol": ("a", "\xff", "a," * 900, ""),
    "Sec-WebSocket-Extensions": ("permessage-deflate", "permessage-deflate; client_max_window_bits=99", ";=,", "\xff"),
    "Content-Encoding": ("gzip", "br"),
}

_METHODS = (
    "HEAD",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "get",
    "X" * 900,
    "G\xff",
    "",
    "G T",
    "PRI",
)
_ELSEWHERE = (
    *("/admin/", "/admin/games/game/1/change/", "/admin/games/game/\x00/change/"),
    *("/admin/jsi18n/", "/admin/r/1/1/", "/static/", "/static/../manage.py", "/static/%2e%2e/%2e%2e/etc/passwd"),
    *("/static/js/game.js", "/static/\xff", "/healthz", "/readyz", "/metrics", "/metrics/", "/healthz?x=\xff"),
    *(
        "/ws/v1/lobby/",
        "/ws/v1/rooms/zzzzzzzz/",
        "/ws/v2/",
        "http://evil.example/",
        "//evil.example/",
        "*",
        "/..;/",
        "",
    ),
    *(
        "/%",
        "/%u0041",
        "/%00",
        "/%ff",
        "/%2e%2e%2f",
        "/r/%2e%2e/",
        "/r//",
        "/" * 2000,
        "/" + "x" * 20_000,
        "/\x01",
        "/a b",
    ),
)
_FIELDS = (
    "rules",
    "stones",
    "pits",
    "majority",
    "pie",
    "control",
    "side",
    "visibility",
    "code",
    "name",
    "next",
    "page",
)
_MORE_FIELDS = ("key", "language", "text", "ply", "username", "password", "csrfmiddlewaretoken", "", "__proto__", "a[]")


def any_request(random: Random, host: str, code: str, cookie: str) -> list[bytes]:
    """The parts in which it is sent. `code` is a room that there is, `cookie` an identity that is known."""
    method = random.choice(("GET", "POST")) if random.random() < 0.85 else random.choice(_METHODS)
    headers = [("Host", host), ("Connection", "close")]
    if random.random() < 0.8:
        headers.append(("Cookie", f"{cookie}; csrftoken={_CSRF}"))
    target = _target(random, code)
    body = b""
    if method == "POST" or random.random() < 0.05:
        kind, body = random.choice((_form, _form, _multipart, _rubbish))(random)
        headers.append(("Content-Type", kind))
    for _ in range(random.choice((0, 0, 1, 1, 2, 4))):
        name = random.choice(tuple(_HEADERS))
        spoiled = (name, random.choice(_HEADERS[name]))
        if random.random() < 0.7:
            headers = [header for header in headers if header[0] != name]
        headers.append(spoiled)
    headers += random.choice(_CROWDS) if random.random() < 0.05 else []
    chunked = bool(body) and random.random() < 0.3
    if chunked:
        headers.append(("Transfer-Encoding", "chunked"))
        body = _chunks(random, body)
    elif body and random.random() < 0.95:
        length = len(body) if random.random() < 0.9 else random.choice((0, 1, len(body) - 1, len(body) + 1))
        headers.append(("Content-Length", str(length)))
    random.shuffle(headers)
    version = "HTTP/1.1" if random.random() < 0.95 else random.choice(("HTTP/1.0", "HTTP/9.9", "HTTP/x", "", "FTP/1.1"))
    head = f"{method} {target} {version}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
    wire = head.encode("latin-1", "replace") + body
    if random.random() < 0.1:  # slowly, or not to its end
        cut = random.randrange(len(wire))
        return [wire[:cut], wire[cut:] if random.random() < 0.5 else b""]
    return [wire]


_CROWDS = (
    [(f"X-{number}", "x") for number in range(600)],
    [("X-Long", "x" * 20_000)],
    [("X-\xff", "x")],
    [("X Y", "x")],
    [("X_Y", "\xff\xfe")],
    [("X", "a\r\n b\r\n\tc")],
    [("Host", "evil.example"), ("Content-Length", "0"), ("Content-Length", "5")],
    [("Cookie", "a=b")] * 100,
)


def _target(random: Random, code: str) -> str:
    """An address of ours with parameters that need not be good, or any."""
    if random.random() < 0.15:
        return random.choice(_ELSEWHERE)
    pattern = str(random.choice(_PAGES).pattern)

    def value(match: re.Match[str]) -> str:
        if match["name"] == "code" and random.random() < 0.6:
            return code
        text = random.choice(_TEXTS)
        return text[:50] if match["kind"] == "code" else quote(text, safe="/" if random.random() < 0.2 else "")

    target = "/" + re.sub(r"<(?P<kind>\w+):(?P<name>\w+)>", value, pattern)
    if random.random() < 0.3:
        query = urlencode([(random.choice(_FIELDS + _MORE_FIELDS), random.choice(_TEXTS)[:2000]) for _ in range(3)])
        target += "?" + random.choice((query, query, "&" * 2000, "%ff=%ff&%00", "a=\xff", "=" * 99, "?" * 99))
    return re.sub(r"[\r\n]", "", target)


def _fields(random: Random) -> list[tuple[str, str]]:
    count = random.choice((1, 3, 6, 12)) if random.random() < 0.97 else 1200
    return [
        ("csrfmiddlewaretoken", _CSRF),
        *((random.choice(_FIELDS + _MORE_FIELDS), random.choice(_TEXTS)) for _ in range(count)),
    ]


def _form(random: Random) -> tuple[str, bytes]:
    body = urlencode(_fields(random)).encode()
    if random.random() < 0.1:
        body = random.choice(
            (body + b"&%ff=%ff", body.replace(b"=", b""), body + b"&a=\xff\xfe", b"&" * 5000, body[:-1] + b"%")
        )
    return "application/x-www-form-urlencoded", body


def _multipart(random: Random) -> tuple[str, bytes]:
    parts = []
    for name, text in _fields(random)[:50]:
        place = random.choice(
            ('name="{}"', 'name="{}"', 'name="{}"; filename="x"', "name*=utf-8''{}", 'name="{}"; filename=""', "x")
        )
        more = random.choice(
            ("", "", "", "Content-Transfer-Encoding: base64\r\n", "Content-Type: text/plain; charset=zlib\r\n")
        )
        disposition = f"Content-Disposition: form-data; {place.format(name)}\r\n{more}"
        parts.append(f"--edge\r\n{disposition}\r\n{text}\r\n".encode())
    body = b"".join(parts) + random.choice((b"--edge--\r\n", b"", b"--edge", b"--edge--" * 50))
    return "multipart/form-data; boundary=edge", body


def _rubbish(random: Random) -> tuple[str, bytes]:
    kind = random.choice(_HEADERS["Content-Type"])
    return kind, random.choice((b"{}", b"\xff" * 300, random.randbytes(3000), b"", b"x" * 200_000))


def _chunks(random: Random, body: bytes) -> bytes:
    """The body in chunks, mostly well counted."""
    middle = len(body) // 2
    wire = (
        b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:middle], body[middle:]) if part) + b"0\r\n\r\n"
    )
    if random.random() < 0.5:
        return wire
    return random.choice(
        (
            b"ffffffffffffffff\r\n" + body,
            b"-1\r\n" + body,
            b"\r\n" + wire,
            b"x\r\n",
            b"5;" + b"a" * 9000 + b"\r\nabcde\r\n0\r\n\r\n",
            b"5\r\nabcdeXX" + wire,
            wire[:-4],
            wire[:-2] + b"X-Trailer: " + b"a" * 20_000 + b"\r\n\r\n",
            wire + b"GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        )
    )
