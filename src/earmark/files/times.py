"""Times as files write them: numbers of seconds."""

import math
from typing import NamedTuple

from earmark.values.errors import InputError


class Seconds(NamedTuple):
    """When something starts and ends, in seconds."""

    start: float
    end: float


def read_seconds(start: object, end: object, *, at: object) -> Seconds:
    """Return a start and an end as numbers.

    Raises
    ------
    InputError
        If one of them is no finite number >= 0, or the end comes before the start.

    Examples
    --------
    >>> read_seconds("0.5", 2, at="talk.json")
    Seconds(start=0.5, end=2.0)
    """
    try:
        times = Seconds(float(str(start)), float(str(end)))
    except ValueError:
        times = Seconds(math.nan, math.nan)
    if not 0 <= times.start <= times.end < math.inf:
        raise InputError(
            "times must be numbers of seconds >= 0, and an end must not come before its start",
            at=at,
            got=f"{start} to {end}",
        )
    return times
