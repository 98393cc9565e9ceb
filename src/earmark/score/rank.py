"""The leaderboard, with ties: a system ranks below another only if that is significant."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from earmark.score.compare import Difference, differences_to, groups_needed
from earmark.score.metric import Metric
from earmark.score.swapping import Pair, PairedCounts
from earmark.score.ties import letters
from earmark.stats.paired import SIGNIFICANCE, holm, least_groups, least_p
from earmark.task.task import Json
from earmark.values.score import Score, number


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One system on the board.

    `rank` is 1 + how many systems are significantly better, and so is `rank_low`; `rank_high` is
    the number of systems less how many are significantly worse. `groups` are letters: systems that
    share one are not shown to differ. Where nothing can be ranked, `rank` is None, `groups` empty,
    and `why` a sentence. `more`, on the row that follows the best, is about how many more groups
    would separate the two, and `advice` says it in words.
    """

    system: str
    score: Score
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    groups: str = ""
    behind: Difference | None = None
    p: float = math.nan
    why: str = ""
    more: int | None = None
    advice: str = ""


def board(
    metric: Metric,
    scores: Mapping[str, Score],
    *,
    resamples: int = 1000,
    seed: int = 0,
    orders: Collection[Pair] | None = None,
) -> tuple[BoardRow, ...]:
    """Return the systems from best to worst, undefined ones last and without a rank.

    Every pair is compared on the same items by swapping the two systems group by group
    (`compare_scores` has the null hypothesis); p is corrected by Holm over all pairs, and there are
    as many swaps as that needs. `behind` is the difference to the best system. A rank counts
    systems that are shown to be better: a system with a low value may have a higher rank than one
    above it if its results vary so much that less is shown about it. `orders`, when given, are the
    pairs (better, worse) that may count: a difference must be significant and among them.
    """
    order = in_order(metric, scores)
    if not order:
        return ()
    paired = PairedCounts.of(metric, {name: scores[name] for name in order})
    defined = [name for name in order if not math.isnan(scores[name].value)]
    pairs = [(a, b) for k, a in enumerate(defined) for b in defined[k + 1 :]]
    p_values: dict[Pair, float] = {}
    if resamples and paired.group_count > 1 and pairs:
        p_values = paired.p_values(pairs, least=resamples, seed=seed)
    others = tuple(order[1:])
    behind = differences_to(paired, order[0], others, p_values, resamples=resamples, seed=seed)
    corrected = holm(p_values)
    why = _why_not(paired, len(defined), tested=bool(resamples))
    ranks = {} if why else _ranks(defined, corrected, orders)
    rows = [
        BoardRow(
            system=name,
            score=scores[name],
            behind=behind.get(name),
            p=corrected.get((order[0], name), math.nan),
            why="" if name in ranks else why if name in defined else "its value is undefined",
            **ranks.get(name, {}),
        )
        for name in order
    ]
    return (rows[0], *(_advised(row, paired, rows[0], defined) for row in rows[1:]))


def in_order(metric: Metric, scores: Mapping[str, Score]) -> list[str]:
    """Return the systems from best to worst, undefined ones last."""
    sign = 1 if metric.higher_is_better else -1

    def key(name: str) -> tuple[bool, float, str]:
        value = scores[name].value
        return (math.isnan(value), 0.0 if math.isnan(value) else -sign * value, name)

    return sorted(scores, key=key)


def _ranks(
    order: Sequence[str], corrected: Mapping[Pair, float], orders: Collection[Pair] | None
) -> dict[str, Json]:
    """Return the rank of each system, its range and its letters; the first of a pair is better."""
    different = {pair for pair, p in corrected.items() if p <= SIGNIFICANCE}
    if orders is not None:
        different &= set(orders)
    groups = letters(order, [pair for pair in corrected if pair in different])
    ranks = {}
    for name in order:
        better = sum((other, name) in different for other in order)
        worse = sum((name, other) in different for other in order)
        ranks[name] = {
            "rank": 1 + better,
            "rank_low": 1 + better,
            "rank_high": len(order) - worse,
            "groups": groups[name],
        }
    return ranks


def _why_not(paired: PairedCounts, systems: int, *, tested: bool) -> str:
    """Return why nothing can be ranked, empty if something can."""
    if systems < 2:
        return f"{_count(systems, 'system')}: there is nothing to compare"
    if not tested:
        return "no test was made: resamples is 0"
    groups, pairs = paired.group_count, systems * (systems - 1) // 2
    if least_p(groups) * pairs <= SIGNIFICANCE:
        return ""
    return (
        f"{_count(groups, paired.unit)}: no test could separate {systems} systems; "
        f"at least {least_groups(pairs)} are needed"
    )


def _advised(
    row: BoardRow, paired: PairedCounts, best: BoardRow, defined: Sequence[str]
) -> BoardRow:
    """Return the row that follows the best with how many more groups would separate the two."""
    if row.rank is None or row.behind is None or row.system != defined[1] or row.p <= SIGNIFICANCE:
        return row
    needed = groups_needed(row.behind, pairs=len(defined) * (len(defined) - 1) // 2)
    if needed is None:
        return row
    more = max(1, needed - paired.group_count)
    size = _count(more, f"more {paired.unit}")
    advice = f"about {size} would separate {best.system} from {row.system}"
    return replace(row, more=more, advice=advice)


def _count(size: int, unit: str) -> str:
    return f"{size} {unit}" if size == 1 else f"{size} {unit}s"


def row_as_json(row: BoardRow) -> Json:
    """Return a row of the board as commands print and studies store it.

    `why` is there where there is no rank, `more` and `advice` where more groups would help.
    """
    return {
        "system": row.system,
        **row.score.as_json(),
        "rank": row.rank,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "groups": row.groups,
        "behind": number(row.behind.value) if row.behind else None,
        "p": number(row.p),
        **({"why": row.why} if row.why else {}),
        **({"more": row.more, "advice": row.advice} if row.more else {}),
    }
