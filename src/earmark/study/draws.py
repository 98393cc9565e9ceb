"""Scoring against a reference in doubt: values drawn from its posteriors, counted, ranked."""

from collections.abc import Mapping
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
from earmark.study.places import TRUTH
from earmark.study.snapshot import Snapshot
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values.errors import StudyError
from earmark.values.reference import Reference
from earmark.values.score import number


@dataclass(frozen=True, slots=True)
class ReferenceDraws:
    """What draws of the reference say about each metric's ranking, and what was drawn."""

    ranks: Mapping[str, DrawnRanks]  # by metric
    summary: Json

    def as_row(self, metric: str, row: Json) -> Json:
        """Return a board's row with what draws add; the range of ranks is the wider of both."""
        drawn = self.ranks[metric].systems[row["system"]]
        return {**row, **_ranks(drawn, row), **_interval(drawn)}


def draw_reference(
    study: Snapshot,
    reference: Reference[Any],
    metrics: Mapping[str, Metric],
    groups: Mapping[str, str],
    *,
    draws: int,
    resamples: int,
) -> ReferenceDraws:
    """Score every system against draws of the reference and resamples of the items, together."""
    # a draw has a seed of its own, which no other draw of this study has
    seeds = (study.seed * 1_000_003 + k for k in range(draws))
    values = (reference.draw(seed) for seed in track(list(seeds), label="draws"))
    drawn = drawn_references(reference.values, values)
    samples = joint_samples(drawn, groups, resamples=resamples, seed=study.seed)
    by_system = {
        system: sampled_values(metrics, samples, {item: out.value for item, out in outputs.items()})
        for system, outputs in track(list(study.outputs().items()), label="score draws")
    }
    ranks = {
        name: drawn_ranks(
            {system: own[name] for system, own in by_system.items()},
            higher_is_better=metric.higher_is_better,
        )
        for name, metric in metrics.items()
    }
    summary = {
        "draws": draws,
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


def _ranks(drawn: DrawnRank, row: Json) -> Json:
    """Return the range of ranks over both, items alone and with draws; none if nothing ranks."""
    share: Json = {"probability_best": drawn.probability_best}
    if row["rank"] is None:
        return share
    low, high = int(row["rank_low"]), int(row["rank_high"])
    return {"rank_low": min(low, drawn.rank_low), "rank_high": max(high, drawn.rank_high), **share}


def _interval(drawn: DrawnRank) -> Json:
    low, high = (drawn.interval.low, drawn.interval.high) if drawn.interval else (None, None)
    return {"draws_low": number(low), "draws_high": number(high)}
