"""One output against one reference, word by word; and the ways to take several references."""

import math
from collections.abc import Callable

from earmark.tasks.boundaries.score.arrays import (
    Ints,
    count_shared,
    general,
    positions,
    same_length,
)
from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values.counts import Hits


def count_hits(reference: Ints, output: Ints) -> Hits:
    """Boundaries that stand on the same words.

    Examples
    --------
    >>> import numpy as np
    >>> count_hits(np.array([2, 5]), np.array([5, 7, 9]))
    Hits(true_positives=1, false_negatives=1, false_positives=2)
    """
    found = count_shared(reference, output)
    return Hits(found, len(reference) - found, len(output) - found)


def hits_by_reference(panel: Panel, output: Boundaries, *, final: bool) -> list[Hits]:
    """The output against each reference of the panel."""
    same_length(panel, output)
    where = positions(output, final=final)
    return [count_hits(positions(one, final=final), where) for one in panel.references]


def mean_defined(values: list[float]) -> float:
    """The mean of those that are defined; nan when none is."""
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def mean_over(rate: Callable[[Hits], float], hits: list[Hits]) -> float:
    """The mean of a rate over references."""
    return mean_defined([rate(one) for one in hits])


def consensus(panel: Panel, *, share: float, final: bool) -> Ints:
    """The words that at least this share of the people marked."""
    where, votes = general(panel, final)
    return where[votes >= math.ceil(share * len(panel.references) - 1e-9)]


def count_consensus(panel: Panel, output: Boundaries, *, share: float, final: bool) -> Hits:
    """The output against what enough people agree on (Bohac et al. 2012: half of them)."""
    same_length(panel, output)
    return count_hits(consensus(panel, share=share, final=final), positions(output, final=final))


def count_lenient(panel: Panel, output: Boundaries, *, final: bool) -> tuple[int, int, float]:
    """Boundaries that no reference has, boundaries all have but the output, mean of references.

    Kolar and Lamel 2012, second approach: a decision is wrong only when no reference agrees.
    """
    same_length(panel, output)
    where, votes = general(panel, final)
    found = positions(output, final=final)
    made_up = len(found) - count_shared(where, found)
    certain = where[votes == len(panel.references)]
    missed = len(certain) - count_shared(certain, found)
    return made_up, missed, float(votes.sum()) / len(panel.references)
