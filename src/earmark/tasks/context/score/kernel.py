"""Best F and average precision of many resamples: sorted once, walked once per resample."""

from typing import Any

import numpy as np

from earmark.kernels import njit

# Both kernels walk the same list of groups from the highest score down. A group is the tokens of
# one passage that share one score: `passage[g]` says whose, `sizes[g]` how many tokens it has and
# `positives[g]` how many of them are out of context. `cuts[g]` is true where the next group has a
# lower score, so that a threshold may lie there. A resample is a row of `weights`: how often each
# passage was drawn; a group counts so many times. Nothing that is passed in is changed.


@njit(cache=True)  # type: ignore[untyped-decorator]
def best_f_resamples(
    passage: Any, sizes: Any, positives: Any, cuts: Any, weights: Any, square: float = 1.0
) -> Any:
    """Return the best F of each row of weights; nan where nothing is out of context.

    Shapes: (groups,) for the first four, (resamples, passages) for the weights, (resamples,) back.
    `square` is that of beta: F = (1 + beta^2) TP / (flagged + beta^2 positives).
    """
    values = np.full(weights.shape[0], np.nan)
    for row in range(weights.shape[0]):
        total = 0
        for group in range(passage.size):
            total += weights[row, passage[group]] * positives[group]
        if total == 0:
            continue
        true_positives, flagged, best = 0, 0, 0.0
        for group in range(passage.size):
            weight = weights[row, passage[group]]
            flagged += weight * sizes[group]
            true_positives += weight * positives[group]
            if cuts[group] and flagged > 0:
                f = (1.0 + square) * true_positives / (flagged + square * total)
                best = max(best, f)
        values[row] = best
    return values


@njit(cache=True)  # type: ignore[untyped-decorator]
def precision_resamples(passage: Any, sizes: Any, positives: Any, cuts: Any, weights: Any) -> Any:
    """Return the average precision of each row of weights; nan where nothing is out of context.

    Shapes are those of `best_f_resamples`.
    """
    values = np.full(weights.shape[0], np.nan)
    for row in range(weights.shape[0]):
        true_positives, flagged, before, total = 0, 0, 0, 0.0
        for group in range(passage.size):
            weight = weights[row, passage[group]]
            flagged += weight * sizes[group]
            true_positives += weight * positives[group]
            if cuts[group] and true_positives > before:
                total += (true_positives - before) * (true_positives / flagged)
                before = true_positives
        if true_positives > 0:
            values[row] = total / true_positives
    return values
