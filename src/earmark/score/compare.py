"""Whether one system is better than another, beyond what chance explains."""

import math
from dataclasses import dataclass

from earmark.score.interval import difference_interval
from earmark.score.metric import Metric
from earmark.score.swapping import PairedCounts, spread_of
from earmark.stats.paired import SIGNIFICANCE
from earmark.stats.power import POWER, groups_for
from earmark.values.errors import InputError
from earmark.values.score import Interval, Score


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second, paired by item: its interval, and the p-value.

    `groups` is how many groups of items could be swapped; `spread` the standard deviation of one
    group's contribution to the difference.
    """

    metric: str
    value: float
    interval: Interval | None
    p: float
    items: int
    groups: int = 0
    spread: float = math.nan

    @property
    def is_certain(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


def compare_scores(
    metric: Metric, first: Score, second: Score, *, resamples: int = 1000, seed: int = 0
) -> Difference:
    """Return the paired difference of two scores of the same metric over the same items.

    The interval resamples groups of items. p comes from swapping the two systems group by group
    (approximate randomisation): the share of patterns with a difference as large, all patterns
    where there are few groups, else at least `resamples` random ones. The null hypothesis is that
    the systems are exchangeable: that in each group it does not matter which system is which.
    It is not only that they are equal on average; if their differences are skewed and groups are
    few, p may be small although the means are equal. Where items of two systems cannot be mixed
    (`poolable`), the groups' contributions to the difference change sign instead (jackknife).
    """
    if first.metric != second.metric:
        raise InputError(
            "two scores of one metric can be compared", got=f"{first.metric} and {second.metric}"
        )
    pair = ("first", "second")
    paired = PairedCounts.of(metric, dict(zip(pair, (first, second), strict=True)))
    p = math.nan
    if resamples and paired.group_count > 1:
        p = paired.p_values([pair], least=resamples, seed=seed)[pair]
    return differences_to(paired, "first", ("second",), {pair: p}, resamples=resamples, seed=seed)[
        "second"
    ]


def differences_to(
    paired: PairedCounts,
    best: str,
    others: tuple[str, ...],
    p_values: dict[tuple[str, str], float],
    *,
    resamples: int,
    seed: int,
) -> dict[str, Difference]:
    """Return the difference of a system to each of the others, with p as it was computed."""
    groups, testable = paired.group_count, bool(resamples) and paired.group_count > 1
    drawn = paired.resampled(resamples=resamples, seed=seed) if testable else {}
    shares = paired.shares if testable else {}
    counts = dict(zip(paired.names, paired.counts, strict=True))
    result = {}
    for other in others:
        value = paired.values[best] - paired.values[other]
        interval, spread = None, math.nan
        if testable and not math.isnan(value):
            sides = (counts[best], counts[other])
            values = drawn[best] - drawn[other]  # (resamples,)
            interval = difference_interval(paired.metric, value, values, sides, paired.groups)
            spread = spread_of(shares[best], shares[other], groups)
        p = p_values.get((best, other), math.nan)
        name, items = paired.metric.full_name, len(paired.places)
        result[other] = Difference(name, value, interval, p, items, groups, spread)
    return result


def groups_needed(
    difference: Difference,
    *,
    pairs: int = 1,
    power: float = POWER,
    level: float = SIGNIFICANCE,
) -> int | None:
    """Return how many groups would show a difference of this size; None if it is 0 or undefined.

    With that many groups as spread as these, a two-sided test at `level` over the number of pairs
    shows the difference with probability `power`, if it is as large as it was here. Normal
    approximation with Guenther's term for the estimated spread (Guenther 1981).

    Examples
    --------
    >>> groups_needed(Difference("m", 0.05, None, 0.2, 20, groups=20, spread=0.1))
    34
    """
    if not difference.value or math.isnan(difference.value) or math.isnan(difference.spread):
        return None
    return groups_for(
        difference.value, spread=difference.spread, power=power, pairs=pairs, level=level
    )
