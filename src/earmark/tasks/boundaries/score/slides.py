"""Pk and WindowDiff: a probe of fixed width slides over both segmentations."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.boundaries.score.arrays import Ints


def probe_width(length: int, reference: Ints) -> int:
    """Half of the reference's mean unit, rounded half to even, at least 2.

    Examples
    --------
    >>> probe_width(10, np.array([3]))
    2
    """
    return max(2, round(Fraction(length, 2 * (len(reference) + 1))))


def unit_numbers(length: int, inner: Ints) -> NDArray[np.int32]:
    """For each word, how many inner boundaries lie before it."""
    steps = np.zeros(length, dtype=np.int32)
    steps[inner + 1] = 1
    return np.cumsum(steps, dtype=np.int32)


def slide(
    length: int, reference: Ints, output: Ints, *, width: int | None = None
) -> dict[str, tuple[int, int]]:
    """Disagreements and probes of Pk, of WindowDiff, and of WindowDiff with Lamprier's correction.

    Both sides are inner boundaries. The correction lets the probe overhang both ends of the text,
    so that boundaries there are seen as often as others; its divisor is the number of probes and
    one, as segeval has it (Lamprier et al. 2007 divide by the number of probes).

    Examples
    --------
    >>> slide(10, np.array([3]), np.array([4]))["pk"]
    (2, 8)
    """
    width = width or probe_width(length, reference)
    ours, theirs = unit_numbers(length, reference), unit_numbers(length, output)
    apart = ours - theirs
    probes = max(length - width, 0)
    moved = apart[width:] != apart[:-width]
    together = (ours[width:] == ours[:-width]) != (theirs[width:] == theirs[:-width])
    overhanging = np.concatenate(
        [np.zeros(width, np.int32), apart, np.full(width, apart[-1], np.int32)]
    )
    seen_more = overhanging[width:] != overhanging[:-width]
    return {
        "pk": (int(np.count_nonzero(together)), probes),
        "window_diff": (int(np.count_nonzero(moved)), probes),
        "lamprier": (int(np.count_nonzero(seen_more)), length + width + 1),
    }
