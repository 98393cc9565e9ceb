"""One voice each: majority, union, share of votes."""

import numpy as np

from earmark.reconcile.ballots import Coded, Floats
from earmark.reconcile.fit import Fit
from earmark.stats.rates import proportion


def shares(answers: Coded) -> Floats:
    """Share of an item's answers that chose each label; nan where nobody answered."""
    votes = answers.votes()
    given = votes.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(votes / given)


def majority(answers: Coded) -> Fit:
    """Vote shares as posterior; a person's competence is how often they are with the majority.

    An item that nobody answered keeps equal shares. Of equal labels the first in sorted order is
    chosen, and its doubt shows the tie.

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
    given = np.bincount(answers.person, minlength=len(answers.people))
    pairs = zip(agreed, given, strict=True)
    return Fit(voted, np.array([proportion(float(a), of=float(g)) for a, g in pairs]))


def at_least(
    answers: Coded, label: int, wanted: float
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Items of which at least `wanted` of the answers chose `label`; never those without answers.

    Compared after rounding to twelve digits, so that 4 of 5 is at least 0.8.
    """
    return np.asarray(np.round(np.nan_to_num(shares(answers)[:, label]), 12) >= round(wanted, 12))


def union(answers: Coded, label: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Items for which anybody chose `label`."""
    return np.asarray(answers.votes()[:, label] > 0)
