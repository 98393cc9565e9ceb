from types import SimpleNamespace

import numpy as np
import pytest

from earmark.tasks.context.train.boosting import export_trees
from earmark.values.errors import InputError


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(400, 5)).astype(np.float32)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    return rows


@pytest.fixture(scope="module")
def learner(rows):
    from sklearn.ensemble import HistGradientBoostingClassifier

    noise = np.random.default_rng(3).normal(size=400)
    labels = (np.nan_to_num(rows[:, 0]) + noise > 0.5).astype(int)
    return HistGradientBoostingClassifier(max_iter=20, random_state=1).fit(rows, labels)


def test_exported_trees_predict_what_scikit_learn_predicts(rows, learner):
    trees = export_trees(learner, rows)
    assert trees.probabilities(rows) == pytest.approx(learner.predict_proba(rows)[:, 1], abs=1e-5)


def test_trees_stored_in_another_way_are_a_clear_error(rows):
    with pytest.raises(InputError, match=r"trees of scikit-learn .* cannot be exported"):
        export_trees(SimpleNamespace(), rows)


def test_an_export_that_predicts_something_else_is_refused(rows, learner):
    class Shifted:
        _predictors = learner._predictors
        _baseline_prediction = learner._baseline_prediction + 1.0
        predict_proba = learner.predict_proba

    with pytest.raises(InputError, match="other probabilities in"):
        export_trees(Shifted(), rows)
