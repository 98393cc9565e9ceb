"""What metrics on windows have in common: their counts, their options, one reference alone."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from earmark.score.metric import Metric, macro
from earmark.tasks.boundaries.score.settings import Average, LimitOptions, at_least
from earmark.tasks.boundaries.score.windows import WindowCounts, count_windows, is_alone
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of

TASK_NAME = "boundaries"
Inside = Literal["interval", "set"]

NO_AGREEMENT = "there are fewer than two references, or nobody marked a boundary"
NO_OUTPUT = "the output has no boundary, or no reference has one"


def averaged(metric: Metric, average: Average) -> Metric:
    """The metric pooled over texts, or each text rated by itself as the paper does."""
    return macro(metric) if average == "macro" else metric


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOptions(LimitOptions):
    """What makes a window, and how texts are averaged.

    Parameters
    ----------
    votes
        How many people must have marked a word for it to open or widen a window.
    inside
        Whether a window is the whole interval or only the words that somebody marked.
    average
        Over several texts: macro rates each and averages, micro pools the counts.
    """

    votes: int = 1
    inside: Inside = "interval"
    average: Average = "macro"

    def __post_init__(self) -> None:
        at_least(self.votes, 1, what="votes")


def window_metric(
    name: str,
    rate: Callable[[WindowCounts], float],
    options: WindowOptions,
    *,
    undefined: str = NO_OUTPUT,
) -> Metric:
    """A metric on windows: the same counts, rated in its own way."""
    chosen = options.chosen
    used = {
        "limit": chosen.limit,
        "final": chosen.final,
        "votes": options.votes,
        "inside": options.inside,
    }

    def count(reference: Panel | Boundaries, output: Boundaries) -> WindowCounts:
        return count_windows(
            panel_of(reference),
            output,
            limit=chosen.limit,
            final=chosen.counts_final,
            votes=options.votes,
            whole=options.inside == "interval",
        )

    metric = Metric(
        TASK_NAME, name, count, rate, options=used, undefined=undefined, parts=window_parts
    )
    return averaged(metric, options.average)


def window_parts(counts: WindowCounts) -> dict[str, object]:
    """The tallies by name."""
    return dict(
        zip(
            ("inside", "outside", "windows_hit", "windows_missed", "votes", "votes_possible"),
            counts.row(),
            strict=True,
        )
    )


def mind_alone(metric: Metric, alone: str) -> Metric:
    """The metric with its meaning for a single reference: undefined, or 0 as the tool has it."""
    count = partial(_count_unless_alone, metric.count, alone == "zero")
    return replace(metric, count=count, options={**metric.options, "alone": alone})


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
