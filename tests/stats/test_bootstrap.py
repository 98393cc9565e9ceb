"""Resampling, against values worked by hand."""

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
