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
from earmark.score.evaluate import EvaluateOptions, evaluate_all
from earmark.score.leave_one_out import Everybody, PersonSides
from earmark.score.metric import Metric
from earmark.score.resampling import in_rows, rater
from earmark.stats.draw import stream
from earmark.stats.rates import mean_defined
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values.score import Score, number

# The variance over items comes from so many resamples at most: its root is known to a twentieth.
DRAWS = 200
# With fewer groups of items than these, what other items would give cannot be said: the interval is
# then over people alone. Chosen by hand: from five on Student's factor is below 3.
FEWEST_GROUPS = 5
LEVEL = 0.95
NO_SPREAD = 1e-12  # resamples that differ by less than this differ by rounding


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """How people are scored: by these metrics, items resampled by group."""

    metrics: Mapping[str, Metric]
    groups: Mapping[str, str]
    resamples: int = 1000
    seed: int = 0
    grouped_by: str = ""


@dataclass(frozen=True, slots=True)
class _Scored:
    """A person's scores, and those of each system beside them, by metric."""

    name: str
    own: Mapping[str, Score]
    systems: Mapping[str, Mapping[str, Score]]


@dataclass(frozen=True, slots=True)
class _Draws:
    """Resamples of the groups of items: how often each is drawn; none where groups are too few."""

    times: Ints  # (draws, groups)
    column: Mapping[str, int]  # group to column
    is_over_items: bool


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
        how = EvaluateOptions(
            resamples=0,
            seed=options.seed,
            groups=options.groups,
            grouped_by=options.grouped_by,
            names=names,
        )
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
    own_values = np.array([score.value for score in own])
    people = _mean(own_values, rates, draws, options, metric)
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
        gaps = _mean(values - own_values, other - rates, draws, options, None)
        systems[system] = {
            **_mean(values, other, draws, options, metric),
            "difference": gaps,
            "persons": {one.name: number(v) for one, v in zip(defined, values, strict=True)},
        }
    undefined = len(scored) - len(defined)
    return {
        "over": "people and items" if draws.is_over_items else "people",
        "people": {**people, "undefined": undefined, "persons": persons},
        "systems": systems,
    }


def _draw(scores: Sequence[Score], options: PeopleOptions) -> _Draws:
    groups = sorted({group for score in scores for group in score.groups.values()})
    is_over_items = len(groups) >= FEWEST_GROUPS
    size = min(options.resamples, DRAWS) if is_over_items else 0
    rng = stream(options.seed, "people and items")
    times = rng.multinomial(len(groups), np.full(len(groups), 1 / len(groups)), size=size)
    return _Draws(times, {group: k for k, group in enumerate(groups)}, is_over_items)


def _rates(metric: Metric, scores: Sequence[Score], draws: _Draws) -> Floats:
    """Return each score in every resample of the groups of items; (draws, people)."""
    rates = np.full((len(draws.times), len(scores)), math.nan)
    for person, score in enumerate(scores):
        items = list(score.by_item)
        where = [draws.column[score.groups.get(item, item)] for item in items]
        weights = draws.times[:, where]  # (draws, items)
        answered = weights.any(axis=1)  # none of a person's items may have been drawn
        if answered.any():
            rate = rater(metric, in_rows(score.by_item, items))
            rates[answered, person] = rate(weights[answered])
    return rates


def _mean(
    values: Floats, rates: Floats, draws: _Draws, options: PeopleOptions, metric: Metric | None
) -> Json:
    """Return a mean over people, and its interval over people and items.

    Two variances add up: that of a mean over people on the same items, and that of the mean over
    the same people when groups of items are resampled. People who answered different items differ
    for both reasons, and the sum is then too large rather than too small. The interval is
    Student's, its degrees of freedom by Satterthwaite. There is none for one person, or where
    nothing varies; a mean, unlike a difference, stays within the range of its metric.
    """
    from scipy.stats import t

    defined = values[~np.isnan(values)]
    value, people = mean_defined(values.tolist()), len(defined)
    row = {"value": number(value), "low": None, "high": None, "n": people}
    if people < 2 or not options.resamples:
        return row
    terms = [(float(defined.var(ddof=1)) / people, people - 1)]
    if draws.is_over_items:
        terms.append((_variance_over_items(rates, draws), len(draws.column) - 1))
    variance = math.fsum(term for term, _ in terms)
    if not math.sqrt(variance) > NO_SPREAD:
        return row
    freedom = variance**2 / math.fsum(term**2 / size for term, size in terms)
    reach = float(t.ppf((1 + LEVEL) / 2, freedom)) * math.sqrt(variance)
    least, most = (metric.low, metric.high) if metric else (-math.inf, math.inf)
    return {**row, "low": max(value - reach, least), "high": min(value + reach, most)}


def _variance_over_items(rates: Floats, draws: _Draws) -> float:
    """Return the variance of the mean over people when groups of items are drawn anew."""
    defined = ~np.isnan(rates)
    people = defined.sum(axis=1)
    means = np.nan_to_num(rates).sum(axis=1)[people > 0] / people[people > 0]
    groups = len(draws.column)
    # resampling n groups gives a variance that is too small by (n - 1) / n
    return float(means.var(ddof=1)) * groups / (groups - 1) if len(means) > 1 else 0.0
