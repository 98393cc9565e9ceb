"""Whether one system is better than another, beyond what chance explains."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.score.counting import CountTable
from earmark.score.interval import difference_interval
from earmark.score.metric import Metric
from earmark.score.resampling import Counts, in_rows, rater
from earmark.stats import bootstrap
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.score import Interval, Score


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second, paired by item: its interval, and the p-value."""

    metric: str
    value: float
    interval: Interval | None
    p: float
    items: int

    @property
    def is_certain(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


def compare_scores(
    metric: Metric, first: Score, second: Score, *, resamples: int = 1000, seed: int = 0
) -> Difference:
    """Return the paired difference of two scores of the same metric over the same items.

    The interval resamples groups of items; p comes from swapping the two systems group by group
    (approximate randomisation), which asks how often a difference as large arises when it does
    not matter which system is which. Where items of two systems cannot be mixed (`poolable`), p is
    twice the share of resamples in which the difference has the other sign.
    """
    if first.metric != second.metric:
        raise InputError(
            "two scores of one metric can be compared", got=f"{first.metric} and {second.metric}"
        )
    items = checks.same_items(first.by_item, second.by_item)
    counts, others = in_rows(first.by_item, items), in_rows(second.by_item, items)
    groups = [first.groups.get(item, item) for item in items]
    value = first.value - second.value
    if len(set(groups)) < 2 or not resamples:
        return Difference(first.metric, value, None, math.nan, len(items))
    rate, rate_other = rater(metric, counts), rater(metric, others)
    drawn = bootstrap.resample_weights(groups, resamples=resamples, seed=seed)
    spread = np.concatenate([rate(weights) - rate_other(weights) for weights in drawn])
    if metric.poolable:
        swaps = bootstrap.swap_signs(groups, resamples=resamples, seed=seed)
        p = bootstrap.two_sided_p(value, _swapped(metric, counts, others, swaps))
    else:
        p = bootstrap.resampled_p(value, spread)
    interval = difference_interval(metric, value, spread, (counts, others), groups)
    return Difference(first.metric, value, interval, p, len(items))


def _swapped(metric: Metric, first: Counts, second: Counts, swaps: Iterable[Bools]) -> Floats:
    """Return the differences when the systems of some items have changed places."""
    rate = rater(metric, _both(first, second))
    differences = []
    for block in swaps:  # (resamples, items)
        own, swapped = (~block).astype(np.int64), block.astype(np.int64)
        differences.append(rate(np.hstack([own, swapped])) - rate(np.hstack([swapped, own])))
    return np.concatenate(differences)


def _both(first: Counts, second: Counts) -> Counts:
    if isinstance(first, CountTable) and isinstance(second, CountTable):
        return first.joined(second)
    return [*first, *second]
