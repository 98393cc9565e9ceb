"""The spread of a pilot, and what follows from it."""

import math

import pytest

from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, mean
from earmark.score.plan import (
    PlanGoal,
    detectable,
    plan_curve,
    planned_groups,
    spread_of_pilot,
    stated_spread,
)
from earmark.values.counts import Mean
from earmark.values.errors import InputError
from earmark.values.score import Score

MEAN = Metric("made", "mean", count=lambda r, o: Mean.of(o), rate=mean)


def scored(values: list[float]) -> Score:
    output = {f"item-{place}": value for place, value in enumerate(values)}
    return evaluate(MEAN, dict.fromkeys(output, 0.0), output, resamples=0)


def test_the_spread_of_a_mean_is_the_standard_deviation_of_the_differences() -> None:
    """Differences .1 .2 .3 .4: their standard deviation is sqrt(.05 / 3) = .1291."""
    first, second = scored([0.6, 0.8, 0.9, 0.9]), scored([0.5, 0.6, 0.6, 0.5])
    spread = spread_of_pilot(MEAN, {"a": first, "b": second}, unit="talk")
    assert spread.value == pytest.approx(math.sqrt(0.05 / 3))
    assert spread.groups == 4
    assert spread.source == "a and b over 4 talks"
    assert spread.low is not None and spread.high is not None
    assert spread.low < spread.value < spread.high


def test_one_system_stands_for_two_that_are_independent() -> None:
    """Values 0 0 1 1: standard deviation sqrt(1/3), times the square root of 2."""
    spread = spread_of_pilot(MEAN, {"a": scored([0, 0, 1, 1])}, unit="talk")
    assert spread.value == pytest.approx(math.sqrt(2 / 3))
    assert "a alone" in spread.source


def test_a_pilot_in_which_nothing_varies_is_refused() -> None:
    same = {"a": scored([0.5, 0.6, 0.7]), "b": scored([0.5, 0.6, 0.7])}
    with pytest.raises(InputError, match="a spread cannot be estimated where nothing varies"):
        spread_of_pilot(MEAN, same, unit="talk")


def test_a_pilot_of_one_group_is_refused() -> None:
    with pytest.raises(InputError, match="fewer than two groups of items"):
        spread_of_pilot(MEAN, {"a": scored([0.5]), "b": scored([0.4])}, unit="talk")


def test_groups_have_bounds_where_the_spread_was_estimated_and_none_where_it_was_stated() -> None:
    goal = PlanGoal(0.05)
    assert planned_groups(stated_spread(0.1), goal) == {"value": 34, "low": None, "high": None}
    pilot = {"a": scored([0.6, 0.8, 0.9, 0.9]), "b": scored([0.5, 0.6, 0.6, 0.5])}
    groups = planned_groups(spread_of_pilot(MEAN, pilot, unit="talk"), goal)
    assert groups["low"] < groups["value"] < groups["high"]


def test_more_systems_more_power_and_a_smaller_difference_need_more_groups() -> None:
    spread = stated_spread(0.1)
    least = planned_groups(spread, PlanGoal(0.05))["value"]
    for goal in (
        PlanGoal(0.05, systems=4),
        PlanGoal(0.05, power=0.95),
        PlanGoal(0.05, level=0.01),
        PlanGoal(0.04),
    ):
        assert planned_groups(spread, goal)["value"] > least


def test_the_curve_passes_through_what_is_planned_and_what_there_is() -> None:
    goal = PlanGoal(0.05)
    curve = plan_curve(stated_spread(0.1), goal, present=9)
    rows = {row["groups"]: row for row in curve}
    assert rows[34]["power"] >= 0.8 > rows[min(rows)]["power"] == 0
    assert rows[9]["detectable"] == detectable(9, stated_spread(0.1), goal)
    powers = [row["power"] for row in curve]
    assert powers == sorted(powers)
    assert rows[min(rows)]["detectable"] is None
