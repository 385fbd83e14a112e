"""Rates: buckets of tokens that fill again with time."""

import time
from collections import OrderedDict

MAX_BUCKETS = 50_000
"""The number of addresses that are remembered."""


class TokenBucket:
    """A bucket. Mutable: each message takes a token."""

    __slots__ = ("_burst", "_filled", "_per_second", "_tokens")

    def __init__(self, per_second: float, burst: int, now: float) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._tokens = float(burst)
        self._filled = now

    def take(self, now: float) -> bool:
        """Take a token; False if there is none."""
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._per_second)
        self._filled = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class TokenBuckets:
    """A bucket for each name. Mutable: the names that were used longest ago are forgotten."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, name: str) -> bool:
        now = time.monotonic()
        found = self._buckets.get(name)
        if found is None:
            found = self._buckets[name] = TokenBucket(self._per_second, self._burst, now)
            if len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(name)
        return found.take(now)
