"""Whether A is better than B, or lucky."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.score.evaluate import rater
from earmark.score.metric import Metric
from earmark.stats import bootstrap
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.score import Interval, Score


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second, item by item: its interval, and how often chance does as much."""

    metric: str
    value: float
    interval: Interval | None
    p: float
    items: int

    @property
    def is_certain(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


def compare(
    metric: Metric, first: Score, second: Score, *, resamples: int = 1000, seed: int = 0
) -> Difference:
    """The paired difference of two scores of the same metric over the same items.

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
    a, b = ([score.by_item[item] for item in items] for score in (first, second))
    groups = [first.groups.get(item, item) for item in items]
    value = first.value - second.value
    if len(set(groups)) < 2 or not resamples:
        return Difference(first.metric, value, None, math.nan, len(items))
    one, other = rater(metric, a), rater(metric, b)
    drawn = bootstrap.resample_weights(groups, resamples=resamples, seed=seed)
    spread = np.concatenate([one(weights) - other(weights) for weights in drawn])
    if metric.poolable:
        swaps = bootstrap.swap_signs(groups, resamples=resamples, seed=seed)
        p = bootstrap.two_sided_p(value, _swapped(metric, a, b, swaps))
    else:
        p = bootstrap.resampled_p(value, spread)
    interval = None if math.isnan(value) else bootstrap.percentile_interval(spread)
    return Difference(first.metric, value, interval, p, len(items))


def _swapped(
    metric: Metric,
    first: Sequence[Any],
    second: Sequence[Any],
    swaps: Iterable[NDArray[np.bool_]],
) -> NDArray[np.float64]:
    """Differences when the systems of some items have changed places."""
    rate = rater(metric, [*first, *second])
    found = []
    for block in swaps:
        kept, changed = (~block).astype(np.int64), block.astype(np.int64)
        found.append(rate(np.hstack([kept, changed])) - rate(np.hstack([changed, kept])))
    return np.concatenate(found)
