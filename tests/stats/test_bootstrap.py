"""Resampling, intervals, paired tests and corrections, against values worked by hand."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from earmark.stats import bootstrap


def _drawn(groups: list[str], *, resamples: int, seed: int) -> NDArray[np.int64]:
    return np.vstack(list(bootstrap.resample_weights(groups, resamples=resamples, seed=seed)))


def test_blocks_of_resamples_are_the_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little is held at once, the draws stay the same."""
    groups = [f"g{k % 7}" for k in range(20)]
    whole = _drawn(groups, resamples=50, seed=4)
    swaps = np.vstack(list(bootstrap.swap_signs(groups, resamples=50, seed=4)))
    monkeypatch.setattr(bootstrap, "CELLS", 65)
    parts = list(bootstrap.resample_weights(groups, resamples=50, seed=4))
    assert [len(part) for part in parts] == [3] * 16 + [2]
    assert (np.vstack(parts) == whole).all()
    assert (np.vstack(list(bootstrap.swap_signs(groups, resamples=50, seed=4))) == swaps).all()


def test_groups_are_drawn_whole_and_as_many_as_there_are() -> None:
    weights = _drawn(["a", "a", "b", "c"], resamples=200, seed=1)
    assert (weights[:, 0] == weights[:, 1]).all()
    assert (weights[:, 0] + weights[:, 2] + weights[:, 3] == 3).all()


def test_resamples_depend_on_the_seed_and_not_on_the_order_of_items() -> None:
    first = _drawn(["a", "b", "c"], resamples=5, seed=1)
    second = _drawn(["c", "b", "a"], resamples=5, seed=1)
    other = _drawn(["a", "b", "c"], resamples=5, seed=2)
    assert (first == second[:, ::-1]).all()
    assert (first != other).any()


def test_p_counts_the_observed_arrangement_itself() -> None:
    chance = np.array([0.0, 0.1, -0.5, 0.2])
    assert bootstrap.two_sided_p(0.5, chance) == pytest.approx(2 / 5)
    assert math.isnan(bootstrap.two_sided_p(math.nan, chance))


def test_holm_worked_by_hand_and_nan_stays() -> None:
    """Three tests: .01 x 3, .03 x 2, then .04 x 1 raised to the one before it."""
    found = bootstrap.holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": math.nan})
    assert [found[k] for k in "abc"] == pytest.approx([0.03, 0.06, 0.06])
    assert math.isnan(found["d"])


def test_a_resampled_p_counts_the_other_side_twice() -> None:
    """One of four resamples on the other side: 2 (1 + 1) / 5."""
    spread = np.array([0.1, 0.2, 0.3, -0.1])
    assert bootstrap.resampled_p(0.2, spread) == pytest.approx(0.8)
    assert math.isnan(bootstrap.resampled_p(math.nan, spread))
    assert math.isnan(bootstrap.resampled_p(0.1, np.array([math.nan])))
