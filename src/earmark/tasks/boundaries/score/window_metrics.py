"""WiSeBE and its parts."""

from dataclasses import replace
from typing import Any

from earmark.score.metric import Metric
from earmark.task.options import changed
from earmark.tasks.boundaries.score.settings import averaged
from earmark.tasks.boundaries.score.window_options import (
    NO_AGREEMENT,
    NO_OUTPUT,
    WindowMetricOptions,
    window_metric,
    with_lone_reference,
)


def window_precision(
    options: WindowMetricOptions = WindowMetricOptions(), **changes: Any
) -> Metric:
    """Build the share of the output's boundaries that lie in a window of the references.

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
    chosen = changed(options, changes)
    return window_metric("window_precision", lambda counts: counts.precision, chosen)


def window_recall(options: WindowMetricOptions = WindowMetricOptions(), **changes: Any) -> Metric:
    """Build the share of the references' windows that hold a boundary of the output.

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
    chosen = changed(options, changes)
    return window_metric("window_recall", lambda counts: counts.recall, chosen)


def window_f1(options: WindowMetricOptions = WindowMetricOptions(), **changes: Any) -> Metric:
    """Build the harmonic mean of precision and recall on windows.

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
    chosen = changed(options, changes)
    return window_metric("window_f1", lambda counts: counts.f1, chosen)


def wisebe(options: WindowMetricOptions = WindowMetricOptions(), **changes: Any) -> Metric:
    """Build WiSeBE: F1 on windows times how far the references agree with each other.

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
    chosen = changed(options, changes)
    pooled = window_metric(
        "wisebe",
        lambda counts: counts.wisebe,
        replace(chosen, average="micro"),
        undefined=f"{NO_AGREEMENT}; or {NO_OUTPUT}",
    )
    return averaged(with_lone_reference(pooled, chosen.settings.alone), chosen.average)
