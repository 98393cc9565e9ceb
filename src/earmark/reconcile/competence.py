"""What changes when only people of enough competence count."""

from dataclasses import dataclass

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.reconcile.ballots import Coded
from earmark.stats.agreement import krippendorff_alpha


@dataclass(frozen=True, slots=True)
class Trusted:
    """People and answers above a threshold of competence; `alpha` is nan when undefined."""

    threshold: float
    people: int
    answers: int
    alpha: float


def trusted(competence: Floats, threshold: float) -> Bools:
    """Return who lies strictly above the threshold, as in the paper's "higher than 0.6"."""
    return np.asarray(competence > threshold)


def alpha_by_trust(
    answers: Coded, competence: Floats, thresholds: tuple[float, ...]
) -> tuple[Trusted, ...]:
    """Return Krippendorff's alpha of those who remain, for each threshold.

    Items with fewer than two remaining answers cannot be paired and drop out of alpha.
    """
    return tuple(_remaining(answers, competence, threshold) for threshold in thresholds)


def _remaining(answers: Coded, competence: Floats, threshold: float) -> Trusted:
    remaining = answers.only(trusted(competence, threshold))
    alpha = krippendorff_alpha(remaining.votes())
    return Trusted(threshold, len(np.unique(remaining.person)), remaining.answers, alpha)
