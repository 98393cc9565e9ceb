"""The edit distance between two segmentations: boundaries added, and boundaries moved a little.

Fournier 2013. A boundary of one side and one of the other that are close to each other and both
unmatched count as one boundary that was moved; nearest pairs first, then from the left. All other
boundaries that only one side has were added or left out.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from earmark.arrays import Ints
from earmark.tasks.boundaries.score.pairs import count_shared


class Ratio(NamedTuple):
    """A part of a whole, undivided, so that ratios of several references can be pooled."""

    part: float
    whole: float


@dataclass(frozen=True, slots=True)
class Edits:
    """How many boundaries match, were moved (and by how many words in all), or were added.

    `reach` is the number of positions that a move may span, both ends counted: the n_t of
    Fournier 2013.
    """

    matched: int
    moved: int
    moved_words: int
    added: int
    reach: int

    @property
    def similarity(self) -> Ratio:
        """Boundary Similarity: the boundaries that agree, of all boundaries."""
        whole = self.matched + self.moved + self.added
        return Ratio(whole - self.cost, whole)

    @property
    def cost(self) -> float:
        """One per added boundary, part of one per moved boundary."""
        return self.added + self.moved_words / self.reach


def count_edits(reference: Ints, output: Ints, *, offset: int = 1) -> Edits:
    """Count the edits between two ascending arrays of inner boundaries.

    A boundary may move by at most `offset` words. Distances are tried from the nearest on; what is
    paired at one distance is taken out before the next.

    Examples
    --------
    >>> count_edits(np.array([3, 9]), np.array([4, 9]))
    Edits(matched=1, moved=1, moved_words=1, added=0, reach=2)
    """
    matched = count_shared(reference, output)
    only_reference = np.setdiff1d(reference, output, assume_unique=True)
    only_output = np.setdiff1d(output, reference, assume_unique=True)
    moved = moved_words = 0
    for distance in range(1, offset + 1):
        if not len(only_reference) or not len(only_output):
            break
        starts = _moves(only_reference, only_output, distance)
        moved += len(starts)
        moved_words += len(starts) * distance
        paired = np.concatenate([starts, starts + distance])
        only_reference = np.setdiff1d(only_reference, paired, assume_unique=True)
        only_output = np.setdiff1d(only_output, paired, assume_unique=True)
    added = len(only_reference) + len(only_output)
    return Edits(matched, moved, moved_words, added, reach=offset + 1)


def _moves(left: Ints, right: Ints, distance: int) -> Ints:
    """Return where moves of exactly `distance` words begin, each boundary moving at most once.

    Candidates are positions p with a boundary of one side at p and of the other at p + distance.
    They form chains p, p + distance, p + 2 distance, ... in which neighbours share a boundary;
    pairing greedily from the left takes every other candidate of a chain. Sorted by remainder and
    then by position, the candidates of a chain are neighbours in the array.
    """
    forward = np.intersect1d(left, right - distance, assume_unique=True)
    backward = np.intersect1d(right, left - distance, assume_unique=True)
    starts = np.concatenate([forward, backward])
    if not len(starts):
        return starts
    starts = starts[np.lexsort((starts, starts % distance))]
    begins_chain = np.ones(len(starts), dtype=bool)
    begins_chain[1:] = np.diff(starts) != distance
    first_of_chain = np.flatnonzero(begins_chain)[np.cumsum(begins_chain) - 1]
    place_in_chain = np.arange(len(starts)) - first_of_chain
    return np.sort(starts[place_in_chain % 2 == 0])
