"""How many groups of items show a difference: the spread of a pilot, and what follows from it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from earmark.score.metric import Metric
from earmark.score.swapping import PairedCounts
from earmark.stats.paired import SIGNIFICANCE
from earmark.stats.power import POWER, detectable_with, groups_for, power_with, spread_interval
from earmark.task.task import Json
from earmark.values.errors import InputError
from earmark.values.score import Score, number

# Points of the curve between the fewest groups that can show anything and twice what is needed.
POINTS = 40


@dataclass(frozen=True, slots=True)
class SpreadEstimate:
    """The standard deviation of a group's contribution to a difference, and how sure it is.

    `low` and `high` are None where it was stated; `groups` is then 0. `source` says in words where
    it comes from.
    """

    value: float
    low: float | None
    high: float | None
    groups: int
    source: str


@dataclass(frozen=True, slots=True)
class PlanGoal:
    """The difference to be seen, with which probability, at which level, among how many systems."""

    difference: float
    power: float = POWER
    level: float = SIGNIFICANCE
    systems: int = 2

    @property
    def pairs(self) -> int:
        """How many pairs of systems are compared; p is corrected for them."""
        return self.systems * (self.systems - 1) // 2


def spread_of_pilot(metric: Metric, scores: Mapping[str, Score], *, unit: str) -> SpreadEstimate:
    """Return the spread of the difference of two systems; of one, what two like it would have.

    With one system, the difference of two that are as spread but independent of each other is taken
    (its own spread times the square root of 2). Systems mostly find the same items hard, so that
    this is rather too large than too small.
    """
    names = list(scores)
    paired = PairedCounts.of(metric, scores)
    if paired.group_count < 2:
        raise InputError(
            "a spread cannot be estimated from fewer than two groups of items",
            at=", ".join(names),
            got=f"{paired.group_count} {unit}",
            fix="add material to the pilot, or state the spread: --spread 0.15",
        )
    shares = paired.shares
    of_pair = len(names) > 1
    values = shares[names[0]] - shares[names[1]] if of_pair else math.sqrt(2) * shares[names[0]]
    interval = spread_interval(values)
    if interval is None or not np.all(np.isfinite(values)):
        raise InputError(
            "a spread cannot be estimated where nothing varies",
            at=", ".join(names),
            got="the same difference in every group of items" if of_pair else "one value in all",
            fix="compare other systems with --between, or state the spread: --spread 0.15",
        )
    # Many groups of a metric of raw scores are left out in blocks; a block is several groups.
    scale = math.sqrt(paired.group_count / len(values))
    who = f"{names[0]} and {names[1]}" if of_pair else f"{names[0]} alone, times the root of 2"
    return SpreadEstimate(
        float(np.std(values, ddof=1)) * scale,
        interval.low * scale,
        interval.high * scale,
        paired.group_count,
        f"{who} over {paired.group_count} {unit}s",
    )


def stated_spread(value: float) -> SpreadEstimate:
    """Return a spread that somebody stated."""
    return SpreadEstimate(value, None, None, 0, "stated")


def planned_groups(estimate: SpreadEstimate, goal: PlanGoal) -> Json:
    """Return how many groups are needed, and between which numbers if the spread is estimated."""
    return {
        "value": _needed(estimate.value, goal),
        "low": None if estimate.low is None else _needed(estimate.low, goal),
        "high": None if estimate.high is None else _needed(estimate.high, goal),
    }


def _needed(spread: float, goal: PlanGoal) -> int:
    return groups_for(
        goal.difference, spread=spread, power=goal.power, pairs=goal.pairs, level=goal.level
    )


def detectable(groups: float, estimate: SpreadEstimate, goal: PlanGoal) -> float | None:
    """Return the smallest difference that so many groups show with the goal's power."""
    return number(
        detectable_with(
            groups, spread=estimate.value, power=goal.power, pairs=goal.pairs, level=goal.level
        )
    )


def plan_curve(estimate: SpreadEstimate, goal: PlanGoal, *, present: int = 0) -> list[Json]:
    """Return power and detectable difference by number of groups, up to twice what is needed.

    `present` is how many groups there are now; the curve passes through it. Where the spread is
    estimated, `power_low` and `power_high` are the power with its upper and its lower bound.
    """
    needed = _needed(estimate.value, goal)
    top = max(2 * needed, present + 1, 12)
    steps = {*np.linspace(2, top, POINTS).round().astype(int).tolist(), needed, present}
    rows = []
    for groups in sorted(step for step in steps if step > 1):
        row = {
            "groups": groups,
            "power": _power(groups, estimate.value, goal),
            "detectable": detectable(groups, estimate, goal),
        }
        if estimate.low is not None and estimate.high is not None:
            row["power_low"] = _power(groups, estimate.high, goal)
            row["power_high"] = _power(groups, estimate.low, goal)
        rows.append(row)
    return rows


def _power(groups: int, spread: float, goal: PlanGoal) -> float:
    return power_with(
        groups, difference=goal.difference, spread=spread, pairs=goal.pairs, level=goal.level
    )
