"""Intervals by resampling groups of items."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.stats.draw import stream
from earmark.values.score import Interval

LEVEL = 0.95
# Cells of a block of resamples: 32 MB of 64-bit weights at a time, whatever the number of items.
CELLS = 4_000_000


def resample_weights(groups: Sequence[str], *, resamples: int, seed: int) -> Iterator[Ints]:
    """Yield how often each item is drawn in each resample, in blocks of (resamples, items).

    Whole groups are drawn with replacement (the parts of one recording stay together), as many
    groups as there are. The draw depends on the seed and on the set of groups only, so two
    systems with the same items get the same resamples. Blocks keep memory bounded however many
    items there are.
    """
    names, places = _places(groups)
    rng = stream(seed, "bootstrap", len(names))
    probabilities = np.full(len(names), 1 / len(names))
    for size in _blocks(resamples, len(groups)):
        drawn = rng.multinomial(len(names), probabilities, size=size)
        yield np.asarray(drawn[:, places], dtype=np.int64)


def _places(groups: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the different groups, sorted, and for each item the place of its group among them."""
    names = sorted(set(groups))
    position = {name: index for index, name in enumerate(names)}
    return names, [position[group] for group in groups]


def _blocks(rows: int, columns: int) -> Iterator[int]:
    """Yield sizes that add up to `rows`, such that a block has about `CELLS` cells."""
    most = max(1, CELLS // max(1, columns))
    for start in range(0, rows, most):
        yield min(most, rows - start)


def percentile_interval(
    values: Floats, *, level: float = LEVEL, method: str = "bootstrap"
) -> Interval | None:
    """Return the middle `level` of the resampled values; None when none was defined."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high), level, method)


def wilson_interval(part: float, whole: float, *, level: float = LEVEL) -> Interval | None:
    """Return Wilson's interval of a proportion (Wilson 1927); None when `whole` is 0.

    Examples
    --------
    >>> interval = wilson_interval(9, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.5958, 0.9821)
    """
    if not whole:
        return None
    z = normal_quantile((1 + level) / 2)
    share = part / whole
    middle = (share + z * z / (2 * whole)) / (1 + z * z / whole)
    spread = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    half = spread / (1 + z * z / whole)
    return Interval(max(0.0, middle - half), min(1.0, middle + half), level, "wilson")


def normal_quantile(probability: float) -> float:
    """Return the standard normal value below which `probability` lies."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)
