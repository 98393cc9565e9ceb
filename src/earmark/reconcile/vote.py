"""One vote per answer: majority and shares of votes."""

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.reconcile.ballots import Coded
from earmark.reconcile.fit import FittedLabels
from earmark.stats.rates import proportion

# Shares are compared after rounding to this many digits, so that 4 of 5 is at least 0.8.
DIGITS = 12


def shares(answers: Coded) -> Floats:
    """Return the share of each item's answers that chose each label (items, labels).

    nan where nobody answered.
    """
    votes = answers.votes()
    with np.errstate(invalid="ignore"):
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def majority(answers: Coded) -> FittedLabels:
    """Return vote shares as posterior, and how often each person voted with the majority.

    An item that nobody answered gets equal shares. Of equal labels the first in sorted order is
    chosen; the tie shows in its doubt.

    Examples
    --------
    >>> from earmark.reconcile.ballots import code_rows
    >>> fit = majority(code_rows([("a", "x", "no"), ("a", "y", "no"), ("a", "z", "yes")]))
    >>> fit.chosen().tolist(), fit.competence.tolist()
    ([0], [1.0, 1.0, 0.0])
    """
    voted = shares(answers)
    voted = np.where(np.isnan(voted), 1 / len(answers.labels), voted)
    chosen = np.argmax(voted, axis=1)
    agreed = np.bincount(
        answers.person[chosen[answers.item] == answers.label], minlength=len(answers.people)
    )
    total = np.bincount(answers.person, minlength=len(answers.people))
    pairs = zip(agreed, total, strict=True)
    return FittedLabels(voted, np.array([proportion(float(a), of=float(n)) for a, n in pairs]))


def at_least(answers: Coded, label: int, threshold: float) -> Bools:
    """Return for which items at least this share chose `label`; never those without answers."""
    voted = np.nan_to_num(shares(answers)[:, label])
    return np.asarray(np.round(voted, DIGITS) >= round(threshold, DIGITS))
