"""The compiled size of the best pairing; `matching.pair` is the version to read."""

import numpy as np
from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def pairs(allowed) -> int:  # type: ignore[no-untyped-def]
    """How many one-to-one pairs the boolean array `allowed` admits.

    Augmenting paths by breadth-first search, so that no recursion is needed.
    """
    rows, columns = allowed.shape
    owner = np.full(columns, -1, np.int64)
    found = 0
    for first in range(rows):
        came_from = np.full(columns, -1, np.int64)
        queue = np.empty(rows + 1, np.int64)
        queue[0] = first
        head, tail, last = 0, 1, -1
        while head < tail and last < 0:
            row = queue[head]
            head += 1
            for column in range(columns):
                if allowed[row, column] and came_from[column] < 0:
                    came_from[column] = row
                    if owner[column] < 0:
                        last = column
                        break
                    queue[tail] = owner[column]
                    tail += 1
        if last < 0:
            continue
        found += 1
        while last >= 0:
            row = came_from[last]
            before = -1
            for column in range(columns):
                if owner[column] == row:
                    before = column
            owner[last] = row
            last = -1 if row == first else before
    return found
