"""A cache for hints: when Redis does not answer, everybody does without it for a while. Not for what must be right."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.client import Pipeline

REST_S = 5.0
"""For how long Redis is not asked again after it has failed: of all who want a hint one waits, and not each."""


_asked_again_at = 0.0


@contextmanager
def _asking() -> Iterator[None]:
    """Raises `redis.ConnectionError` for a while after any failure."""
    global _asked_again_at  # noqa: PLW0603  one for all connections
    if time.monotonic() < _asked_again_at:
        raise redis.ConnectionError("Redis did not answer a moment ago")
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError):
        _asked_again_at = time.monotonic() + REST_S
        raise


class _Client(redis.Redis):
    """Commands that fail at once while Redis is not asked."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Ask."""
        with _asking():
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> "_Pipeline":  # redis-py's
        """Several commands at once."""
        return _Pipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)


class _Pipeline(Pipeline):
    """The same for several commands at once."""

    def execute(self, raise_on_error: bool = True) -> list[Any]:  # redis-py's
        """Ask."""
        with _asking():
            return super().execute(raise_on_error)


class _CacheClient(RedisCacheClient):
    """Django's, with our commands."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._client = _Client


class HintCache(RedisCache):
    """Django's cache in Redis, which nobody waits for again and again."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _CacheClient
