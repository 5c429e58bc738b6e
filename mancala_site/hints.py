"""A cache for hints: when Redis does not answer, everybody does without it for a while. Not for what must be right."""

import time
from typing import Any, ClassVar

import redis
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

REST_S = 5.0
"""For how long Redis is not asked again after it has failed: of all who want a hint one waits, and not each."""


class _Client(redis.Redis):
    """Commands that fail at once while Redis is not asked."""

    asked_again_at: ClassVar[float] = 0.0

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Ask. Raises `redis.ConnectionError` for a while after any failure."""
        if time.monotonic() < _Client.asked_again_at:
            raise redis.ConnectionError("Redis did not answer a moment ago")
        try:
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]
        except (redis.ConnectionError, redis.TimeoutError):
            _Client.asked_again_at = time.monotonic() + REST_S
            raise


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
