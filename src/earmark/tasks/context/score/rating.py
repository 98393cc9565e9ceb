"""How tallies become numbers, and what the numbers are made of."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from earmark.stats.rates import f1, precision, proportion, recall
from earmark.tasks.context.score.tallies import COUNTS, DISTANCES, Contrast, Ranked, Side, weigh
from earmark.tasks.context.values import Scores
from earmark.values.counts import Hits, Mean

DRAWN = 60


def floor(counts: Ranked) -> float:
    """F of flagging every token: 2p / (1 + p) for a prevalence p."""
    positives = sum(int(row.sum()) for row in counts.labels)
    tokens = sum(len(row) for row in counts.labels)
    return f1(Hits(positives, 0, tokens - positives)) if positives else math.nan


def rate_best_f(counts: Ranked) -> float:
    """The best F; nan when nothing is out of context."""
    return counts.curve.best().f if counts.curve.positives else math.nan


def rate_precision(counts: Ranked) -> float:
    """Average precision; nan when nothing is out of context."""
    return counts.curve.average_precision()


def resampled(kernel: str, counts: Sequence[Ranked], weights: Any) -> Any:
    """The values of all resamples, by the named kernel."""
    from earmark.tasks.context.score import kernel as kernels

    walk: Callable[..., Any] = getattr(kernels, kernel)
    return walk(*weigh(counts), np.asarray(weights, np.int64))


def curve_parts(counts: Ranked) -> dict[str, object]:
    """What lies behind the best F: the cut, the floor, the curve."""
    curve = counts.curve
    if not curve.positives:
        return {}
    best = curve.best()
    points = curve.points() if len(curve.thresholds) <= DRAWN else _thinned(counts)
    return {
        "threshold": best.threshold,
        "precision": precision(best.hits),
        "recall": recall(best.hits),
        "floor": floor(counts),
        "tokens": sum(len(row) for row in counts.labels),
        "out_of_context": curve.positives,
        "curve": [[round(r, 4), round(p, 4)] for r, p in points],
    }


def _thinned(counts: Ranked) -> list[tuple[float, float]]:
    """Points of the curve at about equal steps of recall."""
    curve = counts.curve
    steps = np.linspace(0, curve.positives, DRAWN + 1)[1:]
    chosen = sorted({int(np.searchsorted(curve.found, step)) for step in steps})
    cuts = [curve.cut(min(index, len(curve.thresholds) - 1)).hits for index in chosen]
    return [(recall(hits), precision(hits)) for hits in cuts]


def flag_parts(hits: Hits) -> dict[str, object]:
    """Precision and recall at the threshold."""
    if math.isnan(hits.true_positives):
        return {}
    told = {"precision": precision(hits), "recall": recall(hits)}
    return {name: None if math.isnan(value) else value for name, value in told.items()}


def surprise(reference: Side, output: Side | Scores) -> Mean:
    """The summed surprise of a passage; undefined where the system gives none."""
    if not isinstance(output, Scores) or output.surprise is None:
        return Mean(0.0, 0, 1)
    return Mean(math.fsum(output.surprise), len(output.surprise))


def rate_perplexity(counts: Mean) -> float:
    """The exponential of the mean surprise."""
    mean = proportion(counts.total, of=counts.size)
    return math.exp(mean) if mean < 700 else mean if math.isnan(mean) else math.inf


def preferred(counts: Contrast, place: int) -> float:
    """The share of places of one bin where the original was preferred."""
    return proportion(counts.cells[2 * place], of=counts.cells[2 * place + 1])


def contrast_parts(counts: Contrast) -> dict[str, object]:
    """Shares by distance to the last mention and by frequency."""
    distances = _bins(DISTANCES, "nouns")
    frequencies = _bins(COUNTS, "times")
    first = 1 + len(distances)
    return {
        "places": counts.cells[1],
        "by_distance": {name: _defined(counts, 1 + place) for place, name in enumerate(distances)},
        "by_frequency": {
            name: _defined(counts, first + place) for place, name in enumerate(frequencies)
        },
    }


def _defined(counts: Contrast, place: int) -> float | None:
    value = preferred(counts, place)
    return None if math.isnan(value) else value


def _bins(limits: tuple[int, ...], unit: str) -> list[str]:
    """Names of the bins between limits: `1`, `2-3`, ..., `11 nouns or more`."""
    lows = [1, *(limit + 1 for limit in limits[:-1])]
    names = [f"{a}" if a == b else f"{a}-{b}" for a, b in zip(lows, limits, strict=True)]
    return [*names, f"{limits[-1] + 1} {unit} or more"]
