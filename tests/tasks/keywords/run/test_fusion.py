"""The fusion: a logistic regression without negative weights, and leaving speakers out of it."""

import numpy as np
import pytest

from earmark.tasks.keywords.run import fusion
from earmark.tasks.keywords.run.comparison import MEASURES
from earmark.tasks.keywords.run.development import Measurements
from earmark.tasks.keywords.run.fusion import feature_matrix, fit_fusion, fit_signed
from earmark.tasks.keywords.run.model_file import load_model
from earmark.values.errors import InputError


def test_the_regression_weights_what_separates_targets_from_others() -> None:
    rng = np.random.default_rng(0)
    labels = rng.random(400) < 0.25
    x = np.column_stack([labels + 0.3 * rng.standard_normal(400), rng.standard_normal(400)])
    weights, intercept = fit_signed(x, labels, np.ones(400))
    assert weights[0] > 5 * weights[1] >= 0
    assert ((x @ weights + intercept > 0) == labels).mean() > 0.9


def test_what_speaks_against_waking_in_the_data_gets_no_weight_instead_of_a_negative_one() -> None:
    rng = np.random.default_rng(2)
    labels = rng.random(300) < 0.5
    helps, misleads = labels + rng.standard_normal(300), rng.standard_normal(300) - labels
    weights, _ = fit_signed(np.column_stack([helps, misleads]), labels, np.ones(300))
    assert weights[0] > 0.5 and weights[1] == 0


def test_the_regression_agrees_with_scikit_learn_where_no_sign_matters() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(1)
    x = rng.standard_normal((200, 3))
    labels = x @ [1.0, 0.5, 0.2] + 0.5 * rng.standard_normal(200) > 0.5
    weights, intercept = fit_signed(x, labels, np.ones(200))
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    peer = linear.LogisticRegression(C=fusion.C, tol=1e-10, max_iter=1000).fit(z, labels)
    assert x @ weights + intercept == pytest.approx(peer.decision_function(z), abs=1e-3)


def test_features_are_relative_to_the_self_trials_and_higher_is_better() -> None:
    """MFCC cost 2 where 3 is expected is 1 better; backwards 5 where 4 is expected adds 1."""
    trial = np.zeros((1, len(MEASURES)))
    expected = trial.copy()
    for name, value, usual in (("mfcc_cost", 2.0, 3.0), ("mfcc_backwards_cost", 5.0, 4.0)):
        trial[0, MEASURES.index(name)] = value
        expected[0, MEASURES.index(name)] = usual
    measured = Measurements(trial, expected, np.ones_like(trial))
    assert feature_matrix(measured, ("keyword", "keyword_backwards")).tolist() == [[1.0, 2.0]]


def test_no_voice_reaches_more_than_the_bound_that_needs_no_voice() -> None:
    development = load_model()
    fitted = fit_fusion(development)
    ratios = fitted.log_likelihood_ratios(development.measurements)
    assert (fitted.highest(development.measurements) >= ratios - 1e-9).all()


def test_without_the_second_network_its_column_is_not_used() -> None:
    fitted = fit_fusion(load_model(), second_voice=False)
    assert "second_voice" not in fitted.names and "voice" in fitted.names


def test_two_speakers_must_remain_besides_the_one_under_test() -> None:
    development = load_model()
    with pytest.raises(InputError, match="at least two development speakers"):
        fit_fusion(development, left_out=set(development.speakers[1:]))


def test_no_corpus_decides_because_it_is_large() -> None:
    owners = ["DA1"] * 6 + ["DM1"] * 2 + ["ESde1", "ESfr1"]
    labels = np.array([1, 0, 0, 0, 0, 0, 1, 0, 1, 0], dtype=bool)
    weights = fusion._trial_weights(owners, labels)
    assert weights[labels].sum() == pytest.approx(weights[~labels].sum()) == pytest.approx(5.0)
    assert weights[:6].sum() == pytest.approx(weights[6:8].sum()) == pytest.approx(10 / 3)


@pytest.mark.parametrize("corpus", ["DA", "DM"])
def test_real_speakers_of_a_corpus_that_was_left_out_score_at_most_a_third(corpus: str) -> None:
    """From the shipped table: fitted to the other real corpus and synthetic voices."""
    development = load_model()
    own = [name for name in development.speakers if name.startswith(corpus)]
    fitted = fit_fusion(development, left_out=set(own))
    scores = []
    for name in own:
        rows = np.array(development.owners) == name
        awake = fitted.log_likelihood_ratios(development.measurements.rows(rows)) >= np.log(9)
        labels = development.labels[rows]
        scores.append((~awake[labels]).mean() + 9 * awake[~labels].mean())
    assert np.mean(scores) <= 0.33
