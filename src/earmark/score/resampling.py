"""Counts of items, rated once for every resample of the groups that items belong to."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.score.counting import CountTable, add
from earmark.score.metric import Metric
from earmark.stats import bootstrap
from earmark.values.counts import RowCounts

Counts = Sequence[Any] | CountTable[Any]


def in_rows(by_item: Mapping[str, Any], items: Sequence[str]) -> Counts:
    """Return the counts of these items in order: a table as it is, others as a list."""
    if isinstance(by_item, CountTable):
        return by_item.in_order(items)
    return [by_item[item] for item in items]


def resampled(
    metric: Metric, counts: Counts, groups: Sequence[str], *, resamples: int, seed: int
) -> Floats:
    """Return the value in each resample of the groups; empty if there is but one group."""
    if not resamples or len(set(groups)) < 2:
        return np.empty(0)
    rate = rater(metric, counts)
    drawn = bootstrap.resample_weights(groups, resamples=resamples, seed=seed)
    return np.concatenate([rate(weights) for weights in drawn])


Rater = Callable[[Ints], Floats]


def rater(metric: Metric, counts: Counts) -> Rater:
    """Return a function from weights (resamples, items) to one value per resample.

    Item k counts `weights[:, k]` times. Where counts are rows of numbers, one matrix product adds
    them for all resamples.
    """
    own = metric.rate_resamples
    if own:
        listed = list(counts.values()) if isinstance(counts, CountTable) else counts
        return lambda weights: np.asarray(own(listed, weights), dtype=float)
    if isinstance(counts, CountTable):
        return _rate_table(metric, counts)
    kind = type(counts[0])
    if isinstance(counts[0], RowCounts):
        rows = np.array([tally.row() for tally in counts], dtype=float)  # (items, columns)

        def rate_rows(weights: Ints) -> Floats:
            sums = (weights.astype(float) @ rows).tolist()
            return np.array([metric.rate(kind.from_row(tuple(row))) for row in sums])

        return rate_rows
    return lambda weights: np.array([metric.rate(add(_repeat(counts, row))) for row in weights])


def _rate_table(metric: Metric, table: CountTable[Any]) -> Rater:
    rows = table.rows.astype(float)  # (items, columns)

    def rate(weights: Ints) -> Floats:
        # Resamples of few items are often equal: each different sum is rated once.
        sums, where = np.unique(weights.astype(float) @ rows, axis=0, return_inverse=True)
        values = np.array([metric.rate(table.record(row)) for row in sums.tolist()])
        return values[where.ravel()]

    return rate


def _repeat(counts: Sequence[Any], times: Ints) -> list[Any]:
    return [tally for tally, n in zip(counts, times.tolist(), strict=True) for _ in range(n)]
