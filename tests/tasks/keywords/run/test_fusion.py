"""The fusion: a logistic regression, and leaving speakers out of it."""

import numpy as np
import pytest

from earmark.tasks.keywords.run import fusion
from earmark.tasks.keywords.run.fusion import feature_matrix, fit_fusion, fit_logistic
from earmark.tasks.keywords.run.model_file import load_model
from earmark.values.errors import InputError


def test_the_regression_weights_what_separates_targets_from_others() -> None:
    rng = np.random.default_rng(0)
    labels = rng.random(400) < 0.25
    x = np.column_stack([labels + 0.3 * rng.standard_normal(400), rng.standard_normal(400)])
    fitted = fit_logistic(x, labels)
    assert fitted.weights[0] > 5 * abs(fitted.weights[1])
    predicted = x @ fitted.weights + fitted.intercept > 0
    assert (predicted == labels).mean() > 0.9


def test_the_regression_agrees_with_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(1)
    x = rng.standard_normal((200, 3))
    labels = x[:, 0] + 0.5 * rng.standard_normal(200) > 0.5
    fitted = fit_logistic(x, labels)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    peer = linear.LogisticRegression(C=fusion.C, tol=1e-10, max_iter=1000).fit(z, labels)
    logits = x @ fitted.weights + fitted.intercept
    assert logits == pytest.approx(peer.decision_function(z), abs=1e-4)


def test_the_cohort_is_compared_by_its_mean_cost_without_the_owner() -> None:
    """Costs of the cohort 1 and 3 (the owner is nan), own cost 2: log 2 - log mean(1, 3) = 0."""
    trials = load_model().measurements.rows(np.arange(440) == 0)
    costs = np.log([[1.0, np.nan, 3.0]])
    changed = type(trials)(
        **{
            **{name: getattr(trials, name) for name in trials.__dataclass_fields__},
            "mfcc_cost": np.log([2.0]),
            "mfcc_cohort_costs": costs,
            "sound_cohort_costs": costs,
        }
    )
    features = feature_matrix(changed, np.array([True, True, True]))
    assert features[0, fusion.FEATURES.index("keyword_cohort")] == pytest.approx(0.0)


def test_two_speakers_must_remain_besides_the_one_under_test() -> None:
    development = load_model()
    with pytest.raises(InputError, match="at least two development speakers"):
        fit_fusion(development, left_out=frozenset(development.speakers[1:]))


def test_leave_one_speaker_out_on_the_shipped_table_scores_at_most_a_third(
    left_out_score,
) -> None:
    scores = [left_out_score(name) for name in load_model().speakers]
    assert np.mean(scores) <= 0.33
