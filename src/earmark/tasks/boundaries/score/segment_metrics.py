"""Metrics of text segmentation, averaged over references: probes that slide, and edits."""

from collections.abc import Callable
from dataclasses import replace

from earmark.score.metric import Metric, mean
from earmark.stats.rates import proportion
from earmark.tasks.boundaries.score.arrays import positions, same_length
from earmark.tasks.boundaries.score.edits import Edits, count_edits
from earmark.tasks.boundaries.score.pairs import mean_defined
from earmark.tasks.boundaries.score.settings import Average, at_least
from earmark.tasks.boundaries.score.slides import slide
from earmark.tasks.boundaries.score.windowed import TASK_NAME
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.counts import Mean

Parts = Callable[[Boundaries, Boundaries], tuple[float, float]]
TOO_SHORT = "the text is no longer than the probe"


def _parted(name: str, parts: Parts, *, average: Average, options: dict[str, object]) -> Metric:
    """A ratio of two sums per reference: averaged over references and texts, or pooled."""

    def each(reference: Panel | Boundaries, output: Boundaries) -> list[tuple[float, float]]:
        panel = panel_of(reference)
        same_length(panel, output)
        return [parts(one, output) for one in panel.references]

    def count(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        ratios = [proportion(part, of=whole) for part, whole in each(reference, output)]
        return Mean.of(mean_defined(ratios))

    def pool(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        pieces = each(reference, output)
        return Mean(sum(part for part, _ in pieces), sum(whole for _, whole in pieces))

    counting = pool if average == "micro" else count
    return Metric(TASK_NAME, name, counting, mean, options=options, average=average)


def _slides(kind: str, probe: int | None) -> Parts:
    if probe is not None:
        at_least(probe, 1, what="a probe")

    def parts(reference: Boundaries, output: Boundaries) -> tuple[float, float]:
        if not reference.length:
            return 0, 0
        inner = (positions(reference, final=False), positions(output, final=False))
        return slide(reference.length, *inner, width=probe)[kind]

    return parts


def _probe(probe: int | None) -> dict[str, object]:
    return {"probe": "half" if probe is None else probe}


def pk(*, probe: int | None = None, average: Average = "macro") -> Metric:
    """Pk: how often two words a probe apart are judged wrongly to be in the same unit or not.

    Parameters
    ----------
    probe
        Words between the two ends of the probe; by default half the reference's mean unit.
    average
        Macro averages over references and texts; micro pools all their probes.

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
    metric = _parted("pk", _slides("pk", probe), average=average, options=_probe(probe))
    return replace(metric, higher_is_better=False, undefined=TOO_SHORT)


def window_diff(
    *, probe: int | None = None, lamprier: bool = False, average: Average = "macro"
) -> Metric:
    """WindowDiff: how often a probe sees different numbers of boundaries on the two sides.

    Parameters
    ----------
    probe
        Words between the two ends of the probe; by default half the reference's mean unit.
    lamprier
        Let the probe overhang both ends of the text, so that boundaries there weigh as others do.
    average
        Macro averages over references and texts; micro pools all their probes.

    Definition
    ----------
    Pevzner and Hearst 2002, probe as in pk; correction by Lamprier et al. 2007 as segeval 2.0.11
    has it. With several references the mean.

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
    kind = "lamprier" if lamprier else "window_diff"
    options = {**_probe(probe), "lamprier": lamprier}
    metric = _parted("window_diff", _slides(kind, probe), average=average, options=options)
    return replace(metric, higher_is_better=False, undefined=TOO_SHORT)


def _edits(reference: Boundaries, output: Boundaries, offset: int) -> Edits:
    inner = (positions(reference, final=False), positions(output, final=False))
    return count_edits(*inner, offset=offset)


def boundary_similarity(*, offset: int = 1, average: Average = "macro") -> Metric:
    """Boundary Similarity: the share of boundaries that match, moved ones counting in part.

    Parameters
    ----------
    offset
        How many words a boundary may be off and still count as moved; n_t of the paper less one.
    average
        Macro averages over references and texts; micro pools all their counts.

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
    at_least(offset, 0, what="an offset")

    def parts(reference: Boundaries, output: Boundaries) -> tuple[float, float]:
        return _edits(reference, output, offset).similarity_parts()

    metric = _parted("boundary_similarity", parts, average=average, options={"offset": offset})
    return replace(metric, undefined="neither side has a boundary inside the text")


def segmentation_similarity(*, offset: int = 1, average: Average = "macro") -> Metric:
    """Segmentation Similarity: the share of possible boundaries that need no edit.

    Parameters
    ----------
    offset
        How many words a boundary may be off and still count as moved; n_t of the paper less one.
    average
        Macro averages over references and texts; micro pools all their counts.

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
    at_least(offset, 0, what="an offset")

    def parts(reference: Boundaries, output: Boundaries) -> tuple[float, float]:
        possible = max(reference.length - 1, 0)
        return possible - _edits(reference, output, offset).cost(), possible

    metric = _parted("segmentation_similarity", parts, average=average, options={"offset": offset})
    return replace(metric, undefined="the text has fewer than two words")
