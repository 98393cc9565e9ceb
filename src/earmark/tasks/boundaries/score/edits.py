"""The edit distance between two segmentations: boundaries added, and boundaries moved a little.

Fournier 2013. A boundary of one side and one of the other, close to each other and neither
matched, count as one boundary that was moved; nearest pairs first, then from the left. The rest
of what only one side has was added or left out.
"""

from dataclasses import dataclass

import numpy as np

from earmark.tasks.boundaries.score.arrays import Ints, count_shared


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

    def similarity_parts(self) -> tuple[float, int]:
        """What agrees, and all there is: their ratio is Boundary Similarity."""
        whole = self.matched + self.moved + self.added
        return whole - self.cost(), whole

    def cost(self) -> float:
        """One for an added boundary, part of one for a moved one."""
        return self.added + self.moved_words / self.reach


def count_edits(reference: Ints, output: Ints, *, offset: int = 1) -> Edits:
    """The edits between two sorted lists of inner boundaries; a move spans at most `offset` words.

    Examples
    --------
    >>> count_edits(np.array([3, 9]), np.array([4, 9]))
    Edits(matched=1, moved=1, moved_words=1, added=0, reach=2)
    """
    matched = count_shared(reference, output)
    only_reference = np.setdiff1d(reference, output, assume_unique=True)
    only_output = np.setdiff1d(output, reference, assume_unique=True)
    moved = words = 0
    for distance in range(1, offset + 1):
        if not len(only_reference) or not len(only_output):
            break
        pairs = _moves(only_reference, only_output, distance)
        moved += len(pairs)
        words += len(pairs) * distance
        ends = np.concatenate([pairs, pairs + distance])
        only_reference = np.setdiff1d(only_reference, ends, assume_unique=True)
        only_output = np.setdiff1d(only_output, ends, assume_unique=True)
    added = len(only_reference) + len(only_output)
    return Edits(matched, moved, words, added, reach=offset + 1)


def _moves(left: Ints, right: Ints, distance: int) -> Ints:
    """Where moves of exactly `distance` begin; in a chain of them, every other one from the left.

    A chain is p, p + distance, p + 2 * distance, ... with the sides taking turns: each step could
    be a move, but a boundary moves once.
    """
    forward = np.intersect1d(left, right - distance, assume_unique=True)
    backward = np.intersect1d(right, left - distance, assume_unique=True)
    starts = np.concatenate([forward, backward])
    if not len(starts):
        return starts
    starts = starts[np.lexsort((starts, starts % distance))]
    begins = np.ones(len(starts), dtype=bool)
    begins[1:] = np.diff(starts) != distance
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    return np.sort(starts[(np.arange(len(starts)) - first) % 2 == 0])
