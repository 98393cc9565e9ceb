"""How many groups show a difference, and what a number of groups can show.

One formula read in three directions. A two-sided test at `level`, corrected for `pairs` pairs of
systems, has the critical quantile q; with n groups whose contributions to the difference d have the
standard deviation s, its power is about

    Phi(sqrt(n - q^2 / 2) |d| / s - q),

the normal approximation with Guenther's term q^2 / 2 for a spread that is estimated (Guenther
1981). With fewer groups than `least_groups` no swap test can reach the level, and power is 0.
"""

import math
from statistics import NormalDist

import numpy as np

from earmark.arrays import Floats
from earmark.stats.paired import SIGNIFICANCE, least_groups
from earmark.values.score import Interval

# The probability with which a planned comparison shows a difference that is there: the field's .8.
POWER = 0.8
CONFIDENCE = 0.95
# From so many values on the interval of a spread allows for other shapes than the normal; of fewer
# a shape cannot be told, and the interval that tries is many times wider without need.
ENOUGH_FOR_SHAPE = 8
NORMAL = NormalDist()


def power_with(
    groups: float, *, difference: float, spread: float, pairs: int = 1, level: float = SIGNIFICANCE
) -> float:
    """Return the probability that so many groups show the difference.

    Examples
    --------
    >>> round(power_with(34, difference=0.05, spread=0.1), 2)
    0.81
    >>> power_with(5, difference=0.05, spread=0.001)
    0.0
    """
    quantile = _critical(pairs, level)
    rest = groups - quantile**2 / 2
    if groups < least_groups(pairs, level) or rest <= 0:
        return 0.0
    return NORMAL.cdf(math.sqrt(rest) * abs(difference) / spread - quantile)


def groups_for(
    difference: float,
    *,
    spread: float,
    power: float = POWER,
    pairs: int = 1,
    level: float = SIGNIFICANCE,
) -> int:
    """Return how many groups show the difference with that power.

    Examples
    --------
    >>> groups_for(0.05, spread=0.1), groups_for(0.05, spread=0.1, pairs=45)
    (34, 73)
    """
    quantile = _critical(pairs, level)
    needed = ((quantile + NORMAL.inv_cdf(power)) * spread / abs(difference)) ** 2 + quantile**2 / 2
    return max(math.ceil(needed), least_groups(pairs, level))


def detectable_with(
    groups: float,
    *,
    spread: float,
    power: float = POWER,
    pairs: int = 1,
    level: float = SIGNIFICANCE,
) -> float:
    """Return the smallest difference that so many groups show with that power; nan if none.

    Examples
    --------
    >>> round(detectable_with(34, spread=0.1), 3)
    0.049
    """
    quantile = _critical(pairs, level)
    rest = groups - quantile**2 / 2
    if groups < least_groups(pairs, level) or rest <= 0:
        return math.nan
    return (quantile + NORMAL.inv_cdf(power)) * spread / math.sqrt(rest)


def _critical(pairs: int, level: float) -> float:
    """Return the normal quantile that a standardised difference must reach."""
    return NORMAL.inv_cdf(1 - level / max(1, pairs) / 2)


def spread_interval(values: Floats, *, level: float = CONFIDENCE) -> Interval | None:
    """Return an interval of the standard deviation that these values are a sample of.

    From eight values on Bonett's interval (2006), which allows for heavy tails: differences of
    systems are often 0 with a few large ones, and the textbook's chi-square interval would then be
    too narrow. Below eight it is the chi-square interval. None if fewer than two values, or all
    alike.
    """
    size = len(values)
    variance = float(np.var(values, ddof=1)) if size > 1 else 0.0
    if not variance:
        return None
    tail = (1 - level) / 2
    if size < ENOUGH_FOR_SHAPE:
        from scipy.special import chdtri

        low, high = (
            variance * (size - 1) / float(chdtri(size - 1, share)) for share in (tail, 1 - tail)
        )
        return Interval(math.sqrt(low), math.sqrt(high), level, "chi-square")
    quantile = NORMAL.inv_cdf(1 - tail)
    small = size / (size - quantile)
    error = small * math.sqrt((_kurtosis(values) - (size - 3) / size) / (size - 1))
    low, high = (small * variance * math.exp(sign * quantile * error) for sign in (-1, 1))
    return Interval(math.sqrt(low), math.sqrt(high), level, "bonett")


def _kurtosis(values: Floats) -> float:
    """Return Bonett's estimate: the fourth moment is about a trimmed mean."""
    size = len(values)
    cut = int(size / (2 * math.sqrt(size - 4)))
    middle = float(np.sort(values)[cut : size - cut].mean())
    fourth = float(np.sum((values - middle) ** 4))
    second = float(np.sum((values - values.mean()) ** 2))
    return size * fourth / second**2
