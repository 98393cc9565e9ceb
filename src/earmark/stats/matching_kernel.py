"""The largest one-to-one pairing among those that are allowed, as a compiled loop.

Kuhn's algorithm: rows are added one by one. A new row takes a free column if it may; otherwise it
takes a column from a row that can move on to another one, and so forth. Such a chain of moves (an
augmenting path) is searched breadth-first, so that no recursion is needed. A greedy pairing without
it depends on the order and can miss pairs.
"""

import numpy as np

from earmark.kernels import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def _free_column(allowed, first, owner, came_from) -> int:  # type: ignore[no-untyped-def]
    """Return the free column at which a chain of moves from row `first` ends, or -1.

    `owner` (columns,) is the row of each column, or -1. `came_from` (columns,) must be -1
    everywhere and is filled with the row from which each column was reached, to walk back.
    """
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
    """Return how many one-to-one pairs the boolean array `allowed` (rows, columns) admits.

    `owns` is the column of each row, `owner` the row of each column; both are changed along each
    chain of moves, from its free column back to the new row.
    """
    rows, columns = allowed.shape
    owner, owns = np.full(columns, -1, np.int64), np.full(rows, -1, np.int64)
    size = 0
    for first in range(rows):
        came_from = np.full(columns, -1, np.int64)
        column = _free_column(allowed, first, owner, came_from)
        size += column >= 0
        while column >= 0:
            row = came_from[column]
            before = owns[row]
            owner[column], owns[row] = row, column
            column = before
    return size
