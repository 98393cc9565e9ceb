"""WiSeBE and its parts."""

from earmark.score.metric import Metric
from earmark.tasks.boundaries.score.settings import Final, Preset
from earmark.tasks.boundaries.score.windowed import (
    NO_AGREEMENT,
    NO_OUTPUT,
    Average,
    Inside,
    mind_alone,
    window_metric,
)


def window_precision(
    *,
    preset: Preset = "paper-2018",
    limit: int | None = None,
    final: Final | None = None,
    votes: int = 1,
    inside: Inside = "interval",
    average: Average = "macro",
) -> Metric:
    """Share of the output's boundaries that lie in a window of the references.

    Parameters
    ----------
    preset
        Whose settings: paper-2018 (limit 2, final word excluded) or tool-1.0 (limit 3, included).
    limit
        Boundaries at most this many words apart fall into one window.
    final
        Whether the end of the text counts as a boundary.
    votes
        How many people must have marked a word for it to open or widen a window.
    inside
        Whether a window is the whole interval or only the words that somebody marked.
    average
        Over several texts: macro rates each and averages, micro pools the counts.

    Definition
    ----------
    Gonzalez-Gallardo and Torres-Moreno 2018, eq. 12, read as "lies in some window".

    Undefined
    ---------
    nan when the output has no boundary.

    Examples
    --------
    >>> from earmark.tasks.boundaries.values import Boundaries, Panel
    >>> panel = Panel((Boundaries(9, {2}), Boundaries(9, {3})))
    >>> metric = window_precision()
    >>> metric.rate(metric.count(panel, Boundaries(9, {3, 6})))
    0.5

    Notes
    -----
    Higher is better; 0 to 1. All of several boundaries in one window count as right.
    """
    return window_metric(
        "window_precision",
        lambda counts: counts.precision,
        preset=preset,
        limit=limit,
        final=final,
        votes=votes,
        inside=inside,
        average=average,
    )


def window_recall(
    *,
    preset: Preset = "paper-2018",
    limit: int | None = None,
    final: Final | None = None,
    votes: int = 1,
    inside: Inside = "interval",
    average: Average = "macro",
) -> Metric:
    """Share of the references' windows that hold a boundary of the output.

    Parameters
    ----------
    preset
        Whose settings: paper-2018 (limit 2, final word excluded) or tool-1.0 (limit 3, included).
    limit
        Boundaries at most this many words apart fall into one window.
    final
        Whether the end of the text counts as a boundary.
    votes
        How many people must have marked a word for it to open or widen a window.
    inside
        Whether a window is the whole interval or only the words that somebody marked.
    average
        Over several texts: macro rates each and averages, micro pools the counts.

    Definition
    ----------
    Gonzalez-Gallardo and Torres-Moreno 2018, eq. 13, read as "at least one boundary".

    Undefined
    ---------
    nan when no reference has a boundary.

    Examples
    --------
    >>> from earmark.tasks.boundaries.values import Boundaries, Panel
    >>> panel = Panel((Boundaries(9, {2, 7}), Boundaries(9, {3})))
    >>> metric = window_recall()
    >>> metric.rate(metric.count(panel, Boundaries(9, {3})))
    0.5

    Notes
    -----
    Higher is better; 0 to 1.
    """
    return window_metric(
        "window_recall",
        lambda counts: counts.recall,
        preset=preset,
        limit=limit,
        final=final,
        votes=votes,
        inside=inside,
        average=average,
    )


def window_f1(
    *,
    preset: Preset = "paper-2018",
    limit: int | None = None,
    final: Final | None = None,
    votes: int = 1,
    inside: Inside = "interval",
    average: Average = "macro",
) -> Metric:
    """Harmonic mean of precision and recall on windows.

    Parameters
    ----------
    preset
        Whose settings: paper-2018 (limit 2, final word excluded) or tool-1.0 (limit 3, included).
    limit
        Boundaries at most this many words apart fall into one window.
    final
        Whether the end of the text counts as a boundary.
    votes
        How many people must have marked a word for it to open or widen a window.
    inside
        Whether a window is the whole interval or only the words that somebody marked.
    average
        Over several texts: macro rates each and averages, micro pools the counts.

    Definition
    ----------
    Gonzalez-Gallardo and Torres-Moreno 2018, eq. 11.

    Undefined
    ---------
    nan when the output or all references are without boundaries; 0 when nothing was hit.

    Examples
    --------
    >>> from earmark.tasks.boundaries.values import Boundaries, Panel
    >>> panel = Panel((Boundaries(9, {2, 7}), Boundaries(9, {3})))
    >>> metric = window_f1()
    >>> round(metric.rate(metric.count(panel, Boundaries(9, {3}))), 4)
    0.6667

    Notes
    -----
    Higher is better; 0 to 1. Precision counts boundaries and recall windows: a system that marks
    every word gains nothing in recall by it but loses less precision the wider the windows are.
    """
    return window_metric(
        "window_f1",
        lambda counts: counts.f1,
        preset=preset,
        limit=limit,
        final=final,
        votes=votes,
        inside=inside,
        average=average,
    )


def wisebe(
    *,
    preset: Preset = "paper-2018",
    limit: int | None = None,
    final: Final | None = None,
    votes: int = 1,
    inside: Inside = "interval",
    average: Average = "macro",
) -> Metric:
    """WiSeBE: F1 on windows times how far the references agree with each other.

    Parameters
    ----------
    preset
        Whose settings: paper-2018 (limit 2, final word excluded) or tool-1.0 (limit 3, included).
    limit
        Boundaries at most this many words apart fall into one window.
    final
        Whether the end of the text counts as a boundary.
    votes
        How many people must have marked a word for it to open or widen a window.
    inside
        Whether a window is the whole interval or only the words that somebody marked.
    average
        Over several texts: macro rates each and averages, micro pools the counts.

    Definition
    ----------
    Gonzalez-Gallardo and Torres-Moreno 2018, eq. 10.

    Undefined
    ---------
    nan with one reference (tool-1.0: 0), or when the output or all references have no boundary.

    Examples
    --------
    >>> from earmark.tasks.boundaries.values import Boundaries, Panel
    >>> panel = Panel((Boundaries(9, {2, 7}), Boundaries(9, {2})))
    >>> metric = wisebe()
    >>> round(metric.rate(metric.count(panel, Boundaries(9, {2}))), 4)
    0.3333

    Notes
    -----
    Higher is better; 0 to 1, and comparable only within one panel: the same output scores lower
    where people agree less. Read it beside window_f1 and agreement_ratio.
    """
    return mind_alone(
        window_metric(
            "wisebe",
            lambda counts: counts.wisebe,
            preset=preset,
            limit=limit,
            final=final,
            votes=votes,
            inside=inside,
            average="micro",
            undefined=f"{NO_AGREEMENT}; or {NO_OUTPUT}",
        ),
        preset=preset,
        average=average,
    )
