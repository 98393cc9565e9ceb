"""Windows that take one boundary each, near misses counted in part, the tool's own scores."""

from dataclasses import dataclass
from typing import Any, Literal

from earmark.score.metric import Metric, mean
from earmark.stats import rates
from earmark.task.options import changed, option
from earmark.tasks.boundaries.score.settings import (
    AVERAGE_HELP,
    TASK_NAME,
    Average,
    LimitOptions,
    averaged,
    require_at_least,
)
from earmark.tasks.boundaries.score.windows import count_soft, count_windows, tool_soft_scores
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.counts import Hits, Mean

NONE_ANYWHERE = "neither the output nor a reference has a boundary"
ToolScore = Literal["s_wisebe", "s_f1", "s_precision", "s_recall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedOptions(LimitOptions):
    """What makes a window, and how texts are averaged."""

    average: Average = option("macro", AVERAGE_HELP)


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftOptions(LimitOptions):
    """What makes a window, how near a miss must be, and how texts are averaged."""

    # Chosen by hand; not tuned.
    reach: int = option(
        3, "The farthest that a boundary may be from a window, in words, and still earn something."
    )
    average: Average = option("macro", AVERAGE_HELP)

    def __post_init__(self) -> None:
        LimitOptions.__post_init__(self)
        require_at_least(0, self.reach, name="reach")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSoftOptions(LimitOptions):
    """What makes a window, and which of the tool's scores is wanted."""

    which: ToolScore = option("s_wisebe", "Which of the four.")


def matched_f1(options: MatchedOptions = MatchedOptions(), **changes: Any) -> Metric:
    """Build F1 on windows that take one boundary each; further ones are false positives.

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
    chosen = changed(options, changes)
    settings = chosen.settings

    def count(reference: Panel | Boundaries, output: Boundaries) -> Hits:
        counts = count_windows(
            panel_of(reference), output, limit=settings.limit, final=settings.counts_final
        )
        return Hits(counts.hit, counts.missed, counts.inside + counts.outside - counts.hit)

    metric = Metric(
        TASK_NAME,
        "matched_f1",
        count,
        rates.f1,
        options={"limit": settings.limit, "final": settings.final},
        undefined=NONE_ANYWHERE,
    )
    return averaged(metric, chosen.average)


def soft_f1(options: SoftOptions = SoftOptions(), **changes: Any) -> Metric:
    """Build F1 on windows where a near miss earns part of a hit, by its own distance.

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
    chosen = changed(options, changes)
    settings = chosen.settings

    def count(reference: Panel | Boundaries, output: Boundaries) -> Hits:
        credit, boundaries, windows = count_soft(
            panel_of(reference),
            output,
            limit=settings.limit,
            final=settings.counts_final,
            reach=chosen.reach,
        )
        return Hits(credit, windows - credit, boundaries - credit)

    metric = Metric(
        TASK_NAME,
        "soft_f1",
        count,
        rates.f1,
        options={"limit": settings.limit, "final": settings.final, "reach": chosen.reach},
        undefined=NONE_ANYWHERE,
    )
    return averaged(metric, chosen.average)


def tool_soft(options: ToolSoftOptions = ToolSoftOptions(), **changes: Any) -> Metric:
    """Build one of the s_ scores of the authors' tool, for comparison with its printouts only.

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
    chosen = changed(options, changes)
    settings = chosen.settings

    def count(reference: Panel | Boundaries, output: Boundaries) -> Mean:
        scores = tool_soft_scores(
            panel_of(reference), output, limit=settings.limit, final=settings.counts_final
        )
        return Mean.of(getattr(scores, chosen.which))

    return Metric(
        TASK_NAME,
        "tool_soft",
        count,
        mean,
        options={"limit": settings.limit, "final": settings.final, "which": chosen.which},
        average="macro",
        undefined="the output or all references are without boundaries",
    )
