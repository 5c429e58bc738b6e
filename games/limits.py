"""How much one socket may ask. Pure: `now` is always an argument."""

from dataclasses import dataclass, field


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
        if self._counted_at is not None:
            self._credits = min(self.burst, self._credits + (now - self._counted_at) * self.rate)
        self._counted_at = now
        if self._credits < 1:
            return False
        self._credits -= 1
        return True
