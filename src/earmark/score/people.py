"""People and systems on one scale: their means over the same leave-one-out references.

Everybody weighs the same, whether they answered much or little. A system is scored once for each
person, against the reference without that person and on the items that the person answered; its
mean over the people is what stands beside theirs, and differences are taken person by person.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.files.digest import digest
from earmark.score.evaluate import EvaluateOptions, evaluate_all, in_rows, rater
from earmark.score.leave_one_out import Everybody, PersonSides
from earmark.score.metric import Metric
from earmark.stats.draw import stream
from earmark.stats.rates import mean_defined
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values.score import Score, number

# The standard error comes from so many resamples at most: it is then known to a twentieth.
DRAWS = 200
LEVEL = 0.95
NO_SPREAD = 1e-12  # resamples that differ by less than this differ by rounding


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """How people are scored: by these metrics, items resampled by group."""

    metrics: Mapping[str, Metric]
    groups: Mapping[str, str]
    resamples: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Scored:
    """A person's scores, and those of each system beside them, by metric."""

    name: str
    own: Mapping[str, Score]
    systems: Mapping[str, Mapping[str, Score]]


@dataclass(frozen=True, slots=True)
class _Draws:
    """Resamples of people and of groups of items: how often each is drawn."""

    people: Ints  # (draws, people)
    groups: Ints  # (draws, groups)
    number: Mapping[str, int]  # group to column


def beside_people(everybody: Everybody, options: PeopleOptions) -> Json:
    """Return people and systems on the same references, metric by metric, as JSON.

    Metrics that are undefined for everybody are left out.
    """
    scored = [_score(one, options) for one in track(everybody.sides, label="score people")]
    metrics = {
        name: _compare(metric, name, scored, options) for name, metric in options.metrics.items()
    }
    return {
        "people": everybody.people,
        "scored": len(scored),
        "left_out": dict(everybody.left_out),
        "how": everybody.how,
        "metrics": {name: rows for name, rows in metrics.items() if rows},
    }


def _score(sides: PersonSides, options: PeopleOptions) -> _Scored:
    reference = f"{sides.against}@{digest(sides.reference)}"

    def scores(name: str, output: Mapping[str, Any]) -> dict[str, Score]:
        names = (reference, f"{name}@{digest(output)}")
        how = EvaluateOptions(resamples=0, seed=options.seed, groups=options.groups, names=names)
        return evaluate_all(options.metrics, sides.reference, output, how)

    systems = {system: scores(system, output) for system, output in sides.systems.items()}
    return _Scored(sides.name, scores(sides.name, sides.output), systems)


def _compare(
    metric: Metric, name: str, scored: Sequence[_Scored], options: PeopleOptions
) -> Json | None:
    """Return people's mean, each system's mean, and the differences; None if all are undefined."""
    defined = [one for one in scored if not math.isnan(one.own[name].value)]
    if not defined:
        return None
    own = [one.own[name] for one in defined]
    draws = _draw(own, options)
    rates = _rates(metric, own, draws)
    people = _mean([score.value for score in own], rates, draws, metric)
    persons = {
        one.name: {
            "value": one.own[name].value,
            "items": one.own[name].items,
            "signature": str(one.own[name].signature),
        }
        for one in defined
    }
    systems = {}
    for system in defined[0].systems:
        beside = [one.systems[system][name] for one in defined]
        values = np.array([score.value for score in beside])
        other = _rates(metric, beside, draws)
        gaps = values - np.array([score.value for score in own])
        systems[system] = {
            **_mean(values, other, draws, metric),
            "difference": _mean(gaps, other - rates, draws),
            "persons": {one.name: number(v) for one, v in zip(defined, values, strict=True)},
        }
    undefined = len(scored) - len(defined)
    return {
        "groups": len(draws.number),
        "people": {**people, "undefined": undefined, "persons": persons},
        "systems": systems,
    }


def _draw(scores: Sequence[Score], options: PeopleOptions) -> _Draws:
    groups = sorted({group for score in scores for group in score.groups.values()})
    size = min(options.resamples, DRAWS)
    rng = stream(options.seed, "people and items")
    return _Draws(
        rng.multinomial(len(scores), np.full(len(scores), 1 / len(scores)), size=size),
        rng.multinomial(len(groups), np.full(len(groups), 1 / len(groups)), size=size),
        {group: column for column, group in enumerate(groups)},
    )


def _rates(metric: Metric, scores: Sequence[Score], draws: _Draws) -> Floats:
    """Return each score in every resample of the groups of items; (draws, people)."""
    columns = []
    for score in scores:
        items = list(score.by_item)
        where = [draws.number[score.groups.get(item, item)] for item in items]
        weights = draws.groups[:, where]  # (draws, items)
        answered = weights.any(axis=1)  # none of a person's items may have been drawn
        values = np.full(len(weights), math.nan)
        if answered.any() and len(draws.number) > 1:
            values[answered] = rater(metric, in_rows(score.by_item, items))(weights[answered])
        elif len(draws.number) == 1:
            values[:] = score.value
        columns.append(values)
    return np.array(columns).T.reshape(len(draws.people), len(scores))


def _mean(
    values: Sequence[float] | Floats, rates: Floats, draws: _Draws, metric: Metric | None = None
) -> Json:
    """Return a mean over people, and its interval over people and items.

    The standard error is that of the mean in resamples of people and of groups of items together;
    the interval is Student's, with one degree of freedom less than there are people, or groups if
    those are fewer. There is none for one person, or where resampling changes nothing.
    """
    from scipy.stats import t

    value = mean_defined(np.asarray(values, dtype=float).tolist())
    size = int(np.sum(~np.isnan(values)))
    groups = len(draws.number)
    freedom = min(size, groups if groups > 1 else size) - 1
    error = _standard_error(rates, draws)
    row = {"value": number(value), "low": None, "high": None, "n": size}
    if freedom < 1 or not error > NO_SPREAD:
        return row
    reach = float(t.ppf((1 + LEVEL) / 2, freedom)) * error
    least, most = (metric.low, metric.high) if metric else (-math.inf, math.inf)
    return {**row, "low": max(value - reach, least), "high": min(value + reach, most)}


def _standard_error(rates: Floats, draws: _Draws) -> float:
    """Return the standard deviation over resamples of the mean of those drawn; nan for too few."""
    weights = draws.people * ~np.isnan(rates)  # (draws, people)
    total = weights.sum(axis=1)
    means = (weights * np.nan_to_num(rates)).sum(axis=1)[total > 0] / total[total > 0]
    return float(means.std(ddof=1)) if len(means) > 1 else math.nan
