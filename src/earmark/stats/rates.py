"""Precision, recall, F and error rates: the only place that divides counts.

0/0 is nan everywhere, because there was nothing to be right or wrong about.
"""

import math
from collections.abc import Iterable
from typing import Any, cast, overload

import numpy as np

from earmark.arrays import Floats
from earmark.values.counts import Hits


@overload
def proportion(part: float, *, of: float) -> float: ...
@overload
def proportion(part: Floats, *, of: Floats) -> Floats: ...
def proportion(part: float | Floats, *, of: float | Floats) -> float | Floats:
    """Return `part / of`, nan when `of` is 0; of columns of counts, row by row.

    Examples
    --------
    >>> proportion(1, of=4)
    0.25
    >>> proportion(0, of=0)
    nan
    """
    if isinstance(of, np.ndarray):
        quotient: Floats = np.divide(part, of, out=np.full(of.shape, math.nan), where=of != 0)
        return quotient
    return part / of if of else math.nan


def mean_defined(values: Iterable[float]) -> float:
    """Return the mean of the values that are not nan; nan when there is none; of columns, by row.

    Examples
    --------
    >>> mean_defined([1.0, math.nan, 0.5])
    0.75
    >>> mean_defined([math.nan])
    nan
    """
    listed: list[Any] = list(values)
    if listed and isinstance(listed[0], np.ndarray):
        columns = np.array(listed)  # (values, rows)
        sizes = np.sum(~np.isnan(columns), axis=0).astype(float)
        return cast(float, proportion(np.nansum(columns, axis=0), of=sizes))
    defined = [value for value in listed if not math.isnan(value)]
    return proportion(math.fsum(defined), of=len(defined))


def precision(hits: Hits) -> float:
    """Return the share of the output that is right; nan without output."""
    return proportion(hits.true_positives, of=hits.true_positives + hits.false_positives)


def recall(hits: Hits) -> float:
    """Return the share of the reference that the output has; nan for an empty reference."""
    return proportion(hits.true_positives, of=hits.true_positives + hits.false_negatives)


def f1(hits: Hits) -> float:
    """Return the harmonic mean of precision and recall; nan when both sides are empty.

    Examples
    --------
    >>> f1(Hits(true_positives=2, false_negatives=1, false_positives=0))
    0.8
    """
    return f_score(hits, beta=1.0)


def f_score(hits: Hits, *, beta: float = 1.0) -> float:
    """Return F with recall weighing `beta` times precision; nan when both sides are empty."""
    weight = beta * beta
    total = (
        (1 + weight) * hits.true_positives + weight * hits.false_negatives + hits.false_positives
    )
    return proportion((1 + weight) * hits.true_positives, of=total)


def harmonic(precision: float, recall: float, *, beta: float = 1.0) -> float:
    """Return F of two rates that were not counted in the same units.

    0 when both are 0, nan when one is.
    """
    weight = beta * beta
    total = weight * precision + recall
    if total == 0:
        return 0.0
    return (1 + weight) * precision * recall / total


def error_rate(hits: Hits) -> float:
    """Return false negatives and positives per reference; may exceed 1; nan without reference."""
    return proportion(
        hits.false_negatives + hits.false_positives, of=hits.true_positives + hits.false_negatives
    )
