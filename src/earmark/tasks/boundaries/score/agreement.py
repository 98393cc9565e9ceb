"""How far a panel agrees with itself."""

from typing import NamedTuple

import numpy as np

from earmark.stats import agreement
from earmark.tasks.boundaries.values import Panel


class AgreementCounts(NamedTuple):
    """Votes on words that two people or more marked, and the most there could be."""

    votes: int
    possible: int


def count_agreement(panel: Panel, *, final: bool) -> AgreementCounts:
    """Count what the paper's agreement ratio divides (eq. 6 and 7)."""
    words, counts = panel.votes(final=final)
    return AgreementCounts(int(counts[counts >= 2].sum()), len(panel.references) * len(words))


def kappa(panel: Panel, *, final: bool, marked_only: bool = False) -> float:
    """Return Fleiss' kappa of two labels per word, boundary and none.

    With `marked_only`, words that nobody marked are left out, as in one of the figures that the
    authors' tool prints. nan with one person, or when everybody marked everything or nothing.
    """
    words, counts = panel.votes(final=final)
    table = np.column_stack([counts, len(panel.references) - counts])  # (marked words, 2)
    unmarked = 0 if marked_only else panel.length - len(words)
    return agreement.fleiss_kappa(table, unanimous=unmarked)
