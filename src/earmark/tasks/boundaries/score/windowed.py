"""What metrics on windows have in common: their counts, their options, one reference alone."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from earmark.score.metric import Metric, macro
from earmark.tasks.boundaries.score.settings import Final, Preset, at_least, settings
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
    """A metric on windows: the same counts, rated in its own way."""
    chosen = settings(preset, limit=limit, final=final)
    at_least(votes, 1, what="votes")

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
