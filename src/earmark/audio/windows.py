"""Overlapping windows of a recording."""

import math
from collections.abc import Iterator

from earmark.values.errors import InputError
from earmark.values.span import Span, on_grid


def window_spans(duration: float, *, window: float, hop: float) -> tuple[Span, ...]:
    """Windows of `window` seconds that begin every `hop` seconds and lie within the recording.

    Examples
    --------
    >>> len(window_spans(180.0, window=10.0, hop=1.0))
    171
    """
    if window <= 0 or hop <= 0:
        raise InputError(
            "windows and hops last longer than nothing", got=f"window {window}, hop {hop}"
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


def batches_apart(
    starts: tuple[float, ...], *, window: float, apart: float
) -> Iterator[tuple[int, ...]]:
    """Groups of windows of one recording of which no two lie closer than `apart` seconds.

    Distance is counted from the end of one window to the start of the next: listeners of a batch
    never hear the same second twice, and `apart` seconds of silence lie between.

    Examples
    --------
    >>> list(batches_apart((0.0, 1.0, 2.0, 3.0), window=1.0, apart=1.0))
    [(0, 2), (1, 3)]
    """
    left = list(range(len(starts)))
    while left:
        batch: list[int] = []
        for index in left:
            if not batch or starts[index] - starts[batch[-1]] >= window + apart - 1e-9:
                batch.append(index)
        yield tuple(batch)
        left = [index for index in left if index not in set(batch)]
