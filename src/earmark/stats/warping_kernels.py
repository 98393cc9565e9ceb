"""The compiled loops of `warping`. Imported only when a sequence is really warped.

All fill a table row by row from the top left; a cell depends on the cell above it, the one to its
left, and the one diagonally before. Where only the last row is needed, one row is stored and
overwritten: before cell j is written it still holds the cell above, and cell j - 1 is already the
left neighbour; only the diagonal neighbour must be remembered, in variables named `far_`.
"""

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats
from earmark.kernels import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def segmental_kernel(distances: NDArray[np.float32]) -> tuple[Floats, NDArray[np.int32]]:
    """Return average cost and start of the best match that ends at each column, (columns,) each.

    For the row at hand, `cost` and `length` are the sum and the number of steps of the best path
    that ends at each column, `start` the column at which it began. Two averages are compared by
    multiplying crosswise, which needs no division in the inner loop.
    """
    rows, columns = distances.shape
    cost = distances[0].astype(np.float64)
    length = np.ones(columns)
    start = np.arange(columns).astype(np.int32)
    for i in range(1, rows):
        far_cost, far_length, far_start = cost[0], length[0], start[0]
        cost[0] += distances[i, 0]
        length[0] += 1
        for j in range(1, columns):
            here = np.float64(distances[i, j])
            up_cost, up_length, up_start = cost[j], length[j], start[j]
            total, steps, begin = far_cost + here, far_length + 2, far_start
            up, up_steps = up_cost + here, up_length + 1
            if up * steps < total * up_steps:
                total, steps, begin = up, up_steps, up_start
            left, left_steps = cost[j - 1] + here, length[j - 1] + 1
            if left * steps < total * left_steps:
                total, steps, begin = left, left_steps, start[j - 1]
            cost[j], length[j], start[j] = total, steps, begin
            far_cost, far_length, far_start = up_cost, up_length, up_start
    return cost / length, start


@njit(cache=True)  # type: ignore[untyped-decorator]
def segmental_moves(distances: NDArray[np.float32]) -> tuple[NDArray[np.int8], Floats]:
    """Return the move into each cell (0 diagonal, 1 down, 2 right) and the last row's averages.

    The same recursion as `segmental_kernel`, with the whole table stored to walk back.
    """
    rows, columns = distances.shape
    cost = np.empty((rows, columns))
    length = np.ones((rows, columns))
    moves = np.ones((rows, columns), dtype=np.int8)
    cost[0] = distances[0]
    for i in range(1, rows):
        cost[i, 0], length[i, 0] = cost[i - 1, 0] + distances[i, 0], length[i - 1, 0] + 1
        for j in range(1, columns):
            here = np.float64(distances[i, j])
            total, steps, move = cost[i - 1, j - 1] + here, length[i - 1, j - 1] + 2, 0
            up, up_steps = cost[i - 1, j] + here, length[i - 1, j] + 1
            if up * steps < total * up_steps:
                total, steps, move = up, up_steps, 1
            left, left_steps = cost[i, j - 1] + here, length[i, j - 1] + 1
            if left * steps < total * left_steps:
                total, steps, move = left, left_steps, 2
            cost[i, j], length[i, j], moves[i, j] = total, steps, move
    return moves, cost[-1] / length[-1]


@njit(cache=True)  # type: ignore[untyped-decorator]
def whole_cost_kernel(distances: NDArray[np.float32], diagonal_weight: float) -> float:
    """Return the cost of the best path from corner to corner, storing two rows at a time.

    A column of infinity on the left stands for "no path"; only its top cell is 0, the start.
    """
    rows, columns = distances.shape
    above = np.full(columns + 1, np.inf)
    above[0] = 0.0
    row = np.empty(columns + 1)
    for i in range(rows):
        row[0] = np.inf
        for j in range(columns):
            here = np.float64(distances[i, j])
            far = above[j] + (here if i == 0 and j == 0 else diagonal_weight * here)
            row[j + 1] = min(far, min(above[j + 1], row[j]) + here)
        above[0] = np.inf
        above, row = row, above
    return float(above[columns])


@njit(cache=True)  # type: ignore[untyped-decorator]
def whole_kernel(
    distances: NDArray[np.float32], diagonal_weight: float
) -> tuple[float, NDArray[np.int32]]:
    """Return the cost of the best path from corner to corner, and its cells (steps, 2).

    `reached` has a row and a column of infinity before the matrix, so cell (i, j) is at
    `reached[i + 1, j + 1]`. The path is walked back from the end by asking again which of the
    three ways into a cell was the cheapest; the diagonal wins ties, then the way from above.
    """
    rows, columns = distances.shape
    reached = np.full((rows + 1, columns + 1), np.inf)
    reached[0, 0] = 0.0
    for i in range(rows):
        for j in range(columns):
            here = np.float64(distances[i, j])
            far = reached[i, j] + (here if i == 0 and j == 0 else diagonal_weight * here)
            reached[i + 1, j + 1] = min(far, min(reached[i, j + 1], reached[i + 1, j]) + here)
    path = np.empty((rows + columns, 2), dtype=np.int32)
    i, j, size = rows - 1, columns - 1, 0
    path[0, 0], path[0, 1] = i, j
    while i > 0 or j > 0:
        here = np.float64(distances[i, j])
        far = reached[i, j] + diagonal_weight * here
        up, left = reached[i, j + 1] + here, reached[i + 1, j] + here
        if i > 0 and j > 0 and far <= up and far <= left:
            i, j = i - 1, j - 1
        elif i > 0 and (j == 0 or up <= left):
            i -= 1
        else:
            j -= 1
        size += 1
        path[size, 0], path[size, 1] = i, j
    return float(reached[rows, columns]), path[: size + 1][::-1].copy()
