"""Windows that take one boundary each, near misses counted in part, the tool's own scores."""

from dataclasses import dataclass
from typing import Literal

from earmark.score.metric import Metric, mean
from earmark.stats import rates
from earmark.task.options import takes
from earmark.tasks.boundaries.score.settings import Average, LimitOptions, at_least
from earmark.tasks.boundaries.score.windowed import TASK_NAME, averaged
from earmark.tasks.boundaries.score.windows import count_soft, count_windows, tool_soft_scores
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.counts import Hits, Mean

NONE_ANYWHERE = "neither the output nor a reference has a boundary"
Score = Literal["s_wisebe", "s_f1", "s_precision", "s_recall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedOptions(LimitOptions):
    """What makes a window, and how texts are averaged.

    Parameters
    ----------
    average
        Over several texts: macro rates each and averages, micro pools the counts.
    """

    average: Average = "macro"


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftOptions(LimitOptions):
    """The same, and how near a miss must be.

    Parameters
    ----------
    reach
        The farthest that a boundary may lie from a window, in words, and still earn something.
    average
        Over several texts: macro rates each and averages, micro pools the counts.
    """

    reach: int = 3
    average: Average = "macro"

    def __post_init__(self) -> None:
        at_least(self.reach, 0, what="a reach")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions(LimitOptions):
    """What makes a window, and what the tool is asked for.

    Parameters
    ----------
    which
        Which of the four.
    """

    which: Score = "s_wisebe"


@takes(MatchedOptions)
def matched_f1(options: MatchedOptions) -> Metric:
    """F1 on windows when each window takes one boundary and further ones in it are too many.

    Definition
    ----------
    Ours: windows as in WiSeBE, boundaries matched to them one to one, so that precision and
    recall count the same things.

    Undefined
    ---------
    nan when neither the output nor a reference has a boundary.

    Examples
    --------
    >>> panel = Panel((Boundaries(9, {2}), Boundaries(9, {4})))
    >>> metric = matched_f1()
    >>> round(metric.rate(metric.count(panel, Boundaries(9, {2, 3, 4}))), 4)
    0.5
    """
    chosen = options.chosen

    def count(reference: Panel | Boundaries, output: Boundaries) -> Hits:
        counts = count_windows(
            panel_of(reference), output, limit=chosen.limit, final=chosen.counts_final
        )
        written = counts.inside + counts.outside
        return Hits(counts.hit, counts.missed, written - counts.hit)

    used = {"limit": chosen.limit, "final": chosen.final}
    metric = Metric(TASK_NAME, "matched_f1", count, rates.f1, options=used, undefined=NONE_ANYWHERE)
    return averaged(metric, options.average)


@takes(SoftOptions)
def soft_f1(options: SoftOptions) -> Metric:
    """F1 on windows where a near miss earns part of a hit, by its own distance.

    Definition
    ----------
    Ours: boundaries and windows are paired one to one so that the credits 1 - d / (reach + 1) of
    pairs d words apart (0 inside the window) sum to the most. That sum takes the place of hits.

    Undefined
    ---------
    nan when neither the output nor a reference has a boundary.

    Examples
    --------
    >>> metric = soft_f1()
    >>> metric.rate(metric.count(Boundaries(20, {5}), Boundaries(20, {7})))
    0.5
    """
    chosen, reach = options.chosen, options.reach

    def count(reference: Panel | Boundaries, output: Boundaries) -> Hits:
        credit, written, windows = count_soft(
            panel_of(reference),
            output,
            limit=chosen.limit,
            final=chosen.counts_final,
            reach=reach,
        )
        return Hits(credit, windows - credit, written - credit)

    used = {"limit": chosen.limit, "final": chosen.final, "reach": reach}
    metric = Metric(TASK_NAME, "soft_f1", count, rates.f1, options=used, undefined=NONE_ANYWHERE)
    return averaged(metric, options.average)


@takes(ToolOptions)
def tool_soft(options: ToolOptions) -> Metric:
    """The s_ scores of the authors' tool, for comparison with its printouts only.

    Definition
    ----------
    wisebetool 1.0, not in the paper. One boundary a word away from a window forgives all missed
    windows: do not publish them.

    Undefined
    ---------
    nan when the output or all references are without boundaries.

    Examples
    --------
    >>> metric = tool_soft(limit=0, which="s_recall")
    >>> metric.rate(metric.count(Panel((Boundaries(20, {5, 19}),)), Boundaries(20, {6})))
    1.0
    """
    chosen, which = options.chosen, options.which

    def count(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        scores = tool_soft_scores(
            panel_of(reference), output, limit=chosen.limit, final=chosen.counts_final
        )
        return Mean.of(scores[which])

    return Metric(
        TASK_NAME,
        "tool_soft",
        count,
        mean,
        options={"limit": chosen.limit, "final": chosen.final, "which": which},
        average="macro",
        undefined="the output or all references are without boundaries",
    )
