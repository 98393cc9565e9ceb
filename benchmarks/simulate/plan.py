"""Does the planned number of groups give the promised power?

For means and ratios: a large data set gives the difference that is there and its spread, a plan
follows from them, and the paired test is made on new data sets of as many groups as planned. The
second table asks how often the interval of a spread, estimated from a small pilot, holds the true
one. `python -m benchmarks.simulate plan` prints these tables alone.
"""

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from benchmarks.simulate import populations
from benchmarks.simulate.frame import Row

from earmark.score.compare import differences_to
from earmark.score.swapping import PairedCounts
from earmark.stats.draw import stream
from earmark.stats.paired import SIGNIFICANCE
from earmark.stats.power import groups_for, spread_interval

Population = Callable[..., populations.Drawn]
PAIR = (populations.name_of(0), populations.name_of(1))
# Data sets, and groups in each, from which difference and spread count as true: the difference is
# then known to a hundredth of itself.
TRUTHS, MANY_GROUPS = 50, 4000
# Data sets in a cell: at a power of .8 the standard error of the share is .013.
SETS = 1000
POWERS = (0.5, 0.8, 0.95)
# Three standard errors, and the hundredth that a normal approximation may be off.
SLACK = 0.05
PLANNED: dict[str, Population] = {
    "mean, .05 apart": partial(populations.means, step=0.05),
    "F1, quality .05 apart": partial(populations.ratios, step=0.05),
}


def rows() -> Iterator[Row]:
    """Yield the power that is had where so much was planned, and the coverage of spreads."""
    for name in PLANNED:
        cells = {f"{power:g}": partial(had_less_planned, name, power) for power in POWERS}
        title = "Power had, less the power that was planned"
        yield Row(title, name, cells, low=-SLACK, high=SLACK)
    sizes = (4, 6, 8, 10, 20, 50)
    for name in ("normal", "one in five differs", "heavy tails (t, 5 df)", "skewed (lognormal)"):
        cells = {str(size): partial(spread_coverage, name, size) for size in sizes}
        low = 0.93 if name == "normal" else None
        yield Row("Coverage of the 95 % interval of a spread, by groups", name, cells, low=low)


def had_less_planned(name: str, power: float) -> float:
    """Return how far the share of data sets that show the difference is from what was planned."""
    (difference, spread), population = truth(name), PLANNED[name]
    groups = groups_for(difference, spread=spread, power=power)
    shown = 0
    for number in range(SETS):
        metric, scores = population(stream(number, "plan", groups), groups, 2)
        p_values = PairedCounts.of(metric, scores).p_values([PAIR], least=1000, seed=number)
        shown += p_values[PAIR] <= SIGNIFICANCE
    return shown / SETS - power


@cache
def truth(name: str) -> tuple[float, float]:
    """Return the difference that is there, and the spread of a group's contribution to it."""
    values, spread = [], 0.0
    for number in range(TRUTHS):
        metric, scores = PLANNED[name](stream(number, "truth"), MANY_GROUPS, 2)
        values.append(scores[PAIR[0]].value - scores[PAIR[1]].value)
        if not number:
            paired = PairedCounts.of(metric, scores)
            first = differences_to(paired, PAIR[0], PAIR[1:], {}, resamples=2, seed=0)
            spread = first[PAIR[1]].spread
    return float(np.mean(values)), spread


def spread_coverage(name: str, size: int) -> float:
    """Return how often the interval holds the true spread, of pilots in which anything varies."""
    inside = tried = 0
    for number in range(SETS):
        values, spread = _drawn(stream(number, "spread", size), name, size)
        interval = spread_interval(values)
        if interval is not None:
            tried += 1
            inside += interval.low <= spread <= interval.high
    return inside / tried


def _drawn(rng: Any, name: str, size: int) -> tuple[Any, float]:
    """Return values of that shape, and their true standard deviation."""
    if name == "normal":
        return rng.normal(0, 1, size), 1.0
    if name.startswith("one in five"):
        return rng.choice([-1.0, 0.0, 1.0], size=size, p=[0.1, 0.8, 0.1]), math.sqrt(0.2)
    if name.startswith("heavy"):
        return rng.standard_t(5, size), math.sqrt(5 / 3)
    variance = (math.exp(0.25) - 1) * math.exp(0.25)
    return np.exp(rng.normal(0, 0.5, size)), math.sqrt(variance)
