"""WiSeBE and its parts."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from earmark.score.metric import Metric, macro
from earmark.tasks.boundaries.score.settings import Final, Preset, settings
from earmark.tasks.boundaries.score.windows import WindowCounts, count_windows, is_alone
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of

TASK_NAME = "boundaries"
Average = Literal["macro", "micro"]
Inside = Literal["interval", "set"]

NO_AGREEMENT = "there are fewer than two references, or nobody marked a boundary"
NO_OUTPUT = "the output has no boundary, or no reference has one"


def averaged(metric: Metric, average: Average) -> Metric:
    """The metric pooled over texts, or each text rated by itself as the paper does."""
    return macro(metric) if average == "macro" else metric


def window_metric(  # noqa: PLR0913
    name: str,
    rate: Callable[[WindowCounts], float],
    *,
    preset: Preset,
    limit: int | None,
    final: Final | None,
    votes: int,
    inside: Inside,
    average: Average,
    undefined: str = NO_OUTPUT,
) -> Metric:
    chosen = settings(preset, limit=limit, final=final)

    def count(reference: Panel | Boundaries, output: Boundaries) -> WindowCounts:
        return count_windows(
            panel_of(reference),
            output,
            limit=chosen.limit,
            final=chosen.counts_final,
            votes=votes,
            whole=inside == "interval",
        )

    options = {"limit": chosen.limit, "final": chosen.final, "votes": votes, "inside": inside}
    metric = Metric(
        TASK_NAME, name, count, rate, options=options, undefined=undefined, parts=window_parts
    )
    return averaged(metric, average)


def window_parts(counts: WindowCounts) -> dict[str, object]:
    """The tallies by name."""
    return dict(
        zip(
            ("inside", "outside", "windows_hit", "windows_missed", "votes", "votes_possible"),
            counts.row(),
            strict=True,
        )
    )


def window_precision(  # noqa: PLR0913
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


def window_recall(  # noqa: PLR0913
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


def window_f1(  # noqa: PLR0913
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


def wisebe(  # noqa: PLR0913
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


def mind_alone(metric: Metric, *, preset: Preset, average: Average) -> Metric:
    """The metric with its meaning for a single reference: undefined, or 0 as the tool has it."""
    zero = settings(preset).alone == "zero"
    count = partial(_count_unless_alone, metric.count, zero)
    options = {**metric.options, "alone": "zero" if zero else "undefined"}
    return averaged(replace(metric, count=count, options=options), average)


def _count_unless_alone(
    count: Callable[[Any, Any], WindowCounts],
    zero: bool,
    reference: Panel | Boundaries,
    output: Boundaries,
) -> WindowCounts:
    counts = count(reference, output)
    if zero or not is_alone(panel_of(reference)):
        return counts
    return WindowCounts(*counts.row()[:4])
