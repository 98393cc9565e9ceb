"""What metrics on windows have in common: their options, their counts, one reference alone."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from earmark.score.metric import Metric
from earmark.task.options import option
from earmark.tasks.boundaries.score.settings import (
    AVERAGE_HELP,
    TASK_NAME,
    Average,
    LimitOptions,
    averaged,
    require_at_least,
)
from earmark.tasks.boundaries.score.windows import WindowCounts, count_windows
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of

Inside = Literal["interval", "set"]

NO_AGREEMENT = "there are fewer than two references, or nobody marked a boundary"
NO_OUTPUT = "the output has no boundary, or no reference has one"


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowMetricOptions(LimitOptions):
    """What makes a window, and how texts are averaged."""

    votes: int = option(
        1, "How many people must have marked a word for it to open or widen a window."
    )
    inside: Inside = option(
        "interval", "Whether a window is the whole interval or only the words that somebody marked."
    )
    average: Average = option("macro", AVERAGE_HELP)

    def __post_init__(self) -> None:
        LimitOptions.__post_init__(self)
        require_at_least(1, self.votes, name="votes")


def window_metric(
    name: str,
    rate: Callable[[WindowCounts], float],
    options: WindowMetricOptions,
    *,
    undefined: str = NO_OUTPUT,
) -> Metric:
    """Build a metric on windows from the way it rates their counts."""
    chosen = options.settings

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
        TASK_NAME,
        name,
        count,
        rate,
        options={
            "limit": chosen.limit,
            "final": chosen.final,
            "votes": options.votes,
            "inside": options.inside,
        },
        undefined=undefined,
        parts=window_parts,
    )
    return averaged(metric, options.average)


def window_parts(counts: WindowCounts) -> dict[str, object]:
    """Return the counts under the names that `details` gives them."""
    return {
        "inside": counts.inside,
        "outside": counts.outside,
        "windows_hit": counts.hit,
        "windows_missed": counts.missed,
        "votes": counts.votes,
        "votes_possible": counts.possible,
    }


def with_lone_reference(metric: Metric, alone: str) -> Metric:
    """Return the metric with its value for a single reference: undefined, or zero as in the tool.

    Without votes the agreement of a text is 0/0, so they are dropped where it is undefined.
    """
    count = partial(_count_without_lone_votes, metric.count) if alone != "zero" else metric.count
    return replace(metric, count=count, options={**metric.options, "alone": alone})


def _count_without_lone_votes(
    count: Callable[[Any, Any], WindowCounts], reference: Panel | Boundaries, output: Boundaries
) -> WindowCounts:
    counts = count(reference, output)
    is_alone = len(panel_of(reference).references) < 2
    return replace(counts, votes=0, possible=0) if is_alone else counts
