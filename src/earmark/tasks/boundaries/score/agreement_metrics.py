"""How far the references agree: numbers about the panel alone."""

from dataclasses import dataclass, replace
from typing import Any

from earmark.score.metric import Metric, mean
from earmark.task.options import changed, option
from earmark.tasks.boundaries.score.agreement import kappa
from earmark.tasks.boundaries.score.settings import (
    TASK_NAME,
    AveragedFinalOptions,
    FinalOptions,
    averaged,
)
from earmark.tasks.boundaries.score.window_options import (
    NO_AGREEMENT,
    WindowMetricOptions,
    window_metric,
    with_lone_reference,
)
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.counts import Mean

NOTHING_TO_DISAGREE = "there are fewer than two references, or they leave nothing to disagree about"


def agreement_ratio(
    options: AveragedFinalOptions = AveragedFinalOptions(), **changes: Any
) -> Metric:
    """Build R_GAR: how much of the most possible agreement the references reach.

    Definition
    ----------
    Gonzalez-Gallardo and Torres-Moreno 2018, eq. 5 to 7. Votes on words that at least two people
    marked, over the number of people times the number of words that anybody marked.

    Undefined
    ---------
    nan with one reference (tool-1.0: 0), or when nobody marked a boundary.

    Examples
    --------
    >>> panel = Panel((Boundaries(9, {2, 7}), Boundaries(9, {2})))
    >>> metric = agreement_ratio()
    >>> metric.rate(metric.count(panel, Boundaries(9)))
    0.5

    Notes
    -----
    Does not look at the output. Not corrected for chance, and not comparable between panels of
    different sizes.
    """
    chosen = changed(options, changes)
    metric = window_metric(
        "agreement_ratio",
        lambda counts: counts.agreement,
        WindowMetricOptions(preset=chosen.preset, limit=0, final=chosen.final, average="micro"),
        undefined=NO_AGREEMENT,
    )
    without_windows = replace(metric, options={"final": chosen.settings.final})
    pooled = with_lone_reference(without_windows, chosen.settings.alone)
    return averaged(pooled, chosen.average)


@dataclass(frozen=True, slots=True, kw_only=True)
class FleissOptions(FinalOptions):
    """Which words Fleiss' kappa looks at."""

    borders: bool = option(
        False,
        "Only over words that somebody marked, as the authors' tool also prints; "
        "hard to interpret.",
    )


def fleiss_kappa(options: FleissOptions = FleissOptions(), **changes: Any) -> Metric:
    """Build Fleiss' kappa: agreement of the references beyond chance, word by word.

    Definition
    ----------
    Fleiss 1971 with words as items, references as people, and two categories.

    Undefined
    ---------
    nan with one reference, or when all mark the same words and no other choice was left.

    Examples
    --------
    >>> panel = Panel((Boundaries(9, {2, 7}), Boundaries(9, {2})))
    >>> metric = fleiss_kappa()
    >>> round(metric.rate(metric.count(panel, Boundaries(9))), 4)
    0.6

    Notes
    -----
    Does not look at the output. Higher is better; 1 is perfect agreement, 0 what chance gives.
    Over several texts the values are averaged.
    """
    chosen = changed(options, changes)
    final, borders = chosen.settings.counts_final, chosen.borders

    def count(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        return Mean.of(kappa(panel_of(reference), final=final, marked_only=borders))

    return Metric(
        TASK_NAME,
        "fleiss_kappa",
        count,
        mean,
        options={"final": chosen.settings.final, "borders": borders},
        average="macro",
        low=-1.0,
        undefined=NOTHING_TO_DISAGREE,
    )
