"""Boundaries as sorted positions, made once for each value and remembered."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values.errors import InputError

Ints = NDArray[np.int64]
REMEMBERED = 256


@lru_cache(maxsize=REMEMBERED)
def _all_positions(boundaries: Boundaries) -> Ints:
    found = np.fromiter(boundaries.after, dtype=np.int64, count=len(boundaries.after))
    found.sort()
    found.setflags(write=False)
    return found


def positions(boundaries: Boundaries, *, final: bool = True) -> Ints:
    """The words that end a unit, in order; without the last word of the text when not `final`."""
    found = _all_positions(boundaries)
    if not final and len(found) and found[-1] == boundaries.length - 1:
        return found[:-1]
    return found


@lru_cache(maxsize=REMEMBERED)
def general(panel: Panel, final: bool) -> tuple[Ints, Ints]:
    """The general reference, sparse: the words anybody marked, and how many people did (eq. 4)."""
    marked = np.concatenate([positions(one, final=final) for one in panel.references])
    where, votes = np.unique(marked, return_counts=True)
    return where, votes.astype(np.int64)


def same_length(panel: Panel, output: Boundaries) -> None:
    """Nothing, unless the two sides speak of different numbers of words."""
    if panel.length != output.length:
        raise InputError(
            "reference and output must have the same words",
            got=f"{panel.length} words in the reference, {output.length} in the output",
            fix="align them first: earmark measure boundaries does",
        )


def count_shared(left: Ints, right: Ints) -> int:
    """How many positions stand in both sorted lists.

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
