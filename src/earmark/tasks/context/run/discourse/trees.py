"""Gradient-boosted trees as plain arrays of our own: nothing but numpy is needed to run them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats

# The names of the arrays in a model file.
STORED = {
    "feature": "column",
    "threshold": "limit",
    "left": "left",
    "right": "right",
    "missing_left": "lost_left",
    "value": "value",
    "roots": "roots",
}


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """All nodes of all trees in a row; `roots` are the indices of the trees' first nodes.

    A node sends a row to `left` when the value of column `feature` is at most `threshold` (or is
    nan and `missing_left` is 1), else to `right`; a leaf has `feature` -1 and adds `value`. The
    sum of the leaves and `baseline` is the log odds.
    """

    feature: NDArray[np.int16]  # (nodes,)
    threshold: NDArray[np.float32]  # (nodes,)
    left: NDArray[np.int32]  # (nodes,)
    right: NDArray[np.int32]  # (nodes,)
    missing_left: NDArray[np.int8]  # (nodes,)
    value: NDArray[np.float32]  # (nodes,)
    roots: NDArray[np.int32]  # (trees,)
    baseline: float

    def __post_init__(self) -> None:
        """Raise ValueError where the compiled walk, which checks nothing, would leave the trees."""
        nodes = len(self.feature)
        ways = (self.feature, self.left, self.right, self.missing_left)
        if {one.shape for one in (*ways, self.threshold, self.value)} != {(nodes,)}:
            raise ValueError("the arrays of the trees differ in length")
        if any(one.dtype.kind != "i" for one in (*ways, self.roots)) or self.roots.ndim != 1:
            raise ValueError("the ways of the trees must be whole numbers")
        inner = np.flatnonzero(self.feature >= 0)
        for children in (self.left[inner], self.right[inner]):
            # a child comes after its parent, so that every walk ends
            if np.any(children <= inner) or np.any(children >= nodes):
                raise ValueError("a node of the trees leads nowhere")
        if np.any(self.roots < 0) or np.any(self.roots >= nodes):
            raise ValueError("a tree has no root")

    def probabilities(self, rows: NDArray[np.float32]) -> Floats:
        """Return the probability of the positive class; (rows, columns) to (rows,)."""
        from earmark.tasks.context.run.discourse.tree_kernel import sum_leaves

        if self.feature.max(initial=-1) >= rows.shape[1]:
            raise ValueError(f"the trees look at more than {rows.shape[1]} columns")

        total: Floats = sum_leaves(
            np.ascontiguousarray(rows, np.float32),
            (self.feature, self.left, self.right, self.missing_left),
            (self.threshold, self.value),
            self.roots,
        )
        return 1 / (1 + np.exp(-(total + self.baseline)))

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """Return arrays for a model file."""
        named = {f"{prefix}.{stored}": getattr(self, name) for name, stored in STORED.items()}
        return {**named, f"{prefix}.start": np.array([self.baseline])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str) -> "BoostedTrees":
        """Return the trees that a model file holds."""
        parts = {name: arrays[f"{prefix}.{stored}"] for name, stored in STORED.items()}
        return cls(**parts, baseline=float(arrays[f"{prefix}.start"][0]))
