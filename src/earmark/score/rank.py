"""The leaderboard, with ties: a system ranks below another only if that is significant."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from earmark.score.compare import Difference, compare_scores
from earmark.score.metric import Metric
from earmark.stats.bootstrap import holm
from earmark.task.task import Json
from earmark.values.score import Score, number

# The level at which a difference, corrected for all pairs, counts: the field's usual 5 %.
SIGNIFICANCE = 0.05


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One system on the board: `rank` is 1 + how many are certainly better."""

    system: str
    rank: int
    score: Score
    behind: Difference | None
    p: float


def board(
    metric: Metric,
    scores: Mapping[str, Score],
    *,
    resamples: int = 1000,
    seed: int = 0,
    orders: Collection[tuple[str, str]] | None = None,
) -> tuple[BoardRow, ...]:
    """Return the systems from best to worst, undefined ones last.

    Every pair is compared on the same items; p is corrected by Holm over all pairs. `behind` is
    the difference to the best system. `orders`, when given, are the pairs (better, worse) that may
    count: a difference must be significant and among them.
    """
    sign = 1 if metric.higher_is_better else -1

    def key(name: str) -> tuple[bool, float, str]:
        value = scores[name].value
        return (math.isnan(value), 0.0 if math.isnan(value) else -sign * value, name)

    order = sorted(scores, key=key)
    differences = {
        (better, worse): compare_scores(
            metric, scores[better], scores[worse], resamples=resamples, seed=seed
        )
        for place, better in enumerate(order)
        for worse in order[place + 1 :]
    }
    corrected = holm({f"{a}\x1f{b}": difference.p for (a, b), difference in differences.items()})
    certain = {pair for pair in differences if corrected["\x1f".join(pair)] <= SIGNIFICANCE}
    if orders is not None:
        certain &= set(orders)
    return tuple(
        BoardRow(
            system=name,
            rank=1 + sum((better, name) in certain for better in order),
            score=scores[name],
            behind=differences.get((order[0], name)),
            p=corrected.get(f"{order[0]}\x1f{name}", math.nan),
        )
        for name in order
    )


def row_as_json(row: BoardRow) -> Json:
    """Return a row of the board as commands print and studies store it."""
    return {
        "system": row.system,
        "rank": row.rank,
        **row.score.as_json(),
        "behind": number(row.behind.value) if row.behind else None,
        "p": number(row.p),
    }
