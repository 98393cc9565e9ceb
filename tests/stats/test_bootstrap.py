"""Resampling and intervals, against values worked by hand."""

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
    monkeypatch.setattr(bootstrap, "CELLS", 65)
    parts = list(bootstrap.resample_weights(groups, resamples=50, seed=4))
    assert [len(part) for part in parts] == [3] * 16 + [2]
    assert (np.vstack(parts) == whole).all()


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


def test_an_interval_is_the_middle_of_the_resamples() -> None:
    values = np.arange(101.0)
    found = bootstrap.percentile_interval(values, level=0.9)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((5.0, 95.0))
    assert bootstrap.percentile_interval(np.array([math.nan])) is None


def test_wilson_knows_nothing_of_nothing() -> None:
    assert bootstrap.wilson_interval(0, 0) is None
    narrow, wide = (bootstrap.wilson_interval(5, 10, level=level) for level in (0.5, 0.99))
    assert narrow and wide and wide.low < narrow.low < 0.5 < narrow.high < wide.high
