"""Boundaries on exactly the same words, against several references."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from earmark.score.metric import Metric, mean
from earmark.stats import rates
from earmark.task.options import takes
from earmark.tasks.boundaries.score import pairs
from earmark.tasks.boundaries.score.settings import Average, EndOptions, TextOptions
from earmark.tasks.boundaries.score.windowed import TASK_NAME, averaged
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.counts import Hits, Mean
from earmark.values.errors import InputError

NONE_ANYWHERE = "neither the output nor a reference has a boundary"
NO_REFERENCE = "no reference has a boundary"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanOptions(EndOptions):
    """What metrics take that are averaged over references.

    Parameters
    ----------
    average
        Macro averages over references and texts; micro pools all their counts.
    """

    average: Average = "macro"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusOptions(EndOptions):
    """What makes a consensus.

    Parameters
    ----------
    share
        The share of people that must have marked a word.
    average
        Over several texts: macro rates each and averages, micro pools the counts.
    """

    share: float = 0.5
    average: Average = "macro"

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise InputError("a share of people lies between 0 and 1", got=self.share)


def _over_references(name: str, rate: Callable[[Hits], float], options: MeanOptions) -> Metric:
    """Macro: the rate against each reference, averaged; micro: all hits pooled."""
    chosen = options.chosen

    def hits(reference: Panel | Boundaries, output: Boundaries) -> list[Hits]:
        panel = panel_of(reference)
        return pairs.hits_by_reference(panel, output, final=chosen.counts_final)

    def pooled(reference: Panel | Boundaries, output: Boundaries) -> Hits:
        return sum(hits(reference, output), start=Hits())

    def averaged_over(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        return Mean.of(pairs.mean_over(rate, hits(reference, output)))

    micro = options.average == "micro"
    return Metric(
        TASK_NAME,
        name,
        pooled if micro else averaged_over,
        rate if micro else mean,
        options={"final": chosen.final},
        average=options.average,
        undefined=NONE_ANYWHERE,
    )


@takes(MeanOptions)
def mean_f1(options: MeanOptions) -> Metric:
    """F1 against each reference, averaged over the references.

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
    return _over_references("mean_f1", rates.f1, options)


@takes(MeanOptions)
def mean_precision(options: MeanOptions) -> Metric:
    """Share of the output's boundaries that a reference has, averaged over the references.

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
    return _over_references("mean_precision", rates.precision, options)


@takes(MeanOptions)
def mean_recall(options: MeanOptions) -> Metric:
    """Share of a reference's boundaries that the output has, averaged over the references.

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
    return _over_references("mean_recall", rates.recall, options)


@takes(MeanOptions)
def slot_error_rate(options: MeanOptions) -> Metric:
    """Boundaries missed and made up, over the reference's boundaries.

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
    metric = _over_references("slot_error_rate", rates.error_rate, options)
    return replace(metric, higher_is_better=False, high=float("inf"), undefined=NO_REFERENCE)


@takes(TextOptions)
def lenient_error_rate(options: TextOptions) -> Metric:
    """Errors that no reference excuses, over the references' mean number of boundaries.

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
    chosen = options.chosen

    def count(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        made_up, missed, expected = pairs.count_lenient(
            panel_of(reference), output, final=chosen.counts_final
        )
        return Mean(made_up + missed, expected)

    metric = Metric(
        TASK_NAME,
        "lenient_error_rate",
        count,
        mean,
        options={"final": chosen.final},
        higher_is_better=False,
        high=float("inf"),
        undefined=NO_REFERENCE,
    )
    return averaged(metric, options.average)


@takes(ConsensusOptions)
def consensus_f1(options: ConsensusOptions) -> Metric:
    """F1 against the boundaries that enough people agree on.

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
    chosen, share = options.chosen, options.share

    def count(reference: Panel | Boundaries, output: Boundaries) -> Hits:
        return pairs.count_consensus(
            panel_of(reference), output, share=share, final=chosen.counts_final
        )

    metric = Metric(
        TASK_NAME,
        "consensus_f1",
        count,
        rates.f1,
        options={"final": chosen.final, "share": share},
        undefined=NONE_ANYWHERE,
    )
    return averaged(metric, options.average)
