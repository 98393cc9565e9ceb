"""The leaderboard, with ties: a system stands behind another only when that is not luck."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from earmark.score.compare import Difference, compare
from earmark.score.metric import Metric
from earmark.stats.bootstrap import holm
from earmark.values.score import Score

CHANCE = 0.05


@dataclass(frozen=True, slots=True)
class Row:
    """One system on the board: `rank` is 1 + how many are certainly better."""

    system: str
    rank: int
    score: Score
    behind: Difference | None
    p: float


def board(
    metric: Metric, scores: Mapping[str, Score], *, resamples: int = 1000, seed: int = 0
) -> tuple[Row, ...]:
    """Systems from best to worst; undefined last.

    Every pair is compared on the same items; p is corrected by Holm over all pairs. `behind` is
    the difference to the best system.
    """
    sign = 1 if metric.higher_is_better else -1

    def key(name: str) -> tuple[bool, float, str]:
        value = scores[name].value
        return (math.isnan(value), 0.0 if math.isnan(value) else -sign * value, name)

    order = sorted(scores, key=key)
    differences = {
        (better, worse): compare(
            metric, scores[better], scores[worse], resamples=resamples, seed=seed
        )
        for place, better in enumerate(order)
        for worse in order[place + 1 :]
    }
    corrected = holm({f"{a}\x1f{b}": found.p for (a, b), found in differences.items()})
    certain = {pair for pair in differences if corrected["\x1f".join(pair)] <= CHANCE}
    return tuple(
        Row(
            system=name,
            rank=1 + sum((better, name) in certain for better in order),
            score=scores[name],
            behind=differences.get((order[0], name)),
            p=corrected.get(f"{order[0]}\x1f{name}", math.nan),
        )
        for name in order
    )
