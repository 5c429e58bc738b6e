"""Redis as a cache for hints: when it does not answer, it is not waited for again and again."""

import time

import pytest
import redis

from mancala_site import hints
from tests.processes import RedisServer


@pytest.fixture
def cache(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> hints.HintCache:
    monkeypatch.setattr(hints, "_asked_again_at", 0.0)
    options = {"socket_timeout": 0.3, "socket_connect_timeout": 0.3}
    return hints.HintCache(redis_server.url, {"OPTIONS": options})


def test_a_hint_is_kept_and_found(cache: hints.HintCache):
    cache.set("who", (1, 2), 60)
    cache.set_many({"when": 3}, 60)
    assert cache.get_many(["who", "when", "else"]) == {"who": (1, 2), "when": 3}


def test_while_redis_hangs_one_waits_and_the_others_do_not(
    cache: hints.HintCache, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
):
    cache.set("who", 1, 60)
    redis_server.pause()
    with pytest.raises(redis.TimeoutError):
        cache.get("who")
    redis_server.resume()
    with pytest.raises(redis.ConnectionError, match="a moment ago"):  # though it would answer
        cache.get("who")
    with pytest.raises(redis.ConnectionError, match="a moment ago"):
        cache.set_many({"who": 2, "when": 3}, 60)
    later = time.monotonic() + hints.REST_S
    monkeypatch.setattr(hints.time, "monotonic", lambda: later)
    assert cache.get("who") == 1


def test_who_wants_to_leave_several_hints_waits_for_redis_once(cache: hints.HintCache, redis_server: RedisServer):
    redis_server.pause()
    with pytest.raises(redis.TimeoutError):
        cache.set_many({"who": 1, "when": 2}, 60)
    with pytest.raises(redis.ConnectionError, match="a moment ago"):
        cache.get("who")
    redis_server.resume()
