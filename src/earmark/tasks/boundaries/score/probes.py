"""Pk and WindowDiff: a probe of fixed width slides over both segmentations."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Ints
from earmark.tasks.boundaries.score.edits import Ratio


class ProbeRatios(NamedTuple):
    """Disagreements of all probes, by Pk, by WindowDiff, and with Lamprier's correction."""

    pk: Ratio
    window_diff: Ratio
    lamprier: Ratio


def probe_width(length: int, reference: Ints) -> int:
    """Return half of the reference's mean unit, rounded half to even, at least 2.

    Examples
    --------
    >>> probe_width(10, np.array([3]))
    2
    """
    return max(2, round(Fraction(length, 2 * (len(reference) + 1))))


def unit_numbers(length: int, inner: Ints) -> NDArray[np.int32]:
    """Return for each word how many inner boundaries come before it."""
    steps = np.zeros(length, dtype=np.int32)
    steps[inner + 1] = 1
    return np.cumsum(steps, dtype=np.int32)


def count_probes(
    length: int, reference: Ints, output: Ints, *, width: int | None = None
) -> ProbeRatios:
    """Count the probes on which two segmentations disagree; both sides are inner boundaries.

    Pk asks whether the two ends of a probe lie in the same unit; WindowDiff, how many boundaries
    lie between them. The two sides disagree on that number exactly where the difference of their
    unit numbers is not the same at both ends. Lamprier's correction lets the probe overhang both
    ends of the text, so that boundaries there are seen as often as others; its divisor is the
    number of probes plus one, as in segeval (Lamprier et al. 2007 divide by the number of probes).

    Examples
    --------
    >>> count_probes(10, np.array([3]), np.array([4])).pk
    Ratio(part=2, whole=8)
    """
    width = width or probe_width(length, reference)
    probes = max(length - width, 0)
    ours, theirs = unit_numbers(length, reference), unit_numbers(length, output)  # (words,)
    together_differs = (ours[width:] == ours[:-width]) != (theirs[width:] == theirs[:-width])
    difference = ours - theirs
    count_differs = difference[width:] != difference[:-width]
    overhanging = np.concatenate(
        [np.zeros(width, np.int32), difference, np.full(width, difference[-1], np.int32)]
    )
    overhanging_differs = overhanging[width:] != overhanging[:-width]
    return ProbeRatios(
        pk=Ratio(int(np.count_nonzero(together_differs)), probes),
        window_diff=Ratio(int(np.count_nonzero(count_differs)), probes),
        lamprier=Ratio(int(np.count_nonzero(overhanging_differs)), length + width + 1),
    )
