"""The metrics of the context task: how well the words that do not belong are found."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from earmark.score.metric import Metric
from earmark.stats.rates import f1, precision, recall, share
from earmark.tasks.context.score.tallies import (
    COUNTS,
    DISTANCES,
    Contrast,
    Ranked,
    Side,
    flag_tokens,
    prefer,
    rank_tokens,
    weigh,
)
from earmark.tasks.context.values import Scores
from earmark.values.counts import Hits, Mean

TASK = "context"
DRAWN = 60


def best_f() -> Metric:
    """F1 at the best threshold, pooled over all tokens of all passages.

    All tokens are ranked by their score; the number is the highest F of any cut. Cuts lie between
    distinct scores only, so the order of equal scores does not matter. `details` has the
    threshold, precision and recall there, the floor (F of flagging every token) and the curve.

    Parameters
    ----------
    None.

    Definition
    ----------
    Huber, Niehues and Waibel 2018, section 6 ("dynamic threshold").

    Undefined
    ---------
    nan when no token is out of context.

    Examples
    --------
    >>> from earmark.tasks.context.values import Flags, Scores
    >>> truth = Flags(5, frozenset({1, 3}))
    >>> best_f()(truth, Scores((0.1, 0.9, 0.8, 0.7, 0.2))).value
    0.8

    Notes
    -----
    Higher is better; 0 to 1. The threshold is chosen on the data that is scored, so the number
    flatters; read it beside `f_at_dev_threshold`.
    """
    return Metric(
        TASK,
        "best_f",
        count=rank_tokens,
        rate=_best_f,
        options={"cuts": "distinct"},
        undefined="no token is out of context",
        parts=_curve_parts,
        rate_resamples=partial(_resampled, "best_f_resamples"),
    )


def f_at_dev_threshold(*, threshold: float | None = None) -> Metric:
    """F1 at a threshold that was chosen on other data.

    Parameters
    ----------
    threshold
        Flag what scores at least this; by default the threshold that travels with the outputs.

    Definition
    ----------
    F1 of the flagged tokens, pooled over passages; the threshold is that of the best F on
    development data.

    Undefined
    ---------
    nan when the outputs bring no threshold and none is given, or nothing is flagged or to be found.

    Examples
    --------
    >>> from earmark.tasks.context.values import Flags, Scores
    >>> metric = f_at_dev_threshold()
    >>> metric(Flags(3, frozenset({1})), Scores((0.1, 0.9, 0.8), threshold=0.85)).value
    1.0
    """
    return Metric(
        TASK,
        "f_at_dev_threshold",
        count=partial(flag_tokens, threshold=threshold),
        rate=f1,
        options={"threshold": "from-output" if threshold is None else threshold},
        undefined="the outputs bring no threshold from development data, or nothing was flagged",
        parts=_flag_parts,
    )


def average_precision() -> Metric:
    """Precision along the ranking, weighed by the recall that each cut adds.

    Parameters
    ----------
    None.

    Definition
    ----------
    The sum over cuts of (recall gained) times precision, tokens of all passages pooled; cuts lie
    between distinct scores only.

    Undefined
    ---------
    nan when no token is out of context.

    Examples
    --------
    >>> from earmark.tasks.context.values import Flags, Scores
    >>> truth = Flags(3, frozenset({0, 2}))
    >>> round(average_precision()(truth, Scores((0.9, 0.8, 0.1))).value, 3)
    0.833
    """
    return Metric(
        TASK,
        "average_precision",
        count=rank_tokens,
        rate=_average_precision,
        options={"cuts": "distinct"},
        undefined="no token is out of context",
        rate_resamples=partial(_resampled, "precision_resamples"),
    )


def perplexity() -> Metric:
    """The exponential of the mean surprise a token, where the system is a language model.

    Parameters
    ----------
    None.

    Definition
    ----------
    exp of the mean of -log P(token), in nats, over all tokens of the passages as they are given,
    swapped words among them.

    Undefined
    ---------
    nan when the system gives no probabilities of words.

    Examples
    --------
    >>> from earmark.tasks.context.values import Flags, Scores
    >>> output = Scores((1.0, 1.0), surprise=(math.log(4), math.log(16)))
    >>> round(perplexity()(Flags(2, frozenset()), output).value, 6)
    8.0

    Notes
    -----
    Lower is better. Two models compare only when they know the same words and are given the same
    tokens.
    """
    return Metric(
        TASK,
        "perplexity",
        count=_surprise,
        rate=_perplexity,
        higher_is_better=False,
        low=1.0,
        high=math.inf,
        undefined="the system gives no probabilities of words",
    )


def contrastive() -> Metric:
    """How often a language model finds the original likelier than its substitute.

    The places are known, so any language model can be compared without a detector. `details` has
    the share by distance to the last mention (in nouns) and by the original's frequency.

    Parameters
    ----------
    None.

    Definition
    ----------
    The share of places with P(original) > P(substitute); equal probabilities count half.

    Undefined
    ---------
    nan when the outputs compare no places (make the study with --reveal).

    Examples
    --------
    >>> from earmark.tasks.context.values import Choice, Swap, Swaps
    >>> swap = Swap(0, 0, "debt", "shopping", "NN", 0, 1, 20, 5, 6, 7, 7)
    >>> output = Scores((0.0,), choices=(Choice(0, first=-1.0, second=-2.0),))
    >>> contrastive()(Swaps(1, (swap,)), output).value
    1.0
    """
    return Metric(
        TASK,
        "contrastive",
        count=prefer,
        rate=lambda counts: _preferred(counts, 0),
        undefined="the outputs compare no places; make the study with --reveal",
        parts=_contrast_parts,
    )


def floor(counts: Ranked) -> float:
    """F of flagging every token: 2p / (1 + p) for a prevalence p."""
    positives = sum(int(row.sum()) for row in counts.labels)
    tokens = sum(len(row) for row in counts.labels)
    return f1(Hits(positives, 0, tokens - positives)) if positives else math.nan


def _best_f(counts: Ranked) -> float:
    return counts.curve.best().f if counts.curve.positives else math.nan


def _average_precision(counts: Ranked) -> float:
    return counts.curve.average_precision()


def _resampled(kernel: str, counts: Sequence[Ranked], weights: Any) -> Any:
    from earmark.tasks.context.score import kernel as kernels

    walk: Callable[..., Any] = getattr(kernels, kernel)
    passage, labels, cuts = weigh(counts)
    return walk(passage, labels.astype(np.int64), cuts, np.asarray(weights, np.int64))


def _curve_parts(counts: Ranked) -> dict[str, object]:
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


def _flag_parts(hits: Hits) -> dict[str, object]:
    if math.isnan(hits.found):
        return {}
    told = {"precision": precision(hits), "recall": recall(hits)}
    return {name: None if math.isnan(value) else value for name, value in told.items()}


def _surprise(reference: Side, output: Side | Scores) -> Mean:
    if not isinstance(output, Scores) or output.surprise is None:
        return Mean(0.0, 0, 1)
    return Mean(math.fsum(output.surprise), len(output.surprise))


def _perplexity(counts: Mean) -> float:
    mean = share(counts.total, of=counts.size)
    return math.exp(mean) if mean < 700 else mean if math.isnan(mean) else math.inf


def _preferred(counts: Contrast, place: int) -> float:
    return share(counts.cells[2 * place], of=counts.cells[2 * place + 1])


def _contrast_parts(counts: Contrast) -> dict[str, object]:
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
    value = _preferred(counts, place)
    return None if math.isnan(value) else value


def _bins(limits: tuple[int, ...], unit: str) -> list[str]:
    """Names of the bins between limits: `1`, `2-3`, ..., `11 nouns or more`."""
    lows = [1, *(limit + 1 for limit in limits[:-1])]
    names = [f"{a}" if a == b else f"{a}-{b}" for a, b in zip(lows, limits, strict=True)]
    return [*names, f"{limits[-1] + 1} {unit} or more"]
