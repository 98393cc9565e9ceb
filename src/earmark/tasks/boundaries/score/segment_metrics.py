"""Metrics of text segmentation, averaged over references: probes that slide, and edits."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from earmark.score.metric import Metric, mean
from earmark.stats.rates import mean_defined, proportion
from earmark.task.options import changed, option
from earmark.tasks.boundaries.score.edits import Edits, Ratio, count_edits
from earmark.tasks.boundaries.score.probes import count_probes
from earmark.tasks.boundaries.score.settings import (
    AVERAGE_REFERENCES_HELP,
    TASK_NAME,
    Average,
    require_at_least,
)
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of, require_same_length
from earmark.values.counts import Mean

TOO_SHORT = "the text is no longer than the probe"


@dataclass(frozen=True, slots=True, kw_only=True)
class PkOptions:
    """How wide the probe is."""

    probe: int | None = option(
        None, "Words between the two ends of the probe; by default half the reference's mean unit."
    )
    average: Average = option(
        "macro", "Macro averages over references and texts; micro pools all their probes."
    )

    def __post_init__(self) -> None:
        require_at_least(1, self.probe, name="probe")


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowDiffOptions(PkOptions):
    """How wide the probe is, and where it starts."""

    lamprier: bool = option(
        False,
        "Let the probe overhang both ends of the text, so that boundaries there weigh as others "
        "do.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityOptions:
    """How far a boundary may be moved."""

    offset: int = option(
        1,
        "How many words a boundary may be off and still count as moved; n_t of the paper less one.",
    )
    average: Average = option("macro", AVERAGE_REFERENCES_HELP)

    def __post_init__(self) -> None:
        require_at_least(0, self.offset, name="offset")


def _ratio_metric(
    name: str,
    ratio: Callable[[Boundaries, Boundaries], Ratio],
    *,
    average: Average,
    options: dict[str, object],
    undefined: str,
    higher_is_better: bool = True,
) -> Metric:
    """Build a metric from one ratio per reference: averaged over references, or pooled."""

    def ratios(reference: Panel | Boundaries, output: Boundaries) -> list[Ratio]:
        panel = panel_of(reference)
        require_same_length(panel, output)
        return [ratio(one, output) for one in panel.references]

    def averaged(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        rates = [proportion(part, of=whole) for part, whole in ratios(reference, output)]
        return Mean.of(mean_defined(rates))

    def pooled(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        both = ratios(reference, output)
        return Mean(sum(one.part for one in both), sum(one.whole for one in both))

    return Metric(
        TASK_NAME,
        name,
        pooled if average == "micro" else averaged,
        mean,
        options=options,
        average=average,
        undefined=undefined,
        higher_is_better=higher_is_better,
    )


def _probe_ratio(
    reference: Boundaries,
    output: Boundaries,
    *,
    kind: Literal["pk", "window_diff", "lamprier"],
    probe: int | None,
) -> Ratio:
    if not reference.length:
        return Ratio(0, 0)
    inner = reference.positions(final=False), output.positions(final=False)
    ratio: Ratio = getattr(count_probes(reference.length, *inner, width=probe), kind)
    return ratio


def _probe_named(probe: int | None) -> object:
    """Return what the signature says of the probe."""
    return "half" if probe is None else probe


def pk(options: PkOptions = PkOptions(), **changes: Any) -> Metric:
    """Build Pk: how often it is judged wrongly whether the ends of a probe are in one unit.

    Definition
    ----------
    Beeferman et al. 1999, probe of half the reference's mean unit (rounded half to even, at least
    2). With several references the mean.

    Undefined
    ---------
    nan when the text is no longer than the probe.

    Examples
    --------
    >>> metric = pk()
    >>> metric.rate(metric.count(Boundaries(10, {3, 9}), Boundaries(10, {4, 9})))
    0.25

    Notes
    -----
    Lower is better; 0 to 1. The end of the text plays no part.
    """
    chosen = changed(options, changes)
    return _ratio_metric(
        "pk",
        partial(_probe_ratio, kind="pk", probe=chosen.probe),
        average=chosen.average,
        options={"probe": _probe_named(chosen.probe)},
        undefined=TOO_SHORT,
        higher_is_better=False,
    )


def window_diff(options: WindowDiffOptions = WindowDiffOptions(), **changes: Any) -> Metric:
    """Build WindowDiff: how often a probe sees different numbers of boundaries on the two sides.

    Definition
    ----------
    Pevzner and Hearst 2002, probe as in pk; correction by Lamprier et al. 2007 as in segeval
    2.0.11. With several references the mean.

    Undefined
    ---------
    nan when the text is no longer than the probe.

    Examples
    --------
    >>> metric = window_diff()
    >>> metric.rate(metric.count(Boundaries(10, {3, 9}), Boundaries(10, {9})))
    0.25

    Notes
    -----
    Lower is better; 0 to 1. The end of the text plays no part.
    """
    chosen = changed(options, changes)
    kind: Literal["lamprier", "window_diff"] = "lamprier" if chosen.lamprier else "window_diff"
    return _ratio_metric(
        "window_diff",
        partial(_probe_ratio, kind=kind, probe=chosen.probe),
        average=chosen.average,
        options={"probe": _probe_named(chosen.probe), "lamprier": chosen.lamprier},
        undefined=TOO_SHORT,
        higher_is_better=False,
    )


def _edits(reference: Boundaries, output: Boundaries, *, offset: int) -> Edits:
    inner = reference.positions(final=False), output.positions(final=False)
    return count_edits(*inner, offset=offset)


def boundary_similarity(options: SimilarityOptions = SimilarityOptions(), **changes: Any) -> Metric:
    """Build Boundary Similarity: the share of boundaries that match, moved ones counted in part.

    Definition
    ----------
    Fournier 2013: 1 - (added + moved words / n_t) / (added + moved + matched). With several
    references the mean.

    Undefined
    ---------
    nan when neither side has a boundary inside the text.

    Examples
    --------
    >>> metric = boundary_similarity()
    >>> metric.rate(metric.count(Boundaries(10, {3, 9}), Boundaries(10, {4, 9})))
    0.5

    Notes
    -----
    Higher is better; 0 to 1. The end of the text plays no part.
    """
    chosen = changed(options, changes)

    def ratio(reference: Boundaries, output: Boundaries) -> Ratio:
        return _edits(reference, output, offset=chosen.offset).similarity

    return _ratio_metric(
        "boundary_similarity",
        ratio,
        average=chosen.average,
        options={"offset": chosen.offset},
        undefined="neither side has a boundary inside the text",
    )


def segmentation_similarity(
    options: SimilarityOptions = SimilarityOptions(), **changes: Any
) -> Metric:
    """Build Segmentation Similarity: the share of possible boundaries that need no edit.

    Definition
    ----------
    Fournier and Inkpen 2012, with the edits of Fournier 2013. With several references the mean.

    Undefined
    ---------
    nan when the text has one word or none.

    Examples
    --------
    >>> metric = segmentation_similarity()
    >>> round(metric.rate(metric.count(Boundaries(10, {3, 9}), Boundaries(10, {4, 9}))), 4)
    0.9444

    Notes
    -----
    Higher is better; 0 to 1, and near 1 for almost everything, since most words end nothing.
    """
    chosen = changed(options, changes)

    def ratio(reference: Boundaries, output: Boundaries) -> Ratio:
        possible = max(reference.length - 1, 0)
        return Ratio(possible - _edits(reference, output, offset=chosen.offset).cost, possible)

    return _ratio_metric(
        "segmentation_similarity",
        ratio,
        average=chosen.average,
        options={"offset": chosen.offset},
        undefined="the text has fewer than two words",
    )
