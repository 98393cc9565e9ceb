"""Intervals of a score: from resamples of groups, from nothing but equal groups, of a proportion.

The method was chosen by simulation (`python -m benchmarks.simulate intervals`; docs/numbers.md).
"""

import math
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Floats
from earmark.stats.student import student_quantile
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.score import Interval

LEVEL = 0.95
# Above this share of resamples without a value an interval is refused. k groups that count are all
# left out of a resample with probability e^-k: 5 % are left out where fewer than 3 groups count.
MOST_UNDEFINED = 0.05
# Resamples closer together than this, relative to the value, are equal but for rounding and for the
# tiny constants that keep the original BLEU from dividing by zero (1 - 5e-10 where all is right).
EQUAL = 1e-6


@dataclass(frozen=True, slots=True)
class ValueRange:
    """Where a metric's values lie; an end may be infinite."""

    low: float = -math.inf
    high: float = math.inf

    def clip(self, value: float) -> float:
        """Return the nearest value of the range."""
        return min(max(value, self.low), self.high)


@dataclass(frozen=True, slots=True)
class NoInterval:
    """Why a score has no interval, and what share of its resamples had no value."""

    why: str
    undefined: float = 0.0


def resampled_interval(
    value: float,
    values: Floats,
    *,
    groups: int,
    within: ValueRange,
    is_difference: bool = False,
    level: float = LEVEL,
) -> Interval | NoInterval:
    """Return the interval of a score from its value in each resample, nan where it has none.

    `groups` is how many groups of items have something to count; `within` is the metric's range,
    or that of a difference of two of its values.

    Definition
    ----------
    SE is the standard deviation of the resampled values times sqrt(n / (n - 1)) for n groups, which
    a bootstrap's lacks (Hesterberg 2015, section 3.1), t the quantile of Student's t with n - 1
    degrees of freedom. On the scale g, the interval is g(value) -+ t SE g'(value): g is the logit
    of where the value lies in its range, the logarithm of its distance from the lower end where the
    range has no upper end, and the identity for a difference and where there is no range. So an
    interval stays in the range.
    Where resamples do not differ, it is `equal_interval`; where the value is at an end of the range
    and resamples differ, the expanded percentile interval (Hesterberg 2015, section 3.3).

    Undefined
    ---------
    NoInterval with fewer than two groups, and where more than 5 % of the resamples have no value.
    """
    defined = values[~np.isnan(values)]
    undefined = (len(values) - len(defined)) / max(1, len(values))
    if groups < 2 or undefined > MOST_UNDEFINED or len(defined) < 2:
        return NoInterval(_too_little(groups, undefined), undefined)
    bias = float(defined.mean()) - value
    if np.ptp(defined) <= EQUAL * max(1.0, abs(value)):
        equal = equal_interval(value, groups=groups, within=within, level=level)
        if isinstance(equal, NoInterval):
            return equal
        return Interval(equal.low, equal.high, level, equal.method, undefined)
    error = float(defined.std(ddof=1)) * math.sqrt(groups / (groups - 1))
    t = student_quantile((1 + level) / 2, degrees=groups - 1)
    if value in (within.low, within.high) or within.clip(value) != value:
        low, high = _expanded(defined, groups, t)
        method = "expanded percentile"
    else:
        scale = ValueRange() if is_difference else within
        method, low, high = _on_scale(value, t * error, scale)
    ends = (within.clip(min(low, value)), within.clip(max(high, value)))
    return Interval(*ends, level, method, undefined, error, bias)


def _too_little(groups: int, undefined: float) -> str:
    count = "no group of items has" if not groups else "only 1 group of items has"
    if groups < 2:
        return f"{count} something to count"
    if undefined > MOST_UNDEFINED:
        return f"{undefined:.0%} of the resamples have no value: {groups} groups of items count"
    return "fewer than two resamples have a value"


def _on_scale(value: float, reach: float, within: ValueRange) -> tuple[str, float, float]:
    """Return the method and value -+ reach, taken on the scale that suits the range."""
    low, high = within.low, within.high
    if math.isinf(low):
        return "t", value - reach, value + reach
    if math.isinf(high):
        factor = math.exp(min(reach / (value - low), 700.0))
        return "t, log scale", low + (value - low) / factor, low + (value - low) * factor
    place = (value - low) / (high - low)
    logit = math.log(place / (1 - place))
    step = reach / (high - low) / (place * (1 - place))
    ends = (1 / (1 + math.exp(min(700.0, -(logit + sign * step)))) for sign in (-1, 1))
    below, above = (low + (high - low) * end for end in ends)
    return "t, logit scale", below, above


def _expanded(defined: Floats, groups: int, t: float) -> tuple[float, float]:
    """Return the quantiles of the resamples at levels widened for few groups."""
    tail = normal_share(-math.sqrt(groups / (groups - 1)) * t)
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


def equal_interval(
    value: float, *, groups: int, within: ValueRange, level: float = LEVEL
) -> Interval | NoInterval:
    """Return a bound for a score that all groups have in common, such as all right or all wrong.

    Definition
    ----------
    If n groups are alike, at most the share b = 1 - (1 - level)^(1/n) of all groups differs, with
    confidence `level` (for 95 % about 3 / n: the rule of three, Hanley and Lippman-Hand 1983);
    those may have any value of the range. Above an error rate of 0 they are taken to have 1.

    Examples
    --------
    >>> interval = equal_interval(1.0, groups=10, within=ValueRange(0, 1))
    >>> round(interval.low, 3), interval.high
    (0.741, 1.0)
    """
    low, high = within.low, within.high
    if math.isinf(high) and value == low:
        high = low + 1
    if math.isinf(low) or math.isinf(high) or not low <= value <= high:
        return NoInterval("all groups of items have the same value, and the metric has no bounds")
    share = 1 - (1 - level) ** (1 / groups)
    below, above = value - (value - low) * share, value + (high - value) * share
    return Interval(below, above, level, "rule of three")


def wilson_interval(part: float, whole: float, *, level: float = LEVEL) -> Interval | None:
    """Return Wilson's interval of a proportion (Wilson 1927); None when `whole` is 0.

    Examples
    --------
    >>> interval = wilson_interval(9, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.5958, 0.9821)
    """
    checks.finite(whole, what="the whole of a proportion")
    if not 0 <= part <= whole:
        raise InputError("a part must lie between nothing and the whole", got=f"{part} of {whole}")
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


def normal_share(value: float) -> float:
    """Return the probability that a standard normal value lies below `value`."""
    return math.erfc(-value / math.sqrt(2)) / 2
