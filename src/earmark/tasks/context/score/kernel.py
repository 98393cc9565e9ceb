"""Best F and average precision of many resamples: sorted once, walked once a resample."""

from typing import Any

import numpy as np
from numba import njit

Array = Any


@njit(cache=True)  # type: ignore[untyped-decorator]
def best_f_resamples(
    passage: Array, sizes: Array, labels: Array, cuts: Array, weights: Array
) -> Array:
    """The best F of each row of weights; nan where nothing was to be found."""
    values = np.full(weights.shape[0], np.nan)
    for row in range(weights.shape[0]):
        positives = 0
        for token in range(passage.size):
            positives += weights[row, passage[token]] * labels[token]
        if positives == 0:
            continue
        found, flagged, best = 0, 0, 0.0
        for token in range(passage.size):
            weight = weights[row, passage[token]]
            flagged += weight * sizes[token]
            found += weight * labels[token]
            if cuts[token] and flagged > 0:
                best = max(best, 2.0 * found / (flagged + positives))
        values[row] = best
    return values


@njit(cache=True)  # type: ignore[untyped-decorator]
def precision_resamples(
    passage: Array, sizes: Array, labels: Array, cuts: Array, weights: Array
) -> Array:
    """The average precision of each row of weights; nan where nothing was to be found."""
    values = np.full(weights.shape[0], np.nan)
    for row in range(weights.shape[0]):
        found, flagged, before, total = 0, 0, 0, 0.0
        for token in range(passage.size):
            weight = weights[row, passage[token]]
            flagged += weight * sizes[token]
            found += weight * labels[token]
            if cuts[token] and found > before:
                total += (found - before) * (found / flagged)
                before = found
        if found > 0:
            values[row] = total / found
    return values
