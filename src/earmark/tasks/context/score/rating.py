"""How tallies become numbers, and what the numbers are made of."""

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from earmark.stats.rates import f_score, precision, proportion, recall
from earmark.tasks.context.score.tallies import (
    COUNTS,
    DISTANCES,
    Preferences,
    RankedTokens,
    Side,
    group_tokens,
)
from earmark.tasks.context.values import Scores
from earmark.values.counts import Hits, Mean
from earmark.values.score import number

# Points of a drawn curve: as many as can be seen in a picture.
DRAWN = 60
# Above this exp overflows.
LARGEST_EXPONENT = 700


def floor(counts: RankedTokens, beta: float = 1.0) -> float:
    """Return F of flagging every token: 2p / (1 + p) for a prevalence p, if beta is 1."""
    positives = sum(int(row.sum()) for row in counts.labels)
    tokens = sum(len(row) for row in counts.labels)
    everything = Hits(positives, 0, tokens - positives)
    return f_score(everything, beta=beta) if positives else math.nan


def rate_best_f(counts: RankedTokens, beta: float = 1.0) -> float:
    """Return the best F; nan when nothing is out of context."""
    return counts.curve.best(beta).f if counts.curve.positives else math.nan


def rate_precision(counts: RankedTokens) -> float:
    """Return the average precision; nan when nothing is out of context."""
    return counts.curve.average_precision()


def resampled(
    kernel: str, counts: Sequence[RankedTokens], weights: Any, *, more: tuple[float, ...] = ()
) -> Any:
    """Return the values of all resamples, by the named kernel, which may need `more`."""
    from earmark.tasks.context.score import kernel as kernels

    walk: Callable[..., Any] = getattr(kernels, kernel)
    return walk(*group_tokens(counts), np.asarray(weights, np.int64), *more)


def curve_parts(counts: RankedTokens, beta: float = 1.0) -> dict[str, object]:
    """Return what the best F is made of: the threshold, the floor, the curve."""
    curve = counts.curve
    if not curve.positives:
        return {}
    best = curve.best(beta)
    return {
        "threshold": best.threshold,
        "precision": precision(best.hits),
        "recall": recall(best.hits),
        "floor": floor(counts, beta),
        "tokens": sum(len(row) for row in counts.labels),
        "out_of_context": curve.positives,
        "curve": [[round(r, 4), round(p, 4)] for r, p in curve.points(DRAWN)],
    }


def flag_parts(hits: Hits) -> dict[str, object]:
    """Return precision and recall at the threshold; None where undefined."""
    if math.isnan(hits.true_positives):
        return {}
    return {"precision": number(precision(hits)), "recall": number(recall(hits))}


def sum_surprisal(reference: Side, output: Side | Scores) -> Mean:
    """Return the summed surprisal of a passage; undefined where the system gives none."""
    if not isinstance(output, Scores) or output.surprise is None:
        return Mean(0.0, 0, 1)
    return Mean(math.fsum(output.surprise), len(output.surprise))


def rate_perplexity(counts: Mean) -> float:
    """Return the exponential of the mean surprisal."""
    mean: Any = proportion(counts.total, of=counts.size)
    if isinstance(mean, np.ndarray):  # columns of counts
        return cast(float, np.exp(np.where(mean >= LARGEST_EXPONENT, math.inf, mean)))
    if math.isnan(mean):
        return math.nan
    return math.exp(mean) if mean < LARGEST_EXPONENT else math.inf


def preferred(counts: Preferences, bin_number: int) -> float:
    """Return the share of places of one bin where the original was preferred."""
    return proportion(counts.cells[2 * bin_number], of=counts.cells[2 * bin_number + 1])


def contrast_parts(counts: Preferences) -> dict[str, object]:
    """Return the shares by distance to the last mention and by frequency."""
    distances = _bins(DISTANCES, "nouns")
    frequencies = _bins(COUNTS, "times")
    return {
        "places": counts.cells[1],
        "by_distance": _shares(counts, distances, first=1),
        "by_frequency": _shares(counts, frequencies, first=1 + len(distances)),
    }


def _shares(counts: Preferences, names: Sequence[str], *, first: int) -> dict[str, float | None]:
    """Return the share preferred in consecutive bins by name; None where nothing was compared."""
    return {name: number(preferred(counts, index)) for index, name in enumerate(names, first)}


def _bins(limits: tuple[int, ...], unit: str) -> list[str]:
    """Return names of the bins between limits: `1`, `2-3`, ..., `11 nouns or more`."""
    lows = [1, *(limit + 1 for limit in limits[:-1])]
    names = [f"{a}" if a == b else f"{a}-{b}" for a, b in zip(lows, limits, strict=True)]
    return [*names, f"{limits[-1] + 1} {unit} or more"]
