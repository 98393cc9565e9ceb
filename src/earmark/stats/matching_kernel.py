"""The compiled size of the best pairing; `matching.pair` is the version to read."""

import numpy as np
from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def _reach(allowed, first, owner, came_from) -> int:  # type: ignore[no-untyped-def]
    """Search outwards from a row for a column that nobody owns; -1 when there is none."""
    rows, columns = allowed.shape
    queue = np.empty(rows + 1, np.int64)
    queue[0] = first
    head, tail = 0, 1
    while head < tail:
        row = queue[head]
        head += 1
        for column in range(columns):
            if allowed[row, column] and came_from[column] < 0:
                came_from[column] = row
                if owner[column] < 0:
                    return int(column)
                queue[tail] = owner[column]
                tail += 1
    return -1


@njit(cache=True)  # type: ignore[untyped-decorator]
def pairs(allowed) -> int:  # type: ignore[no-untyped-def]
    """How many one-to-one pairs the boolean array `allowed` admits.

    Augmenting paths by breadth-first search, so that no recursion is needed. `owns` is the column
    of each row, `owner` the row of each column.
    """
    rows, columns = allowed.shape
    owner, owns = np.full(columns, -1, np.int64), np.full(rows, -1, np.int64)
    found = 0
    for first in range(rows):
        came_from = np.full(columns, -1, np.int64)
        column = _reach(allowed, first, owner, came_from)
        found += column >= 0
        while column >= 0:
            row = came_from[column]
            before = owns[row]
            owner[column], owns[row] = row, column
            column = before
    return found
