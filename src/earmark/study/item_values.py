"""Each item's own value of each metric, for every system: one file per reference.

Columns of numbers and no names per value: a thousand items by ten metrics and ten systems take
about a megabyte. Six significant digits are stored, enough to sort and to draw; the scores beside
have all digits. People are left out: there may be hundreds of them.
"""

import math
from collections.abc import Mapping, Sequence

from earmark.score.metric import Metric
from earmark.task.task import Json
from earmark.values.score import Score

DIGITS = 6


def item_columns(metrics: Mapping[str, Metric], scores: Mapping[str, Mapping[str, Score]]) -> Json:
    """Return the items in order, and system to metric to a value for each; None is undefined."""
    items = sorted(
        {item for own in scores.values() for one in own.values() for item in one.by_item}
    )
    return {
        "items": items,
        "values": {
            system: {name: _column(metrics[name], one, items) for name, one in own.items()}
            for system, own in scores.items()
        },
    }


def _column(metric: Metric, score: Score, items: Sequence[str]) -> list[float | None]:
    if math.isnan(score.value) and not score.by_item:
        return [None] * len(items)
    return [
        _rounded(metric.rate(score.by_item[item])) if item in score.by_item else None
        for item in items
    ]


def _rounded(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
