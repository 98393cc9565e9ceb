"""Rate limits: so many requests a minute for each token, more for a moment."""

import math
import time
from collections import OrderedDict

from earmark.values.errors import InputError
from earmark.web.errors import Refusal

# Whoever was not seen for long is forgotten first; a bucket is a few hundred bytes.
MOST_BUCKETS = 50_000


class RateLimit:
    """A bucket of requests for each key, refilled at a steady rate.

    Keys are tokens, not addresses: behind a proxy all people share one address.
    """

    def __init__(self, per_minute: float, burst: float | None = None) -> None:
        self.rate = per_minute / 60
        self.burst = per_minute if burst is None else burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, key: str, *, now: float | None = None) -> None:
        """Take one request from a key's bucket; raise Refusal (429) if it is empty."""
        moment = time.monotonic() if now is None else now
        left, since = self._buckets.pop(key, (self.burst, moment))
        left = min(self.burst, left + (moment - since) * self.rate)
        is_empty = left < 1
        self._buckets[key] = (left if is_empty else left - 1, moment)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if is_empty:
            wait = max(1, math.ceil((1 - left) / self.rate))
            slow = InputError("too many requests", fix=f"wait {wait} s")
            raise Refusal(429, slow, Retry_After=str(wait))
