"""What whoever runs the site may ask a process: is it alive, is it ready, how much goes on. Knows no page.

These addresses are answered before Django, so that a probe may call the machine by any name. A proxy keeps them from
the public (deploy/nginx.conf), and figures are told to nobody who comes through one.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import prometheus_client
from channels.layers import get_channel_layer
from django.db import connection
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

PATIENCE_S = 3.0
"""How long the database and the layer may take to answer."""

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which processes behind one port count together."""

_log = logging.getLogger(__name__)

_Answer = tuple[int, str, bytes]
"""Status, media type, body."""


class OperatorAnswers:
    """The application around all others: it answers /healthz, /readyz and /metrics, and passes on the rest."""

    def __init__(self, pages: Any) -> None:
        self._pages = pages

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer, or have it answered."""
        answer = _ANSWERS.get(scope["path"]) if scope["type"] == "http" else None
        if answer is None or scope["method"] not in {"GET", "HEAD"}:
            await self._pages(scope, receive, send)
            return
        status, kind, body = await answer(scope)
        headers = [
            (b"content-type", kind.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body if scope["method"] == "GET" else b""})


async def _health(scope: dict[str, Any]) -> _Answer:
    """The process answers."""
    return 200, "text/plain", b"ok\n"


async def _readiness(scope: dict[str, Any]) -> _Answer:
    """The process can serve games: its database answers, and the layer takes what it tells other processes."""
    database, layer = await asyncio.gather(_answers("database", _ask_database), _answers("layer", _ask_layer))
    found = {"database": database, "layer": layer}
    return 200 if all(found.values()) else 503, "application/json", msgspec.json.encode(found)


async def _metrics(scope: dict[str, Any]) -> _Answer:
    """What was counted, as Prometheus reads it: of this process, or of all behind its port."""
    if {b"x-real-ip", b"x-forwarded-for"} & dict(scope["headers"]).keys():
        return 404, "text/plain", b"not here\n"
    registry = prometheus_client.REGISTRY
    if SHARED_FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    text = await asyncio.to_thread(prometheus_client.generate_latest, registry)
    return 200, prometheus_client.CONTENT_TYPE_LATEST, text


_ANSWERS = {"/healthz": _health, "/readyz": _readiness, "/metrics": _metrics}


async def _answers(what: str, ask: Callable[[], Awaitable[None]]) -> bool:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await ask()
    except Exception as error:  # noqa: BLE001  whatever it is, it is not ready
        _log.warning("not ready, the %s does not answer: %r", what, error)
        return False
    return True


async def _ask_database() -> None:
    def ask() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        finally:
            connection.close()

    await asyncio.to_thread(ask)


async def _ask_layer() -> None:
    layer: Any = get_channel_layer()
    await layer.group_send("readyz", {"type": "hello"})
