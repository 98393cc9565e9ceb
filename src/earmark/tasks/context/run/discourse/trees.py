"""Gradient-boosted trees as plain arrays: learnt by scikit-learn, kept and walked without it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any


@dataclass(frozen=True, slots=True)
class Trees:
    """All nodes of all trees in a row; `roots` are where trees begin.

    A node sends a row to `left` when the value of `column` is at most `limit` (or is nan and
    `lost_left` says so), else to `right`; a leaf has `column` -1 and adds `value`.
    """

    column: Array
    limit: Array
    left: Array
    right: Array
    lost_left: Array
    value: Array
    roots: Array
    start: float

    def score(self, rows: Array) -> Array:
        """The probability of each row."""
        from earmark.tasks.context.run.discourse.tree_kernel import walk

        total = walk(
            np.ascontiguousarray(rows, np.float32),
            (self.column, self.left, self.right, self.lost_left),
            (self.limit, self.value),
            self.roots,
        )
        return 1 / (1 + np.exp(-(total + self.start)))

    def arrays(self, prefix: str) -> dict[str, Array]:
        """For a model file."""
        names = ("column", "limit", "left", "right", "lost_left", "value", "roots")
        kept = {f"{prefix}.{name}": getattr(self, name) for name in names}
        return {**kept, f"{prefix}.start": np.array([self.start])}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array], prefix: str) -> "Trees":
        """From a model file."""
        names = ("column", "limit", "left", "right", "lost_left", "value", "roots")
        parts = {name: arrays[f"{prefix}.{name}"] for name in names}
        return cls(**parts, start=float(arrays[f"{prefix}.start"][0]))


def grow(
    rows: Array, labels: Array, *, seed: int, trees: int = 400, rate: float = 0.06, leaves: int = 31
) -> Trees:
    """Trees learnt by histogram gradient boosting."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    learner = HistGradientBoostingClassifier(
        max_iter=trees,
        learning_rate=rate,
        max_leaf_nodes=leaves,
        min_samples_leaf=min(40, max(2, len(rows) // 100)),
        l2_regularization=1.0,
        early_stopping=False,
        random_state=seed,
    )
    learner.fit(rows, labels)
    return _plain(learner)


def _plain(learner: Any) -> Trees:
    grown = [predictors[0].nodes for predictors in learner._predictors]
    roots = np.cumsum([0, *(len(nodes) for nodes in grown)])[:-1]
    nodes = np.concatenate(grown)
    shift = np.repeat(roots, [len(part) for part in grown]).astype(np.int32)
    leaf = nodes["is_leaf"].astype(bool)
    return Trees(
        column=np.where(leaf, -1, nodes["feature_idx"]).astype(np.int16),
        limit=nodes["num_threshold"].astype(np.float32),
        left=(nodes["left"].astype(np.int32) + shift),
        right=(nodes["right"].astype(np.int32) + shift),
        lost_left=nodes["missing_go_to_left"].astype(np.int8),
        value=nodes["value"].astype(np.float32),
        roots=roots.astype(np.int32),
        start=float(np.ravel(learner._baseline_prediction)[0]),
    )
