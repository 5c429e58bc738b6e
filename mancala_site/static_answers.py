"""How collected static files are served: before any page is asked, from memory, to be kept for ever. Knows no page."""

from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage
from servestatic.media_types import MediaTypes
from servestatic.utils import parse_accept_encoding

ENDINGS = {"br": ".br", "gzip": ".gz"}
"""What a compressed copy of a file is called beside it, the smallest first."""


class StaticAnswers:
    """The application around all others: it answers for what is named after its content, and passes on the rest.

    Such a file never changes, so nobody has to ask whether it has: it carries no date and no tag, and of all headers
    only those that a browser acts upon. A page asks for fifty files; through Django each would cost ten times as much.
    """

    def __init__(self, pages: Any) -> None:
        self._pages = pages
        kept: Any = staticfiles_storage
        hashed = getattr(kept, "hashed_files", {}).values()
        self._paths = {f"{kept.base_url}{name}": Path(kept.path(name)) for name in hashed}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer, or have it answered."""
        path = self._paths.get(scope["path"]) if scope["type"] == "http" else None
        if path is None or scope["method"] not in {"GET", "HEAD"}:
            await self._pages(scope, receive, send)
            return
        accepted = parse_accept_encoding(dict(scope["headers"]).get(b"accept-encoding", b"").decode("latin-1"))
        coding = next((coding for coding in _codings(path) if coding in accepted), None)
        body = _body(path, coding)
        headers = [
            (b"content-type", _kind(path)),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"max-age=31536000, immutable"),
            (b"x-content-type-options", b"nosniff"),
        ]
        if _codings(path):
            headers.append((b"vary", b"accept-encoding"))
        if coding:
            headers.append((b"content-encoding", coding.encode()))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body if scope["method"] == "GET" else b""})


_kinds = MediaTypes()


@cache
def _kind(path: Path) -> bytes:
    """The media type. It needs no charset: a stylesheet has that of its page, and a module is always UTF-8."""
    return str(_kinds.get_type(str(path))).encode()


@cache
def _codings(path: Path) -> tuple[str, ...]:
    """How the file is also kept, the smallest first."""
    return tuple(coding for coding, ending in ENDINGS.items() if Path(f"{path}{ending}").exists())


@cache
def _body(path: Path, coding: str | None) -> bytes:
    return Path(f"{path}{ENDINGS[coding]}" if coding else path).read_bytes()
