"""One decision from several numbers: a logistic regression learned from development trials.

Every number is relative to what the speaker's own self-trials reach, and points the same way: the
higher, the more it speaks for waking. No weight may be negative: a better match never speaks
against waking, whatever a small development set says. The speaker under test, or a whole corpus,
is left out of the fit.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.tasks.keywords.run.comparison import MEASURES
from earmark.tasks.keywords.run.development import DevelopmentSet, Measurements, corpus_of
from earmark.values.errors import InputError

# The columns of the regression, as a model's card names them: signs and measures that are added.
FEATURES: dict[str, tuple[tuple[float, str], ...]] = {
    "keyword": ((-1.0, "mfcc_cost"),),
    "keyword_backwards": ((-1.0, "mfcc_cost"), (1.0, "mfcc_backwards_cost")),
    "keyword_worst": ((-1.0, "mfcc_worst_cost"),),
    "sound": ((-1.0, "sound_cost"),),
    "sound_backwards": ((-1.0, "sound_cost"), (1.0, "sound_backwards_cost")),
    "sound_worst": ((-1.0, "sound_worst_cost"),),
    "voice": ((1.0, "first_cosine"),),
    "second_voice": ((1.0, "second_cosine"),),
    "noise": ((-1.0, "contrast"),),
    "stretch": ((-1.0, "stretch"),),
}
VOICE_FEATURES = ("voice", "second_voice")
# Inverse regularisation strength C, as in scikit-learn: the penalty on the standardised weights is
# |w|^2 / (2 C), a normal prior of variance C on each. Taken over from the first version of `auto`.
C = 0.5
# Corpora of synthetic voices begin with their engine, eSpeak NG or Kokoro; all voices of an engine
# are one corpus where corpora are weighted.
SYNTHETIC = ("ES", "KO")


@dataclass(frozen=True, slots=True, eq=False)
class Fusion:
    """A fitted fusion: the log likelihood ratio is `features @ weights + intercept`."""

    names: tuple[str, ...]
    weights: Floats  # (features,)
    intercept: float

    def log_likelihood_ratios(self, trials: Measurements) -> Floats:
        """Return the log likelihood ratio of "must wake" for every trial, (trials,)."""
        features = feature_matrix(trials, self.names)
        return np.asarray(features @ self.weights + self.intercept)

    def highest(self, trials: Measurements) -> Floats:
        """Return the ratios that the trials could reach if their voice were the speaker's own.

        A cosine is at most 1, so this is a bound that needs no speaker network.
        """
        own = trials.trials.copy()
        for name in VOICE_FEATURES:
            for _, measure in FEATURES[name]:
                own[:, MEASURES.index(measure)] = 1.0
        return self.log_likelihood_ratios(Measurements(own, trials.expected, trials.spread))


def fit_fusion(
    development: DevelopmentSet, *, left_out: Collection[str] = (), second_voice: bool = True
) -> Fusion:
    """Fit the fusion to all development speakers but those left out.

    Targets and others weigh the same within every corpus, and every corpus the same, the voices of
    an engine as one: so the logit is a log likelihood ratio, with prior odds of 1, and no corpus
    decides because it is large.
    """
    rows = np.array([owner not in left_out for owner in development.owners])
    owners = [owner for owner in development.owners if owner not in left_out]
    if len(set(owners)) < 2:
        raise InputError(
            "a fusion needs at least two development speakers besides the one under test",
            got=f"{len(set(owners))} of {len(set(development.owners))}",
        )
    trials = development.measurements.rows(rows)
    # a table that was made without the second network has no numbers of it
    second_voice &= bool(np.isfinite(trials.trials[:, MEASURES.index("second_cosine")]).all())
    names = tuple(name for name in FEATURES if second_voice or name != "second_voice")
    features = feature_matrix(trials, names)
    labels = development.labels[rows]
    weights, intercept = fit_signed(features, labels, _trial_weights(owners, labels))
    return Fusion(names, weights, intercept)


def feature_matrix(trials: Measurements, names: Collection[str]) -> Floats:
    """Return the regression's input, (trials, features), relative to the speakers' self-trials."""
    relative = trials.trials - trials.expected
    columns = [
        sum(sign * relative[:, MEASURES.index(measure)] for sign, measure in FEATURES[name])
        for name in names
    ]
    return np.stack(columns, axis=1)


def _trial_weights(owners: Collection[str], labels: Bools) -> Floats:
    """Return a weight per trial; they add up to the number of trials."""
    groups = [engine_of(owner) or corpus_of(owner) for owner in owners]
    cells = [f"{group} {label}" for group, label in zip(groups, labels, strict=True)]
    names, places, sizes = np.unique(cells, return_inverse=True, return_counts=True)
    return np.asarray(len(cells) / len(names) / sizes[places])


def engine_of(speaker: str) -> str:
    """Return the engine of a synthetic voice, "" for a person.

    Examples
    --------
    >>> engine_of("ESptbr01"), engine_of("KOfr02"), engine_of("DA0003")
    ('ES', 'KO', '')
    """
    return next((engine for engine in SYNTHETIC if speaker.startswith(engine)), "")


def fit_signed(features: Floats, labels: Bools, weights: Floats) -> tuple[Floats, float]:
    """Fit a logistic regression with an L2 penalty and no negative weight.

    Columns are standardised for the fit; the weights that are returned apply to the features as
    they are. The intercept is not penalised and may have any sign.
    """
    from scipy.optimize import minimize

    mean, deviation = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-9)
    x = np.column_stack([(features - mean) / deviation, np.ones(len(features))])
    signs = np.where(labels, 1.0, -1.0)
    size = features.shape[1]
    shrink = np.append(np.full(size, 1 / C), 0.0)

    def loss(w: Floats) -> tuple[float, Floats]:
        margin = signs * (x @ w)
        value = float(weights @ np.logaddexp(0, -margin) + shrink @ w**2 / 2)
        pull = -signs * weights / (1 + np.exp(np.clip(margin, -500, 500)))
        return value, x.T @ pull + shrink * w

    bounds = [(0.0, None)] * size + [(None, None)]
    settings = {"ftol": 1e-12, "gtol": 1e-8, "maxiter": 1000}
    best = minimize(
        loss, np.zeros(size + 1), jac=True, bounds=bounds, method="L-BFGS-B", options=settings
    ).x
    raw = best[:-1] / deviation
    return raw, float(best[-1] - raw @ mean)
