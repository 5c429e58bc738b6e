"""What a reader has chosen for themselves: theme, speed, sounds. A cookie that pages read and only the browser writes.

Never part of a game, never in the session, never a row.
"""

from urllib.parse import parse_qs

from django.http import HttpRequest

COOKIE = "settings"
"""Its value is like `theme=dark&sound=0`; what is missing or unknown is the default."""

_YES, _NO = ("1", "0"), ("0", "1")
CHOICES = {
    "theme": ("auto", "light", "dark", "contrast"),
    "stones": ("glass", "pebble"),
    "speed": ("auto", "calm", "normal", "brisk", "instant"),
    "hints": _YES,
    "twotap": _NO,
    "letters": _YES,
    "sound": _YES,
    "keys": _YES,
    "notify": _NO,
    "talk": _YES,
    "follow": _NO,
}
"""What can be chosen, the default first. The same names are data attributes of the page's root."""


def read(cookie: str) -> dict[str, str]:
    """Every choice by its name.

    >>> read("theme=dark&speed=ludicrous")["theme"], read("theme=dark&speed=ludicrous")["speed"]
    ('dark', 'auto')
    """
    chosen = parse_qs(cookie[:500])
    return {
        name: text if (text := chosen.get(name, [""])[-1]) in known else known[0] for name, known in CHOICES.items()
    }


def of_request(request: HttpRequest) -> dict[str, dict[str, str]]:
    """Context of every template: `preferences`."""
    return {"preferences": read(request.COOKIES.get(COOKIE, ""))}
