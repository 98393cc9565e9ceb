"""Boundaries on exactly the same words, against several references."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from earmark.score.metric import Metric, mean
from earmark.stats import rates
from earmark.task.options import changed, option
from earmark.tasks.boundaries.score import pairs
from earmark.tasks.boundaries.score.settings import (
    AVERAGE_HELP,
    AVERAGE_REFERENCES_HELP,
    TASK_NAME,
    Average,
    AveragedFinalOptions,
    FinalOptions,
    averaged,
)
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.counts import Hits, Mean
from earmark.values.errors import InputError

NONE_ANYWHERE = "neither the output nor a reference has a boundary"
NO_REFERENCE = "no reference has a boundary"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanOptions(FinalOptions):
    """What metrics take that are averaged over references."""

    average: Average = option("macro", AVERAGE_REFERENCES_HELP)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusMetricOptions(FinalOptions):
    """What makes a consensus."""

    share: float = option(0.5, "The share of people that must have marked a word.")
    average: Average = option("macro", AVERAGE_HELP)

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise InputError("share must be > 0 and <= 1", got=self.share)


def _mean_over_references(
    name: str, rate: Callable[[Hits], float], options: MeanOptions, *, undefined: str
) -> Metric:
    """Build a metric of hits. Macro averages the rates of the references, micro pools the hits."""
    final = options.settings.counts_final

    def pooled(reference: Panel | Boundaries, output: Boundaries) -> Hits:
        hits = pairs.hits_by_reference(panel_of(reference), output, final=final)
        return sum(hits, start=Hits())

    def averaged_rates(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        hits = pairs.hits_by_reference(panel_of(reference), output, final=final)
        return Mean.of(rates.mean_defined(rate(one) for one in hits))

    is_micro = options.average == "micro"
    return Metric(
        TASK_NAME,
        name,
        pooled if is_micro else averaged_rates,
        rate if is_micro else mean,
        options={"final": options.settings.final},
        average=options.average,
        undefined=undefined,
    )


def mean_f1(options: MeanOptions = MeanOptions(), **changes: Any) -> Metric:
    """Build F1 against each reference, averaged over the references.

    Definition
    ----------
    Gonzalez-Gallardo and Torres-Moreno 2018, table 4, column Mean.

    Undefined
    ---------
    nan when neither the output nor any reference has a boundary.

    Examples
    --------
    >>> metric = mean_f1()
    >>> metric.rate(metric.count(Boundaries(9, {2, 5}), Boundaries(9, {2, 6})))
    0.5

    Notes
    -----
    Higher is better; 0 to 1. Against a single reference it is the plain F1 of boundaries.
    """
    chosen = changed(options, changes)
    return _mean_over_references("mean_f1", rates.f1, chosen, undefined=NONE_ANYWHERE)


def mean_precision(options: MeanOptions = MeanOptions(), **changes: Any) -> Metric:
    """Build the share of the output's boundaries that a reference has, averaged over references.

    Definition
    ----------
    Gonzalez-Gallardo and Torres-Moreno 2018, table 4, column Mean.

    Undefined
    ---------
    nan when the output has no boundary.

    Examples
    --------
    >>> metric = mean_precision()
    >>> metric.rate(metric.count(Boundaries(9, {2, 5}), Boundaries(9, {2})))
    1.0
    """
    chosen = changed(options, changes)
    return _mean_over_references("mean_precision", rates.precision, chosen, undefined=NONE_ANYWHERE)


def mean_recall(options: MeanOptions = MeanOptions(), **changes: Any) -> Metric:
    """Build the share of a reference's boundaries that the output has, averaged over references.

    Definition
    ----------
    Gonzalez-Gallardo and Torres-Moreno 2018, table 4, column Mean.

    Undefined
    ---------
    nan when no reference has a boundary.

    Examples
    --------
    >>> metric = mean_recall()
    >>> metric.rate(metric.count(Boundaries(9, {2, 5}), Boundaries(9, {2})))
    0.5
    """
    chosen = changed(options, changes)
    return _mean_over_references("mean_recall", rates.recall, chosen, undefined=NONE_ANYWHERE)


def slot_error_rate(options: MeanOptions = MeanOptions(), **changes: Any) -> Metric:
    """Build false negatives plus false positives over the reference's boundaries.

    Definition
    ----------
    Makhoul et al. 1999; with several references the mean, as Kolar and Lamel 2012 do first.

    Undefined
    ---------
    nan when no reference has a boundary.

    Examples
    --------
    >>> metric = slot_error_rate()
    >>> metric.rate(metric.count(Boundaries(9, {2, 5}), Boundaries(9, {2, 6, 7})))
    1.5

    Notes
    -----
    Lower is better; may exceed 1.
    """
    chosen = changed(options, changes)
    metric = _mean_over_references(
        "slot_error_rate", rates.error_rate, chosen, undefined=NO_REFERENCE
    )
    return replace(metric, higher_is_better=False, high=float("inf"))


def lenient_error_rate(
    options: AveragedFinalOptions = AveragedFinalOptions(), **changes: Any
) -> Metric:
    """Build errors that no reference excuses, over the references' mean number of boundaries.

    Definition
    ----------
    Kolar and Lamel 2012, second approach: a boundary is wrong only when no reference has it, its
    absence only when all have it.

    Undefined
    ---------
    nan when no reference has a boundary.

    Examples
    --------
    >>> panel = Panel((Boundaries(9, {2, 5}), Boundaries(9, {2, 6})))
    >>> metric = lenient_error_rate()
    >>> metric.rate(metric.count(panel, Boundaries(9, {6, 7})))
    1.0

    Notes
    -----
    Lower is better; may exceed 1.
    """
    chosen = changed(options, changes)
    final = chosen.settings.counts_final

    def count(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        counts = pairs.count_lenient(panel_of(reference), output, final=final)
        return Mean(counts.false_positives + counts.false_negatives, counts.expected)

    metric = Metric(
        TASK_NAME,
        "lenient_error_rate",
        count,
        mean,
        options={"final": chosen.settings.final},
        higher_is_better=False,
        high=float("inf"),
        undefined=NO_REFERENCE,
    )
    return averaged(metric, chosen.average)


def consensus_f1(
    options: ConsensusMetricOptions = ConsensusMetricOptions(), **changes: Any
) -> Metric:
    """Build F1 against the boundaries that enough people agree on.

    Definition
    ----------
    Bohac et al. 2012: a boundary is right when at least half of the people have it.

    Undefined
    ---------
    nan when neither the output nor the consensus has a boundary.

    Examples
    --------
    >>> panel = Panel((Boundaries(9, {2}), Boundaries(9, {2, 6}), Boundaries(9, {4})))
    >>> metric = consensus_f1()
    >>> round(metric.rate(metric.count(panel, Boundaries(9, {2, 6}))), 4)
    0.6667
    """
    chosen = changed(options, changes)
    final = chosen.settings.counts_final

    def count(reference: Panel | Boundaries, output: Boundaries) -> Hits:
        return pairs.count_consensus(panel_of(reference), output, share=chosen.share, final=final)

    metric = Metric(
        TASK_NAME,
        "consensus_f1",
        count,
        rates.f1,
        options={"final": chosen.settings.final, "share": chosen.share},
        undefined=NONE_ANYWHERE,
    )
    return averaged(metric, chosen.average)
