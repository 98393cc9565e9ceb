"""Intervals worked by hand, and what has none."""

import math

import numpy as np
import pytest

from earmark.stats.intervals import (
    NoInterval,
    ValueRange,
    equal_interval,
    resampled_interval,
    wilson_interval,
)
from earmark.values.errors import InputError
from earmark.values.score import Interval

SHARE = ValueRange(0, 1)
VALUES = np.array([0.4, 0.5, 0.6, 0.7, 0.8])


def interval(
    value: float, values: object, *, groups: int = 5, within: ValueRange = SHARE, **more: bool
) -> Interval:
    result = resampled_interval(
        value, np.asarray(values, dtype=float), groups=groups, within=within, **more
    )
    assert isinstance(result, Interval)
    return result


def test_a_share_has_a_t_interval_on_the_logit_scale() -> None:
    """Standard deviation .15811 x sqrt(5/4) = .17678; t of 4 is 2.7764; logit .6 is .40547.

    The step is 2.7764 x .17678 / .24 = 2.0450, so logits -1.6395 and 2.4505.
    """
    result = interval(0.6, VALUES)
    assert (result.low, result.high) == pytest.approx((0.16254, 0.92060), abs=1e-4)
    assert result.method == "t, logit scale"
    assert result.error == pytest.approx(0.17678, abs=1e-5)


def test_an_error_rate_without_an_upper_end_has_its_interval_on_the_log_scale() -> None:
    """The same step of .49081 around .6 is a factor of exp(.49081 / .6) = 2.2661."""
    result = interval(0.6, VALUES, within=ValueRange(0, math.inf))
    assert (result.low, result.high) == pytest.approx((0.6 / 2.2661, 0.6 * 2.2661), rel=1e-4)


def test_a_difference_has_its_interval_on_its_own_scale_within_its_range() -> None:
    result = interval(0.6, VALUES, within=ValueRange(-1, 1), is_difference=True)
    assert (result.low, result.high) == pytest.approx((0.6 - 0.49081, 1.0), abs=1e-4)
    assert interval(0.6, VALUES, within=ValueRange()).method == "t"


def test_more_groups_make_an_interval_narrower_at_the_same_spread() -> None:
    few, many = (interval(0.6, VALUES, groups=n) for n in (3, 300))
    assert few.low < many.low < 0.6 < many.high < few.high


def test_a_value_at_an_end_of_its_range_has_the_expanded_percentile_interval() -> None:
    result = interval(1.0, [1.0, 1.0, 0.9, 0.8])
    assert (result.low, result.high) == pytest.approx((0.8, 1.0), abs=1e-3)
    assert result.method == "expanded percentile"


@pytest.mark.parametrize("value", [0.0, 1.0, 0.5])
def test_where_all_groups_are_alike_the_rule_of_three_gives_a_bound(value: float) -> None:
    """With 10 groups the share 1 - .05^(1/10) = .2589 of others may differ, to either end."""
    result = interval(value, [value] * 20, groups=10)
    assert result.method == "rule of three"
    ends = (value - 0.25887 * value, value + 0.25887 * (1 - value))
    assert (result.low, result.high) == pytest.approx(ends, abs=1e-5)


def test_a_perfect_error_rate_is_bounded_as_if_the_rest_had_an_error_rate_of_one() -> None:
    result = interval(0.0, [0.0] * 20, groups=10, within=ValueRange(0, math.inf))
    assert (result.low, result.high) == pytest.approx((0, 0.25887), abs=1e-5)
    other = equal_interval(0.3, groups=10, within=ValueRange(0, math.inf))
    assert isinstance(other, NoInterval) and "the metric has no bounds" in other.why
    same = np.full(9, 0.3)
    refused = resampled_interval(0.3, same, groups=9, within=ValueRange(0, math.inf))
    assert isinstance(refused, NoInterval)


def test_resamples_without_a_value_are_counted_up_to_a_twentieth_and_refused_beyond() -> None:
    values = np.linspace(0.4, 0.8, 100)
    values[:5] = math.nan
    assert interval(0.6, values).undefined == pytest.approx(0.05)
    values[5] = math.nan
    refused = resampled_interval(0.6, values, groups=3, within=SHARE)
    assert isinstance(refused, NoInterval)
    assert refused.why == "6% of the resamples have no value: 3 groups of items count"
    assert refused.undefined == pytest.approx(0.06)


@pytest.mark.parametrize(
    ("groups", "values", "why"),
    [
        (0, [0.5, 0.6], "no group of items has something to count"),
        (1, [0.5, 0.6], "only 1 group of items has something to count"),
        (5, [0.5], "fewer than two resamples have a value"),
    ],
)
def test_too_little_has_no_interval(groups: int, values: list[float], why: str) -> None:
    assert resampled_interval(0.5, np.array(values), groups=groups, within=SHARE) == NoInterval(why)


def test_a_bias_of_more_than_a_quarter_of_the_standard_error_is_named() -> None:
    assert not interval(0.6, VALUES).is_biased
    biased = interval(0.7, VALUES)
    assert biased.bias == pytest.approx(-0.1) and biased.is_biased


def test_wilson_knows_nothing_of_nothing() -> None:
    assert wilson_interval(0, 0) is None
    narrow, wide = (wilson_interval(5, 10, level=level) for level in (0.5, 0.99))
    assert narrow and wide and wide.low < narrow.low < 0.5 < narrow.high < wide.high


@pytest.mark.parametrize(("part", "whole"), [(5, 4), (-1, 4), (math.nan, 4)])
def test_wilson_refuses_a_part_that_is_none(part: float, whole: float) -> None:
    with pytest.raises(InputError, match="a part must lie between nothing and the whole"):
        wilson_interval(part, whole)


@pytest.mark.parametrize("whole", [math.inf, math.nan])
def test_wilson_refuses_a_whole_without_end(whole: float) -> None:
    with pytest.raises(InputError, match="the whole of a proportion must be a finite number"):
        wilson_interval(1, whole)
