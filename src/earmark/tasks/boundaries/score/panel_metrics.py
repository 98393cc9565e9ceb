"""How far the references agree: numbers about the panel alone."""

from dataclasses import dataclass, replace

from earmark.score.metric import Metric, mean
from earmark.task.options import takes
from earmark.tasks.boundaries.score.panels import kappa, kappa_on_borders, kappa_parts
from earmark.tasks.boundaries.score.settings import EndOptions, TextOptions
from earmark.tasks.boundaries.score.windowed import (
    NO_AGREEMENT,
    TASK_NAME,
    WindowOptions,
    averaged,
    mind_alone,
    window_metric,
)
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.counts import Mean

SAME = "there are fewer than two references, or they leave nothing to disagree about"


@takes(TextOptions)
def agreement_ratio(options: TextOptions) -> Metric:
    """How much of the most possible agreement the references reach: R_GAR.

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
    chosen = options.chosen
    metric = window_metric(
        "agreement_ratio",
        lambda counts: counts.agreement,
        WindowOptions(preset=options.preset, limit=0, final=options.final, average="micro"),
        undefined=NO_AGREEMENT,
    )
    own = replace(metric, options={"final": chosen.final})
    return averaged(mind_alone(own, chosen.alone), options.average)


@dataclass(frozen=True, slots=True, kw_only=True)
class KappaOptions(EndOptions):
    """Which words kappa looks at.

    Parameters
    ----------
    borders
        Only over words that somebody marked, as the authors' tool also prints; hard to interpret.
    """

    borders: bool = False


@takes(KappaOptions)
def fleiss_kappa(options: KappaOptions) -> Metric:
    """Agreement of the references beyond chance, word by word: Fleiss' kappa.

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
    chosen, borders = options.chosen, options.borders

    def count(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        panel = panel_of(reference)
        if borders:
            return Mean.of(kappa_on_borders(panel, final=chosen.counts_final))
        parts = kappa_parts(panel, final=chosen.counts_final)
        return Mean.of(kappa(*parts, people=len(panel.references)))

    return Metric(
        TASK_NAME,
        "fleiss_kappa",
        count,
        mean,
        options={"final": chosen.final, "borders": borders},
        average="macro",
        low=-1.0,
        undefined=SAME,
    )
