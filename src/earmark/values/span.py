"""A span of time, in seconds."""

import math
from dataclasses import dataclass

from earmark.values.errors import InputError


def on_grid(seconds: float) -> float:
    """Return a time rounded to the microsecond, so that equal times compare equal."""
    return round(seconds, 6)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A span of time from start to end, in seconds.

    Examples
    --------
    >>> Span(1.0, 3.5).length
    2.5
    """

    start: float
    end: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", on_grid(self.start))
        object.__setattr__(self, "end", on_grid(self.end))
        if not 0 <= self.start < self.end < math.inf:
            raise InputError(
                "a span must end after it starts",
                got=f"{self.start} to {self.end}",
                want="0 <= start < end, in seconds",
                fix="correct the two times",
            )

    @property
    def length(self) -> float:
        """Seconds from start to end."""
        return on_grid(self.end - self.start)
