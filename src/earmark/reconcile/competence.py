"""Keep the people we trust, and see what that changes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.reconcile.ballots import Coded, Floats


@dataclass(frozen=True, slots=True)
class Trusted:
    """What is left when only people above a threshold count; alpha is nan when undefined."""

    threshold: float
    people: int
    answers: int
    alpha: float


def trusted(competence: Floats, threshold: float) -> NDArray[np.bool_]:
    """Who lies strictly above the threshold, as in the paper's "higher than 0.6"."""
    return np.asarray(competence > threshold)


def alpha_by_trust(
    answers: Coded, competence: Floats, thresholds: tuple[float, ...]
) -> tuple[Trusted, ...]:
    """Krippendorff's alpha of those who remain, threshold by threshold.

    Items with fewer than two remaining answers cannot be paired and drop out of alpha.
    """
    return tuple(_remaining(answers, competence, threshold) for threshold in thresholds)


def _remaining(answers: Coded, competence: Floats, threshold: float) -> Trusted:
    keep = trusted(competence, threshold)
    kept = answers.kept(keep)
    given = np.unique(kept.person)
    return Trusted(threshold, len(given), kept.answers, nominal_alpha(kept.votes()))


def nominal_alpha(votes: Floats) -> float:
    """Krippendorff's alpha for nominal labels from votes, items by labels; nan when undefined.

    Undefined when no item has two answers, or when everybody always says the same.

    Examples
    --------
    >>> import numpy as np
    >>> nominal_alpha(np.array([[2.0, 0.0], [0.0, 2.0]]))
    1.0
    """
    pairable = votes[votes.sum(axis=1) >= 2]
    given = pairable.sum(axis=1)
    total = given.sum()
    by_label = pairable.sum(axis=0)
    expected = total * total - (by_label * by_label).sum()
    if total < 2 or expected == 0:
        return float("nan")
    differing = ((given**2 - (pairable**2).sum(axis=1)) / (given - 1)).sum()
    return float(1 - (total - 1) * differing / expected)
