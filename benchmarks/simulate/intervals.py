"""How often 95 % intervals hold the truth: means, ratios, averages over labels, all right, groups.

Every cell simulates data sets from one population, lets `score_interval` give each its interval as
`evaluate` does, and returns the share of the intervals shown that hold the population's value; for
averages over labels also the share of data sets that get an interval at all.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from benchmarks.simulate.frame import Row

from earmark.arrays import Floats
from earmark.score.counting import CountTable
from earmark.score.interval import difference_interval, score_interval
from earmark.score.metric import Metric, mean
from earmark.score.resampling import rater
from earmark.stats import rates
from earmark.stats.bootstrap import resample_weights
from earmark.stats.draw import stream
from earmark.tasks.events.score.tallies import LabelCounts, labels_in, rated
from earmark.values.counts import Hits, Mean
from earmark.values.score import Interval

# Simulated data sets per cell, and where there are many groups: the standard error of a share of
# .95 is .004 and .006, so that one of .93 can be told from one of .94. Averages over labels take
# longer: .009.
SETS, SETS_OF_MANY, MANY_GROUPS = 3000, 1500, 200
SETS_OF_LABELS = 600
RESAMPLES = 500
SIZES = (5, 10, 20, 50, 200)
MANY = 400_000  # groups that stand for the whole population
# Eight labels: the share of recordings that have them, of their events that are found, and false
# alarms per recording.
PREVALENCE = np.array([0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05])
FOUND = np.array([0.65, 0.6, 0.55, 0.5, 0.5, 0.4, 0.4, 0.35])
ALARMS = 0.35

Draw = Callable[[np.random.Generator, int], Floats]  # groups -> rows of counts


def beta_items(rng: np.random.Generator, groups: int) -> Floats:
    """Return items with values of their own, mostly high: (total, size, undefined)."""
    return np.c_[rng.beta(3, 0.8, groups), np.ones(groups), np.zeros(groups)]


def low_items(rng: np.random.Generator, groups: int) -> Floats:
    """Return items with low, skewed values, as of captions."""
    return np.c_[rng.beta(0.5, 4, groups), np.ones(groups), np.zeros(groups)]


def sure_items(rng: np.random.Generator, groups: int, *, right: float) -> Floats:
    """Return items that are right or wrong, nearly all of them right."""
    return np.c_[rng.random(groups) < right, np.ones(groups), np.zeros(groups)].astype(float)


def recordings(rng: np.random.Generator, groups: int) -> Floats:
    """Return recordings that differ in events, in how many are found, and in false alarms."""
    events = 1 + rng.negative_binomial(1.2, 1.2 / 11.2, groups)
    found = rng.binomial(events, rng.beta(4, 1.5, groups))
    alarms = rng.poisson(rng.gamma(0.8, 3, groups))
    return np.c_[found, events - found, alarms].astype(float)


def speakers(rng: np.random.Generator, groups: int) -> Floats:
    """Return speakers with one to about twelve trials and a share of right ones of their own."""
    trials = 1 + rng.poisson(6, groups)
    right = rng.binomial(trials, rng.beta(4, 2, groups))
    return np.c_[right, trials, np.zeros(groups)].astype(float)


def labelled(rng: np.random.Generator, groups: int) -> Floats:
    """Return recordings with counts by label, as `LabelCounts` lays them out."""
    shape = (groups, len(PREVALENCE))
    events = np.where(rng.random(shape) < PREVALENCE, 1 + rng.poisson(2, shape), 0)
    found = rng.binomial(events, rng.beta(3 * FOUND, 3 * (1 - FOUND), shape))
    alarms = rng.poisson(rng.gamma(0.5, 2 * ALARMS, shape))
    table = np.stack([found, events - found, alarms], axis=2).reshape(groups, -1)
    return np.hstack([table, np.zeros((groups, 1))])


def _metric(rate: Callable[[Any], float], **more: Any) -> Metric:
    return Metric("simulated", "value", lambda reference, output: None, rate, **more)


def _table(kind: Any, rows: Floats) -> CountTable[Any]:
    names = [f"{k:06}" for k in range(len(rows))]
    if kind is LabelCounts:
        return LabelCounts(names, [f"label {k}" for k in range(len(PREVALENCE))], rows)  # type: ignore[arg-type]
    return CountTable(names, rows, lambda row: kind(*row))


MEAN, F1 = _metric(mean), _metric(rates.f1)
MACRO = _metric(rated(rates.f1, "macro"), labels=labels_in(rates.f1, "macro"))
POPULATIONS: Mapping[str, tuple[Draw, Any, Metric]] = {
    "mean": (beta_items, Mean, MEAN),
    "low mean": (low_items, Mean, MEAN),
    "F1": (recordings, Hits, F1),
    "speakers": (speakers, Mean, MEAN),
    "macro": (labelled, LabelCounts, MACRO),
    "right .98": (partial(sure_items, right=0.98), Mean, MEAN),
    "right .90": (partial(sure_items, right=0.90), Mean, MEAN),
}


def sets(name: str, groups: int) -> int:
    """Return how many data sets of so many groups are simulated."""
    if name == "macro":
        return SETS_OF_LABELS
    return SETS if groups < MANY_GROUPS else SETS_OF_MANY


def intervals(name: str, groups: int) -> Iterator[tuple[float, Interval | None]]:
    """Yield the population's value and the interval of one data set after the other."""
    draw, kind, metric = POPULATIONS[name]
    rng = stream(1, "intervals", name, groups)
    truth = metric.rate(_table(kind, draw(rng, MANY)).total())
    for number in range(sets(name, groups)):
        table = _table(kind, draw(rng, groups))
        names = table.items_in_order
        value = float(metric.rate(table.total()))
        weights = resample_weights(names, resamples=RESAMPLES, seed=number)
        values = np.concatenate([rater(metric, table)(block) for block in weights])
        interval = score_interval(metric, value, values, table, names, "recording")
        yield truth, interval if isinstance(interval, Interval) else None


def covered(name: str, groups: int) -> float:
    """Return the share of the intervals shown that hold the truth; nan where none is shown."""
    if name == "difference":
        return differences_covered(groups)
    hits = [one.low <= truth <= one.high for truth, one in intervals(name, groups) if one]
    return float(np.mean(hits)) if hits else float("nan")


def shown(name: str, groups: int) -> float:
    """Return the share of data sets that get an interval."""
    return float(np.mean([one is not None for _, one in intervals(name, groups)]))


def differences_covered(groups: int) -> float:
    """Return the share of intervals of a difference of two systems' means that hold the truth."""
    rng = stream(1, "intervals", "difference", groups)

    def pair(size: int) -> tuple[Floats, Floats]:
        first = beta_items(rng, size)
        second = first.copy()
        second[:, 0] = np.clip(first[:, 0] + rng.normal(-0.03, 0.1, size), 0, 1)
        return first, second

    truth = float(np.subtract(*(side[:, 0].mean() for side in pair(MANY))))
    hits = []
    for number in range(sets("difference", groups)):
        first, second = (_table(Mean, side) for side in pair(groups))
        names = first.items_in_order
        value = mean(first.total()) - mean(second.total())
        rate, other = rater(MEAN, first), rater(MEAN, second)
        weights = resample_weights(names, resamples=RESAMPLES, seed=number)
        values = np.concatenate([rate(block) - other(block) for block in weights])
        interval = difference_interval(MEAN, value, values, (first, second), names)
        hits.append(interval is not None and interval.low <= truth <= interval.high)
    return float(np.mean(hits))


# What is simulated, and its name in the table.
MEASURED = {
    "mean": "mean of items",
    "low mean": "mean of low, skewed items",
    "F1": "micro F1 over recordings",
    "speakers": "share of right trials, grouped by speaker",
    "difference": "difference of two means",
    "right .98": "share of right items, .98",
    "right .90": "share of right items, .90",
}


def rows() -> Iterator[Row]:
    """Yield the tables of coverage."""
    few, many = SIZES[:2], SIZES[2:]
    for sizes, title in ((few, "coverage with few groups"), (many, "coverage from 20 groups on")):
        for name, label in MEASURED.items():
            cells = {str(n): partial(covered, name, n) for n in sizes}
            yield Row(title, label, cells, low=0.88 if sizes is few else 0.93)
    title = "macro F1 of eight labels"
    shares = {str(n): partial(shown, "macro", n) for n in (50, 100, 200)}
    yield Row(title, "share of data sets with an interval", shares)
    cells = {str(n): partial(covered, "macro", n) for n in (100, 200)}
    yield Row(title, "coverage of these", cells, low=0.93)
