"""Correlation between two lists of numbers, and between two rankings."""

import math
from collections.abc import Sequence

import numpy as np


def pearson(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's correlation; nan when one side does not vary.

    Examples
    --------
    >>> round(pearson([1, 2, 3, 4], [1, 3, 2, 4]), 3)
    0.8
    """
    a = np.asarray(first, dtype=float) - np.mean(first)
    b = np.asarray(second, dtype=float) - np.mean(second)
    norm = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / norm if norm else math.nan


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's correlation of the ranks; ties share their mean rank."""
    return pearson(mean_ranks(first), mean_ranks(second))


def mean_ranks(values: Sequence[float]) -> list[float]:
    """Rank of each value, 1 for the smallest; ties share their mean.

    Examples
    --------
    >>> mean_ranks([10, 30, 20, 30])
    [1.0, 3.5, 2.0, 3.5]
    """
    array = np.asarray(values, dtype=float)
    _, inverse, counts = np.unique(array, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return [float(last[k] - (counts[k] - 1) / 2) for k in inverse]


def kendall(first: Sequence[float], second: Sequence[float]) -> float:
    """Kendall's tau-b; nan when one side does not vary."""
    from scipy.stats import kendalltau

    return float(kendalltau(first, second).statistic)


def pearson_interval(r: float, size: int, *, level: float = 0.95) -> tuple[float, float]:
    """Fisher's interval of a correlation over `size` points; nan below four points.

    Examples
    --------
    >>> [round(x, 3) for x in pearson_interval(0.8904, 10)]
    [0.594, 0.974]
    """
    from statistics import NormalDist

    if size < 4 or not abs(r) < 1:
        return math.nan, math.nan
    half = NormalDist().inv_cdf((1 + level) / 2) / math.sqrt(size - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
