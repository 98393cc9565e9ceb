"""Whom to ask next: the windows whose next answer would tell most about what is active."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from earmark.reconcile.ballots import Floats
from earmark.tasks.events.gather import gather
from earmark.tasks.events.hmm import Recipe, Smoothed, binary_entropy, window_hmm
from earmark.tasks.events.sheet import Sheet
from earmark.tasks.events.values import Tags
from earmark.values.answer import Ballots


def where_doubt_is(ballots: Ballots[Tags], *, seed: int) -> Iterator[tuple[str, float]]:
    """Windows, the most telling first, with what one more answer is expected to tell in bits."""
    sheet = gather(ballots)
    found = window_hmm(sheet, Recipe())
    ordered = sorted(ballots.items, key=lambda i: (i.group, i.span.start if i.span else 0.0))
    names = [item.id for item in ordered]
    told = telling(found)
    for window in spread_out(sheet, told):
        yield names[window], float(told[window])


def telling(found: Smoothed) -> Floats:
    """Expected information of one more answer about each window, summed over labels, in bits.

    The mutual information between a typical person's yes or no and the window's hidden column:
    what the answer's entropy is now, less what it would be if the column were known.
    """
    crowd = found.says_yes.mean(axis=0)
    now = binary_entropy(found.numbers @ crowd)
    known = found.numbers @ binary_entropy(crowd)
    return np.asarray(np.maximum(now - known, 0.0).sum(axis=1))


def spread_out(sheet: Sheet, told: Floats) -> Iterator[int]:
    """Windows by what they tell, those that overlap chosen ones put back.

    Neighbours share seconds, so the second of two answers about the same seconds tells less: each
    chosen window takes off as much of a neighbour's worth as it covers of it, down to a tenth.
    """
    worth = told.astype(np.float64).copy()
    owner = np.repeat(np.arange(len(sheet.recordings)), np.diff(sheet.starts))
    shared = 1.0 - np.abs(np.arange(-sheet.cells, sheet.cells + 1)) / sheet.cells
    left = np.ones(len(worth), dtype=np.bool_)
    for _ in range(len(worth)):
        window = int(np.argmax(np.where(left, worth, -1.0)))
        left[window] = False
        yield window
        near = _near(window, sheet.cells, owner)
        worth[near] *= 1.0 - 0.9 * shared[near - window + sheet.cells]


def _near(window: int, cells: int, owner: NDArray[np.int64]) -> NDArray[np.int64]:
    near = np.arange(max(0, window - cells), min(len(owner), window + cells + 1))
    return np.asarray(near[owner[near] == owner[window]])
