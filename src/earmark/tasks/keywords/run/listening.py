"""A device that listens all the time: a stream judged window by window, as clips are.

Every `hop` seconds the last `window` seconds are judged, by the same function that judges a clip:
a window's score is the score of a clip with the same samples. The first window that holds a keyword
whole ends at most one hop after it; judging comes on top of that.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Samples
from earmark.tasks.keywords.values import RATE, Verdict
from earmark.values import checks
from earmark.values.errors import InputError

# Seconds between two decisions. A quarter of a second is as long as a listener does not notice.
HOP = 0.25
# Seconds of sound around the keyword in a window: the background is estimated from them.
AROUND = 1.0


@dataclass(frozen=True, slots=True)
class WindowVerdict:
    """What was decided on the sound from `start` to `end`, in seconds of the stream."""

    start: float
    end: float
    verdict: Verdict


class StreamListener:
    """Judges a stream that comes in chunks of any size; it remembers one window and no more."""

    def __init__(
        self, judge: Callable[[Samples], Verdict], *, window: float, hop: float = HOP
    ) -> None:
        """Listen with a function that judges samples at 16 kHz."""
        checks.within(hop, 0.01, 60.0, what="a hop in seconds")
        if window < hop:
            raise InputError(
                "a window must be at least as long as a hop", got=f"{window} s, hop {hop} s"
            )
        self._judge = judge
        self.window, self.hop = window, hop
        self._window, self._hop = round(window * RATE), round(hop * RATE)
        self._recent = np.empty(0, dtype=np.float32)  # the last samples, one window at most
        self._waiting = np.empty(0, dtype=np.float32)  # what came since the last decision
        self._end = 0  # samples of the stream up to the last decision

    def feed(self, chunk: Samples) -> Iterator[WindowVerdict]:
        """Take further samples; yield a verdict for every hop that they complete."""
        self._waiting = np.concatenate([self._waiting, chunk.astype(np.float32)])
        while len(self._waiting) >= self._hop:
            yield self._decide(self._hop)

    def rest(self) -> Iterator[WindowVerdict]:
        """Yield the verdict on the last window of a stream that ended between two hops."""
        if len(self._waiting):
            yield self._decide(len(self._waiting))

    def _decide(self, size: int) -> WindowVerdict:
        taken, self._waiting = self._waiting[:size], self._waiting[size:]
        self._recent = np.concatenate([self._recent, taken])[-self._window :]
        self._end += size
        start = (self._end - len(self._recent)) / RATE
        return WindowVerdict(start, self._end / RATE, self._judge(self._recent))


class WakeGate:
    """Says which windows wake anew: one keyword lies in several windows, and wakes once.

    After a wake the device is awake until a window shares no sound with the one that woke it.
    """

    def __init__(self) -> None:
        self._awake_until = 0.0

    def opens(self, one: WindowVerdict) -> bool:
        """Return whether this window wakes a device that was not awake."""
        if not one.verdict.awake or one.start < self._awake_until:
            return False
        self._awake_until = one.end
        return True


def wakes(judged: Iterable[WindowVerdict]) -> Iterator[WindowVerdict]:
    """Yield the windows that wake anew, in the order of the stream."""
    gate = WakeGate()
    return (one for one in judged if gate.opens(one))
