"""The boards of a study, and what an uncertain reference does to them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.score.draws import (
    DrawnRank,
    DrawnRanks,
    drawn_ranks,
    drawn_references,
    joint_samples,
    sampled_values,
)
from earmark.score.metric import Metric
from earmark.score.rank import BoardRow, board, in_order, row_as_json
from earmark.study.places import TRUTH
from earmark.study.snapshot import Snapshot
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values.errors import StudyError
from earmark.values.reference import Reference
from earmark.values.score import Score, number

# Why a reference that was scored like a system has no rank.
UNRANKED = "references are no systems: they have no rank"
SystemScores = Mapping[str, Mapping[str, Score]]  # system to metric to score


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """How many resamples of the items there are, and how many draws of the reference, if any."""

    resamples: int
    draws: int = 0


@dataclass(frozen=True, slots=True)
class ReferenceDraws:
    """What draws of the reference say about each metric's ranking, and what was drawn."""

    ranks: Mapping[str, DrawnRanks]  # by metric
    summary: Json


def study_boards(
    study: Snapshot,
    reference: Reference[Any],
    metrics: Mapping[str, Metric],
    scores: SystemScores,
    options: BoardOptions,
) -> Json:
    """Return `metrics`, the ranked rows of each; with draws also `draws`, what was drawn.

    Systems are ranked among themselves; references that were scored like them follow, unranked.
    """
    systems = systems_among(study, scores)
    drawn = _drawn(study, reference, metrics, scores, options) if options.draws else None
    boards = {}
    for name, metric in metrics.items():
        own = {system: by_metric[name] for system, by_metric in scores.items()}
        ranks = drawn.ranks[name] if drawn else None
        ranked = {system: score for system, score in own.items() if system in systems}
        rows = _rows(metric, ranked, ranks, options.resamples, study.seed)
        others = {system: score for system, score in own.items() if system not in systems}
        unranked = [BoardRow(one, own[one], why=UNRANKED) for one in in_order(metric, others)]
        boards[name] = rows + [row_as_json(row) for row in unranked]
    return {"metrics": boards, "draws": drawn.summary} if drawn else {"metrics": boards}


def systems_among(study: Snapshot, outputs: Iterable[str]) -> list[str]:
    """Return the outputs that are no references under their own name; all if none other is there.

    A reference, or what a way of reconciling gives, may be scored like a system to see what people
    reach; it is no rival of systems.
    """
    names, known = list(outputs), {*study.references(), *study.task.reconcile}
    return [name for name in names if name not in known] or names


def _rows(
    metric: Metric,
    scores: Mapping[str, Score],
    ranks: DrawnRanks | None,
    resamples: int,
    seed: int,
) -> list[Json]:
    """Return the ranked rows of one metric; with draws, an order must hold in them too."""
    orders = ranks.orders if ranks else None
    ranked = board(metric, scores, resamples=resamples, seed=seed, orders=orders)
    rows = [row_as_json(row) for row in ranked]
    return [_with_draws(row, ranks.systems[row["system"]]) for row in rows] if ranks else rows


def _drawn(
    study: Snapshot,
    reference: Reference[Any],
    metrics: Mapping[str, Metric],
    scores: SystemScores,
    options: BoardOptions,
) -> ReferenceDraws:
    """Score every system against draws of the reference and resamples of the items, together."""
    # a draw has a seed of its own, which no other draw of this study has
    seeds = [study.seed * 1_000_003 + k for k in range(options.draws)]
    values = (reference.draw(seed) for seed in track(seeds, label="draws"))
    drawn = drawn_references(reference.values, values)
    groups = next((one.groups for own in scores.values() for one in own.values()), {})
    samples = joint_samples(drawn, groups, resamples=options.resamples, seed=study.seed)
    outputs = study.outputs()
    by_system = {
        system: sampled_values(
            metrics, samples, {item: out.value for item, out in outputs[system].items()}
        )
        for system in track(systems_among(study, outputs), label="score draws")
    }
    ranks = {
        name: drawn_ranks(
            {system: own[name] for system, own in by_system.items()},
            higher_is_better=metric.higher_is_better,
        )
        for name, metric in metrics.items()
    }
    summary = {
        "draws": options.draws,
        "samples": len(samples.draw),
        "items": len(drawn.items),
        "items_in_doubt": drawn.in_doubt,
    }
    return ReferenceDraws(ranks, summary)


def require_posteriors(study: Snapshot, reference: Reference[Any]) -> None:
    """Raise StudyError if a reference does not say what its values could be instead."""
    missing = [item for item in reference.values if item not in reference.posterior]
    if not missing:
        return
    if reference.name == TRUTH:
        others = [name for name in study.references() if name != TRUTH]
        raise StudyError(
            "the truth is not in doubt: there is nothing to draw from",
            at=study.name,
            want=f"--against {' or '.join(others)}" if others else "a reference from answers",
            fix="leave --draws out, or name a reference that was reconciled from answers",
        )
    raise StudyError(
        "draws need a reference that keeps what its values could be instead",
        at=f"{study.name}, reference {reference.name}",
        got=f"{len(missing)} of {len(reference.values)} items without it, {missing[0]} first",
        fix="reconcile again, or leave --draws out: some methods keep none",
    )


def _with_draws(row: Json, drawn: DrawnRank) -> Json:
    """Return a row with what draws add; the range of ranks is the wider of both."""
    low, high = (drawn.interval.low, drawn.interval.high) if drawn.interval else (None, None)
    ranks: Json = {}
    if row["rank"] is not None:
        ranks = {
            "rank_low": min(int(row["rank_low"]), drawn.rank_low),
            "rank_high": max(int(row["rank_high"]), drawn.rank_high),
        }
    return {
        **row,
        **ranks,
        "probability_best": drawn.probability_best,
        "draws_low": number(low),
        "draws_high": number(high),
    }
