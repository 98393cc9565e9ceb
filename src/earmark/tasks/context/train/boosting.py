"""Gradient boosting by scikit-learn, exported to arrays of our own.

Histogram gradient boosting has no public description of its trees, so `export_trees` reads two of
scikit-learn's private attributes. It is the only place that does; it checks that they are as
expected and that the export agrees with scikit-learn's own predictions.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.context.run.discourse.trees import BoostedTrees
from earmark.values.errors import InputError

# How many rows the export is checked on, by how much probabilities may differ there (leaves are
# stored in single precision), and on what share of the rows: a threshold between two neighbouring
# numbers can be rounded to the upper one, which sends a row the other way now and then.
CHECKED_ROWS = 1000
CHECK_TOLERANCE = 1e-4
CHECK_SHARE = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostingOptions:
    """Sizes of the ensemble, chosen by hand on talks; those of few passages are smaller."""

    trees: int = 400
    learning_rate: float = 0.06
    leaves: int = 31


# Within a small study there are a few hundred nouns to learn from, of which some dozens are
# swapped: few small trees, so that they do not learn them by heart.
SMALL_STUDY = BoostingOptions(trees=60, learning_rate=0.08, leaves=6)


def grow_trees(
    rows: NDArray[np.float32],
    labels: NDArray[np.int8],
    options: BoostingOptions = BoostingOptions(),
    *,
    seed: int,
) -> BoostedTrees:
    """Learn trees from rows of features and a label each; (rows, columns) and (rows,)."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    learner = HistGradientBoostingClassifier(
        max_iter=options.trees,
        learning_rate=options.learning_rate,
        max_leaf_nodes=options.leaves,
        # at most 1 % of the rows and at most 40: small studies would otherwise not split at all
        min_samples_leaf=min(40, max(2, len(rows) // 100)),
        l2_regularization=1.0,
        early_stopping=False,
        random_state=seed,
    )
    learner.fit(rows, labels)
    return export_trees(learner, rows[:CHECKED_ROWS])


def export_trees(learner: Any, rows: NDArray[np.float32]) -> BoostedTrees:
    """Return the trees of a fitted HistGradientBoostingClassifier of two classes.

    Raises
    ------
    InputError
        If this version of scikit-learn stores its trees in another way, or the exported trees do
        not predict what it predicts for `rows`.
    """
    try:
        trees = _trees_of(learner)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise _unknown_layout(f"{type(error).__name__}: {error}") from error
    expected = learner.predict_proba(rows)[:, 1]
    agrees = np.abs(trees.probabilities(rows) - expected) < CHECK_TOLERANCE
    if agrees.mean() < CHECK_SHARE:
        raise _unknown_layout(f"other probabilities in {int((~agrees).sum())} of {len(rows)} rows")
    return trees


def _trees_of(learner: Any) -> BoostedTrees:
    """Read the private attributes: a structured array of nodes per tree, and the baseline."""
    of_trees = [predictors[0].nodes for predictors in learner._predictors]
    roots = np.cumsum([0, *(len(nodes) for nodes in of_trees)])[:-1]
    # Children are numbered within their tree there, and among all nodes here.
    shift = np.repeat(roots, [len(nodes) for nodes in of_trees]).astype(np.int32)
    nodes = np.concatenate(of_trees)
    is_leaf = nodes["is_leaf"].astype(bool)
    return BoostedTrees(
        feature=np.where(is_leaf, -1, nodes["feature_idx"]).astype(np.int16),
        threshold=nodes["num_threshold"].astype(np.float32),
        left=nodes["left"].astype(np.int32) + shift,
        right=nodes["right"].astype(np.int32) + shift,
        missing_left=nodes["missing_go_to_left"].astype(np.int8),
        value=nodes["value"].astype(np.float32),
        roots=roots.astype(np.int32),
        baseline=float(np.ravel(learner._baseline_prediction)[0]),
    )


def _unknown_layout(got: str) -> InputError:
    import sklearn

    return InputError(
        f"trees of scikit-learn {sklearn.__version__} cannot be exported",
        got=got,
        want="trees stored as in scikit-learn 1.4 to 1.9",
        fix="train with one of these versions; running a trained model needs none of them",
    )
