"""The metrics of the context task: how well the words out of context are found."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

from earmark.score.metric import Metric
from earmark.stats.rates import f_score
from earmark.task.options import changed, option
from earmark.tasks.context.score.rating import (
    contrast_parts,
    curve_parts,
    flag_parts,
    preferred,
    rate_best_f,
    rate_perplexity,
    rate_precision,
    resampled,
    sum_surprisal,
)
from earmark.tasks.context.score.tallies import flag_tokens, prefer, rank_tokens
from earmark.values.errors import InputError

TASK = "context"


@dataclass(frozen=True, slots=True, kw_only=True)
class FOptions:
    """How recall weighs against precision."""

    beta: float = option(
        1.0, "Recall weighs so many times precision in F; error detection also uses 0.5."
    )

    def __post_init__(self) -> None:
        if not 0 < self.beta < math.inf:
            raise InputError("--beta must be > 0", got=self.beta)


def best_f(options: FOptions = FOptions(), **changes: Any) -> Metric:
    """Build F at the best threshold, pooled over all tokens of all passages.

    All tokens are ranked by their score; the number is the highest F of any cut. Cuts lie between
    distinct scores only, so the order of equal scores does not matter. `details` has the
    threshold, precision and recall there, the floor (F of flagging every token) and the curve.

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
    beta = changed(options, changes).beta
    return Metric(
        TASK,
        "best_f",
        count=rank_tokens,
        rate=partial(rate_best_f, beta=beta),
        options={"beta": beta, "cuts": "distinct"},
        undefined="no token is out of context",
        parts=partial(curve_parts, beta=beta),
        rate_resamples=partial(resampled, "best_f_resamples", more=(beta * beta,)),
        poolable=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdOptions(FOptions):
    """The threshold from which tokens are flagged."""

    threshold: float | None = option(
        None,
        "Flag what scores at least this; by default the threshold that travels with the outputs.",
    )


def f_at_dev_threshold(options: ThresholdOptions = ThresholdOptions(), **changes: Any) -> Metric:
    """Build F at a threshold that was chosen on other data.

    Definition
    ----------
    F of the flagged tokens, pooled over passages; the threshold is that of the best F1 on
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
    options = changed(options, changes)
    threshold, beta = options.threshold, options.beta
    shown = "from-output" if threshold is None else threshold
    return Metric(
        TASK,
        "f_at_dev_threshold",
        count=partial(flag_tokens, threshold=threshold),
        rate=partial(f_score, beta=beta),
        options={"beta": beta, "threshold": shown},
        undefined="the outputs bring no threshold from development data, or nothing was flagged",
        parts=flag_parts,
    )


def average_precision() -> Metric:
    """Build average precision: precision along the ranking, weighed by the recall it adds.

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
        rate=rate_precision,
        options={"cuts": "distinct"},
        undefined="no token is out of context",
        rate_resamples=partial(resampled, "precision_resamples"),
        poolable=False,
    )


def perplexity() -> Metric:
    """Build perplexity, the exponential of the mean surprisal per token of a language model.

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
        count=sum_surprisal,
        rate=rate_perplexity,
        higher_is_better=False,
        low=1.0,
        high=math.inf,
        undefined="the system gives no probabilities of words (`logprobs` in a file of scores)",
    )


def contrastive() -> Metric:
    """Build how often a language model gives the original a higher probability than the substitute.

    The places are known, so any language model can be compared without a detector. `details` has
    the share by distance to the last mention (in nouns) and by the original's frequency.

    Definition
    ----------
    The share of places with P(original) > P(substitute); equal probabilities count half.

    Undefined
    ---------
    nan when the outputs compare no places (make the study with --reveal).

    Examples
    --------
    >>> from earmark.tasks.context.values import Choice, Scores, Swap, Swaps
    >>> swap = Swap(0, 0, "debt", "shopping", "NN", 0, 1, 20, 5, 6, 7, 7)
    >>> output = Scores((0.0,), choices=(Choice(0, first=-1.0, second=-2.0),))
    >>> contrastive()(Swaps(1, (swap,)), output).value
    1.0
    """
    return Metric(
        TASK,
        "contrastive",
        count=prefer,
        rate=partial(preferred, bin_number=0),
        undefined="the outputs compare no places; make the study with --reveal",
        parts=contrast_parts,
    )
