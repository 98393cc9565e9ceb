"""Overlapping windows of a recording."""

import math

from earmark.values.errors import InputError
from earmark.values.span import Span, on_grid


def window_spans(duration: float, *, window: float, hop: float) -> tuple[Span, ...]:
    """Return windows of `window` seconds that begin every `hop` seconds, within the recording.

    Examples
    --------
    >>> len(window_spans(180.0, window=10.0, hop=1.0))
    171
    """
    if window <= 0 or hop <= 0:
        raise InputError(
            "a window and a hop must be > 0 seconds", got=f"window {window}, hop {hop}"
        )
    if duration < window:
        raise InputError(
            "a recording must be at least one window long",
            got=f"{duration} s",
            want=f"at least {window} s",
            fix="use a shorter window, or leave the recording out",
        )
    count = math.floor(on_grid((duration - window) / hop) + 1e-9) + 1
    return tuple(Span(k * hop, k * hop + window) for k in range(count))
