"""How much one socket, or one address, may ask. Pure: `now` is always an argument."""

import threading
from dataclasses import dataclass, field

_MOST_BUCKETS = 10_000
"""So many keys are remembered before those are forgotten whose bucket is full again."""


@dataclass(slots=True)
class Bucket:
    """Credits that refill at `rate` a second up to `burst`; each message costs one."""

    rate: float
    burst: float
    _credits: float = field(init=False)
    _counted_at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._credits = self.burst

    def take(self, now: float) -> bool:
        """Whether a message may pass at `now` (seconds, monotonic)."""
        self._credits = self.credits(now)
        self._counted_at = now
        if self._credits < 1:
            return False
        self._credits -= 1
        return True

    def credits(self, now: float) -> float:
        """How many there are at `now`."""
        if self._counted_at is None:
            return self._credits
        return min(self.burst, self._credits + (now - self._counted_at) * self.rate)

    def is_full(self, now: float) -> bool:
        """Whether it is as good as a new one."""
        return self.credits(now) >= self.burst


@dataclass(slots=True)
class Buckets:
    """A bucket for each of many keys, of any thread. Those that nobody has drawn from for long are forgotten."""

    rate: float
    burst: float
    _buckets: dict[str, Bucket] = field(init=False, default_factory=dict)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def take(self, key: str, now: float) -> bool:
        """Whether there was a credit of `key` left at `now`, which then is gone. Nobody's key always has one."""
        if not key:
            return True
        with self._lock:
            if len(self._buckets) >= _MOST_BUCKETS:
                self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now)}
            return self._buckets.setdefault(key, Bucket(self.rate, self.burst)).take(now)

    def is_empty(self, key: str, now: float) -> bool:
        """Whether `take` would say no."""
        with self._lock:
            bucket = self._buckets.get(key)
            return bucket is not None and bucket.credits(now) < 1
