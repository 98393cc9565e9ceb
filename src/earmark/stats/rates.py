"""Precision, recall, F and error rates: the only place that divides counts.

0/0 is nan everywhere, because there was nothing to be right or wrong about.
"""

import math

from earmark.values.counts import Hits


def share(part: float, *, of: float) -> float:
    """`part / of`; nan when `of` is 0.

    Examples
    --------
    >>> share(1, of=4)
    0.25
    >>> share(0, of=0)
    nan
    """
    return part / of if of else math.nan


def precision(hits: Hits) -> float:
    """Share of the output that is right; nan when nothing was put out."""
    return share(hits.found, of=hits.found + hits.made_up)


def recall(hits: Hits) -> float:
    """Share of the reference that was found; nan when nothing was expected."""
    return share(hits.found, of=hits.found + hits.missed)


def f1(hits: Hits) -> float:
    """Harmonic mean of precision and recall; nan when nothing was expected or put out.

    Examples
    --------
    >>> f1(Hits(found=2, missed=1, made_up=0))
    0.8
    """
    return f_score(hits, beta=1.0)


def f_score(hits: Hits, *, beta: float = 1.0) -> float:
    """F with recall weighing `beta` times precision; nan when nothing was expected or put out."""
    weight = beta * beta
    total = (1 + weight) * hits.found + weight * hits.missed + hits.made_up
    return share((1 + weight) * hits.found, of=total)


def harmonic(precision: float, recall: float, *, beta: float = 1.0) -> float:
    """F of two rates that were not counted in the same units; 0 when both are 0, nan with nan."""
    weight = beta * beta
    total = weight * precision + recall
    if total == 0:
        return 0.0
    return (1 + weight) * precision * recall / total


def error_rate(hits: Hits) -> float:
    """Missed and made up over expected; may exceed 1; nan when nothing was expected."""
    return share(hits.missed + hits.made_up, of=hits.found + hits.missed)
