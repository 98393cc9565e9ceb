"""How long a system judges, apart from loading, learning and enrolling: the real-time factor.

F_r of Wang et al. 2021, section 2.1: the time for judging the test audio over its duration, and
nothing else. Only the system knows when it judges, so it says so, here.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class InferenceClock:
    """Seconds of work and seconds of sound, so far."""

    work: float = 0.0
    sound: float = 0.0

    @property
    def real_time_factor(self) -> float | None:
        """Seconds of work per second of sound; None if no system said when it judges."""
        return self.work / self.sound if self.sound else None


_clock: ContextVar[InferenceClock | None] = ContextVar("inference", default=None)


@contextmanager
def inference_measured() -> Iterator[InferenceClock]:
    """Give the block a clock that runs while a system says that it judges."""
    clock = InferenceClock()
    token = _clock.set(clock)
    try:
        yield clock
    finally:
        _clock.reset(token)


@contextmanager
def judging(sound: float) -> Iterator[None]:
    """Let the clock run within this block, in which so many seconds of sound are judged.

    Examples
    --------
    >>> with inference_measured() as clock:
    ...     with judging(2.0):
    ...         total = sum(range(10))
    >>> clock.sound, clock.work > 0
    (2.0, True)
    """
    started = time.perf_counter()
    yield
    clock = _clock.get()
    if clock is not None:
        clock.work += time.perf_counter() - started
        clock.sound += sound
