"""Keep the people we trust, and see what that changes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.reconcile.ballots import Coded, Floats
from earmark.stats.agreement import krippendorff_alpha


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
    return Trusted(threshold, len(given), kept.answers, krippendorff_alpha(kept.votes()))
