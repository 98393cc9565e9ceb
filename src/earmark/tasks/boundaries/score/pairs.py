"""One output against one reference, word by word; and the ways to take several references."""

import math
from typing import NamedTuple

import numpy as np

from earmark.arrays import Ints
from earmark.stats.rates import proportion
from earmark.tasks.boundaries.values import Boundaries, Panel, require_same_length
from earmark.values.counts import Hits

# In floating point .56 * 25 people is 14.000000000000002, whose ceiling would ask for a fifteenth.
ROUNDING = 1e-9


def count_shared(left: Ints, right: Ints) -> int:
    """Return how many positions are in both of two ascending arrays.

    Examples
    --------
    >>> count_shared(np.array([1, 4, 6]), np.array([4, 5, 6]))
    2
    """
    if not len(left) or not len(right):
        return 0
    place = np.searchsorted(right, left)
    place[place == len(right)] = 0
    return int(np.count_nonzero(right[place] == left))


def count_hits(reference: Ints, output: Ints) -> Hits:
    """Count boundaries after exactly the same words, from two ascending arrays.

    Examples
    --------
    >>> count_hits(np.array([2, 5]), np.array([5, 7, 9]))
    Hits(true_positives=1, false_negatives=1, false_positives=2)
    """
    both = count_shared(reference, output)
    return Hits(both, len(reference) - both, len(output) - both)


def hits_by_reference(panel: Panel, output: Boundaries, *, final: bool) -> list[Hits]:
    """Count the hits against each reference of the panel."""
    require_same_length(panel, output)
    positions = output.positions(final=final)
    return [count_hits(one.positions(final=final), positions) for one in panel.references]


def consensus(panel: Panel, *, share: float, final: bool) -> Ints:
    """Return the words that at least this share of the people marked."""
    words, counts = panel.votes(final=final)
    return words[counts >= math.ceil(share * len(panel.references) - ROUNDING)]


def count_consensus(panel: Panel, output: Boundaries, *, share: float, final: bool) -> Hits:
    """Count the hits against what enough people agree on (Bohac et al. 2012: half of them)."""
    require_same_length(panel, output)
    agreed = consensus(panel, share=share, final=final)
    return count_hits(agreed, output.positions(final=final))


class LenientCounts(NamedTuple):
    """Errors that no reference excuses, and the references' mean number of boundaries."""

    false_positives: int
    false_negatives: int
    expected: float


def count_lenient(panel: Panel, output: Boundaries, *, final: bool) -> LenientCounts:
    """Count decisions with which no reference agrees (Kolar and Lamel 2012, second approach).

    A boundary of the output is false when no reference has it; a missing one when all have it.
    """
    require_same_length(panel, output)
    people = len(panel.references)
    words, counts = panel.votes(final=final)
    positions = output.positions(final=final)
    certain = words[counts == people]
    return LenientCounts(
        false_positives=len(positions) - count_shared(words, positions),
        false_negatives=len(certain) - count_shared(certain, positions),
        expected=proportion(float(counts.sum()), of=people),
    )
