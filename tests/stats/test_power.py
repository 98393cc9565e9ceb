"""Power, the groups that a difference needs, and how sure a spread is."""

import math

import numpy as np
import pytest

from earmark.stats.paired import least_groups
from earmark.stats.power import detectable_with, groups_for, power_with, spread_interval


def test_groups_are_those_of_the_formula_worked_by_hand() -> None:
    """q = 1.95996, z = 0.84162: ((q + z) * .1 / .05)^2 + q^2 / 2 = 31.395 + 1.921 = 33.3."""
    assert groups_for(0.05, spread=0.1) == 34
    # half the difference needs four times 31.395, plus the same 1.921: 127.5
    assert groups_for(0.025, spread=0.1) == 128
    # level .01: q = 2.57583, (3.41745 * 2)^2 + 3.317 = 50.03
    assert groups_for(0.05, spread=0.1, level=0.01) == 51
    # power .9: z = 1.28155, (3.24151 * 2)^2 + 1.921 = 43.95
    assert groups_for(0.05, spread=0.1, power=0.9) == 44


def test_more_pairs_need_more_groups() -> None:
    assert groups_for(0.05, spread=0.1, pairs=6) > groups_for(0.05, spread=0.1)


def test_the_three_directions_agree() -> None:
    needed = groups_for(0.03, spread=0.1, power=0.9, pairs=3)
    assert power_with(needed, difference=0.03, spread=0.1, pairs=3) >= 0.9
    assert power_with(needed - 1, difference=0.03, spread=0.1, pairs=3) < 0.9
    smallest = detectable_with(needed, spread=0.1, power=0.9, pairs=3)
    assert smallest <= 0.03
    assert power_with(needed, difference=smallest, spread=0.1, pairs=3) == pytest.approx(0.9)


def test_groups_that_no_test_can_use_have_no_power_however_large_the_difference() -> None:
    """Of 5 groups the smallest p is 2/32 = .0625; at a level of .1 they do."""
    assert power_with(5, difference=9.0, spread=0.1) == 0
    assert math.isnan(detectable_with(5, spread=0.1))
    assert groups_for(9.0, spread=0.1) == 6
    assert least_groups(1, level=0.1) == 5
    assert power_with(5, difference=9.0, spread=0.1, level=0.1) == pytest.approx(1)


def test_the_interval_of_few_values_is_the_textbooks() -> None:
    """3 values of variance 1: 2 / 7.3778 and 2 / .050636 (chi-square with 2 degrees, 2.5 %)."""
    interval = spread_interval(np.array([-1.0, 0.0, 1.0]))
    assert interval is not None
    assert interval.low == pytest.approx(math.sqrt(2 / 7.37776), rel=1e-4)
    assert interval.high == pytest.approx(math.sqrt(2 / 0.0506356), rel=1e-4)


def test_the_interval_of_heavy_tails_is_wider_than_that_of_the_same_spread_without() -> None:
    rare = np.array([0.0] * 18 + [1.0, -1.0])
    even = np.array([1.0, -1.0] * 10)
    wide, narrow = spread_interval(rare), spread_interval(even)
    assert wide is not None and narrow is not None
    assert wide.high / wide.low > narrow.high / narrow.low


@pytest.mark.parametrize("size", [6, 20])
def test_the_interval_covers_the_true_spread_about_as_often_as_it_says(size: int) -> None:
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(600):
        interval = spread_interval(rng.normal(0, 2, size))
        assert interval is not None
        inside += interval.low <= 2 <= interval.high
    assert 0.92 <= inside / 600 <= 0.99


def test_values_that_are_all_alike_have_no_spread_to_estimate() -> None:
    assert spread_interval(np.zeros(9)) is None
    assert spread_interval(np.array([1.0])) is None


def test_the_planned_power_is_that_of_the_t_test_simulated() -> None:
    """2,000 data sets of 34 differences: a standard error of .009."""
    rng = np.random.default_rng(1)
    drawn = rng.normal(0.05, 0.1, (2000, 34))
    t = drawn.mean(axis=1) / drawn.std(axis=1, ddof=1) * math.sqrt(34)
    critical = 2.0345  # Student's, 33 degrees of freedom, 2.5 %
    expected = power_with(34, difference=0.05, spread=0.1)
    assert np.mean(np.abs(t) > critical) == pytest.approx(expected, abs=0.03)
