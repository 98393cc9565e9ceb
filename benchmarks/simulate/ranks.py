"""Do paired tests and ranks keep their level, and do they see what is there?"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from benchmarks.simulate import populations
from benchmarks.simulate.frame import Row

from earmark.score.compare import Difference, groups_needed
from earmark.score.rank import board
from earmark.score.swapping import PairedCounts
from earmark.stats.draw import stream
from earmark.stats.paired import SIGNIFICANCE

Population = Callable[..., populations.Drawn]
GROUPS = (5, 10, 20, 50)
# Data sets in a cell, by what they cost: at a level of .05 the standard error of the share is
# .0022, .0034, .0049 and .0069.
MOST, MANY, SOME, FEW = 10_000, 4000, 2000, 1000

TESTS: dict[str, tuple[Population, int]] = {
    "mean": (populations.means, MOST),
    "F1, pooled": (populations.ratios, MOST),
    "F1, other operating point": (populations.operating_points, MOST),
    "mean, groups of five items": (populations.clusters, MOST),
    "wake_score, speakers": (populations.wake, FEW),
    "average_precision": (populations.average_precision, MANY),
    "best_f": (populations.best_f, MANY),
    "psds": (populations.psds, FEW),
}
POWER: dict[str, Population] = {
    "mean, .1 apart": partial(populations.means, step=0.1),
    "F1, quality .1 apart": partial(populations.ratios, step=0.1),
    "average_precision, .8 sd apart": partial(populations.average_precision, step=0.8),
}
EQUAL: dict[str, Population] = {
    "mean": populations.means,
    "F1, pooled": populations.ratios,
    "average_precision": populations.average_precision,
}


def rows() -> Iterator[Row]:
    """Yield every row; the slowest first, so that two processes end together."""
    level = "Type I error of the paired test, by number of groups"
    for name, (population, sets) in reversed(TESTS.items()):
        cells = {str(n): partial(rejected, population, n, sets) for n in reversed(GROUPS)}
        yield Row(level, name, cells, high=0.06)
    cells = {str(n): partial(rejected, populations.skewed, n, MANY) for n in reversed(GROUPS)}
    yield Row(level, "mean, skewed differences (not exchangeable)", cells)
    for name, population in EQUAL.items():
        cells = {str(n): partial(family_error, population, n, SOME) for n in (50, 20, 10)}
        yield Row("Family-wise error of a board of 10 equal systems", name, cells, high=0.06)
    for name, population in POWER.items():
        cells = {str(n): partial(rejected, population, n, FEW) for n in reversed(GROUPS)}
        yield Row("Power of the paired test", name, cells)
    planned = {"share": partial(planned_power, 0.05, 0.1, SOME)}
    yield Row("Power with as many groups as `groups_needed` says", "mean", planned, 0.75, 0.86)
    cells = {"ranks": partial(different_ranks, 15, 200)}
    yield Row("Ranks of 15 clearly different systems on 200 items", "mean", cells, low=15)


def rejected(population: Population, groups: int, sets: int) -> float:
    """Return the share of data sets in which two systems differ significantly."""
    pair = (populations.name_of(0), populations.name_of(1))
    count = 0
    for number in range(sets):
        metric, scores = population(stream(number, "simulate", groups), groups, 2)
        p_values = PairedCounts.of(metric, scores).p_values([pair], least=1000, seed=number)
        count += p_values[pair] <= SIGNIFICANCE
    return count / sets


def family_error(population: Population, groups: int, sets: int) -> float:
    """Return the share of boards of 10 equal systems on which one ranks below another."""
    count = 0
    for number in range(sets):
        metric, scores = population(stream(number, "family", groups), groups, 10)
        ranks = {row.rank for row in board(metric, scores, resamples=100, seed=number)}
        count += len(ranks) > 1
    return count / sets


def planned_power(value: float, spread: float, sets: int) -> float:
    """Return the power with as many groups as a difference and its spread are said to need."""
    groups = groups_needed(Difference("made.mean", value, None, math.nan, 0, spread=spread)) or 0
    return rejected(partial(shifted, value=value, spread=spread), groups, sets)


def shifted(
    rng: Any, groups: int, systems: int, *, value: float, spread: float
) -> populations.Drawn:
    own = np.stack([rng.normal(value, spread, groups), np.zeros(groups)][:systems])
    return populations.scored(populations.MEAN, own.tolist())


def different_ranks(systems: int, items: int) -> float:
    """Return how many different ranks systems get that are .05 apart, with a spread of .01."""
    rng = stream(0, "different")
    shared = rng.normal(0.5, 0.2, items)
    own = shared - 0.05 * np.arange(systems)[:, None] + rng.normal(0, 0.01, (systems, items))
    metric, scores = populations.scored(populations.MEAN, own.tolist())
    return float(len({row.rank for row in board(metric, scores)}))
