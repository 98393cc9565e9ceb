"""Trees of a model file: the walk down them never leaves the arrays and always ends."""

import numpy as np
import pytest

from earmark.tasks.context.run.discourse.trees import BoostedTrees


def trees(**changes: object) -> BoostedTrees:
    """One tree: below 0.5 in column 0 it adds -1, else 1."""
    arrays: dict[str, object] = {
        "feature": np.array([0, -1, -1], np.int16),
        "threshold": np.array([0.5, 0, 0], np.float32),
        "left": np.array([1, 0, 0], np.int32),
        "right": np.array([2, 0, 0], np.int32),
        "missing_left": np.array([1, 0, 0], np.int8),
        "value": np.array([0, -1, 1], np.float32),
        "roots": np.array([0], np.int32),
    }
    return BoostedTrees(**{**arrays, **changes}, baseline=0.0)  # type: ignore[arg-type]


def test_a_row_ends_in_the_leaf_that_its_value_leads_to() -> None:
    rows = np.array([[0.2], [0.9], [np.nan]], np.float32)
    low, high, missing = trees().probabilities(rows)
    assert low == missing == pytest.approx(1 / (1 + np.e)) and high == pytest.approx(1 - low)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"left": np.array([0, 0, 0], np.int32)}, "leads nowhere"),  # a walk without an end
        ({"right": np.array([3, 0, 0], np.int32)}, "leads nowhere"),
        ({"left": np.array([-9, 0, 0], np.int32)}, "leads nowhere"),
        ({"roots": np.array([7], np.int32)}, "no root"),
        ({"roots": np.array([[0]], np.int32)}, "whole numbers"),
        ({"left": np.array([1.0, 0, 0])}, "whole numbers"),
        ({"value": np.array([0, -1], np.float32)}, "differ in length"),
    ],
)
def test_trees_that_lead_outside_are_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        trees(**changes)


def test_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 1 columns"):
        trees(feature=np.array([4, -1, -1], np.int16)).probabilities(np.zeros((1, 1), np.float32))
