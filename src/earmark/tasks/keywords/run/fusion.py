"""One decision from eight numbers: a logistic regression learned from development trials.

The speaker under test is always left out of the fit, as an owner of trials and as a member of the
cohort. Scores on the development speakers are therefore leave-one-speaker-out by construction.
"""

from dataclasses import dataclass

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.tasks.keywords.run.development import DevelopmentSet, Measurements
from earmark.values.errors import InputError

# The columns of the regression, as a model's card names them.
FEATURES = (
    "keyword",
    "keyword_cohort",
    "sound",
    "sound_cohort",
    "voice",
    "contrast",
    "tail",
    "stretch",
)
# Inverse regularisation strength C, as in scikit-learn: the penalty on the standardised weights is
# |w|^2 / (2 C). Chosen with the features by leave-one-speaker-out on the development speakers.
C = 0.5
# Newton's method needs nine steps on the shipped table; the limit only ends an endless loop.
MOST_STEPS = 50
SMALLEST_STEP = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class LogisticRegression:
    """The logit of a label is `features @ weights + intercept`."""

    weights: Floats  # (features,)
    intercept: float


@dataclass(frozen=True, slots=True, eq=False)
class Fusion:
    """A fitted fusion: which members of the cohort count, and the regression."""

    members: Bools  # (cohort,)
    regression: LogisticRegression
    prior_log_odds: float

    def log_likelihood_ratio(self, trial: Measurements) -> float:
        """Return the log likelihood ratio of "must wake" for the measurements of one trial.

        The regression gives posterior log odds; the log odds of the labels it was fitted to are
        taken off again.
        """
        features = feature_matrix(trial, self.members)[0]
        fitted = self.regression
        return float(features @ fitted.weights) + fitted.intercept - self.prior_log_odds


def fit_fusion(development: DevelopmentSet, *, left_out: frozenset[str]) -> Fusion:
    """Fit the fusion to all development speakers but those left out."""
    members = np.array([name not in left_out for name in development.speakers])
    rows = np.array([owner not in left_out for owner in development.owners])
    if len(set(development.owners) - left_out) < 2 or members.sum() < 2:
        raise InputError(
            "a fusion needs at least two development speakers besides the one under test",
            got=f"{int(members.sum())} of {len(development.speakers)}",
        )
    labels = development.labels[rows]
    features = feature_matrix(development.measurements.rows(rows), members)
    return Fusion(
        members=members,
        regression=fit_logistic(features, labels),
        prior_log_odds=float(np.log(labels.sum() / (~labels).sum())),
    )


def feature_matrix(trials: Measurements, members: Bools) -> Floats:
    """Return the regression's input, (trials, features), its columns in the order of FEATURES."""
    columns = {
        "keyword": trials.mfcc_relative,
        "keyword_cohort": trials.mfcc_cost - _mean_cost(trials.mfcc_cohort_costs, members),
        "sound": trials.sound_relative,
        "sound_cohort": trials.sound_cost - _mean_cost(trials.sound_cohort_costs, members),
        "voice": trials.voice_relative,
        "contrast": trials.contrast,
        "tail": trials.tail,
        "stretch": trials.stretch,
    }
    return np.stack([columns[name] for name in FEATURES], axis=1)


def _mean_cost(costs: Floats, members: Bools) -> Floats:
    """Return the log of the mean cost over those members of the cohort that are not nan."""
    return np.asarray(np.log(np.nanmean(np.exp(costs[:, members]), axis=1)))


def fit_logistic(features: Floats, labels: Bools) -> LogisticRegression:
    """Fit a logistic regression with an L2 penalty by Newton's method.

    Columns are standardised for the fit; the weights that are returned apply to the features as
    they are. The intercept is not penalised.
    """
    mean, deviation = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-9)
    # (trials, features + 1): the last column of ones carries the intercept.
    x = np.column_stack([(features - mean) / deviation, np.ones(len(features))])
    penalty = np.diag([1 / C] * features.shape[1] + [0.0])
    w = np.zeros(x.shape[1])
    for _ in range(MOST_STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - labels) + penalty @ w
        # 1e-9 keeps the Hessian invertible when every trial is classified with certainty.
        hessian = (x * (p * (1 - p) + 1e-9)[:, None]).T @ x + penalty
        step = np.linalg.solve(hessian, gradient)
        w = w - step
        if np.abs(step).max() < SMALLEST_STEP:
            break
    weights = w[:-1] / deviation
    return LogisticRegression(weights, float(w[-1] - weights @ mean))
