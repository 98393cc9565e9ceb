"""Rates worked by hand."""

import math

import pytest

from earmark.stats import rates
from earmark.values.counts import Hits


def test_nothing_over_nothing_is_undefined() -> None:
    empty = Hits()
    for rate in (rates.precision, rates.recall, rates.f1, rates.error_rate):
        assert math.isnan(rate(empty))


def test_rates_worked_by_hand() -> None:
    """Two found, one missed, none made up: P 1, R 2/3, F 4/5, error 1/3."""
    hits = Hits(2, 1, 0)
    assert rates.precision(hits) == 1
    assert rates.recall(hits) == pytest.approx(2 / 3)
    assert rates.f1(hits) == pytest.approx(0.8)
    assert rates.error_rate(hits) == pytest.approx(1 / 3)


def test_beta_weighs_recall() -> None:
    """P 1, R 2/3: F2 = 5 PR / (4P + R) = 5 * 2/3 / (4 + 2/3)."""
    assert rates.f_score(Hits(2, 1, 0), beta=2.0) == pytest.approx(5 * (2 / 3) / (4 + 2 / 3))
    assert rates.harmonic(1.0, 2 / 3, beta=2.0) == pytest.approx(5 * (2 / 3) / (4 + 2 / 3))
    assert rates.harmonic(0.0, 0.0) == 0
    assert math.isnan(rates.harmonic(math.nan, 1.0))


def test_a_mean_leaves_out_what_is_undefined() -> None:
    assert rates.mean_defined([1.0, math.nan, 0.0]) == 0.5
    assert math.isnan(rates.mean_defined([]))
