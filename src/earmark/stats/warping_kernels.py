"""The compiled loops of `warping`. Imported only when a sequence is really warped."""

import numba
import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Whole = NDArray[np.int32]


@numba.njit(cache=True, fastmath={"contract", "nnan", "ninf", "nsz"})  # type: ignore[untyped-decorator]
def segmental_kernel(distances: NDArray[np.float32]) -> tuple[Reals, Whole]:
    """Average cost and start of the best match that ends at each column.

    Cells are filled along anti-diagonals: all cells of one are independent of each other, so the
    inner loop runs on several at once. Averages are compared as cost over length.
    """
    rows, columns = distances.shape
    cost = np.zeros((3, rows))
    length = np.ones((3, rows))
    start = np.zeros((3, rows), dtype=np.int32)
    best = np.empty(columns)
    begins = np.empty(columns, dtype=np.int32)
    flat = distances.ravel()
    for front in range(rows + columns - 1):
        now, before, earlier = front % 3, (front + 2) % 3, (front + 1) % 3
        first = max(1, front - columns + 1)
        last = min(rows - 1, front - 1)
        cost_now, length_now, start_now = cost[now], length[now], start[now]
        cost_up, length_up, start_up = cost[before], length[before], start[before]
        cost_far, length_far, start_far = cost[earlier], length[earlier], start[earlier]
        for i in range(first, last + 1):
            here = np.float64(flat[i * columns + front - i])
            total, steps, begin = cost_far[i - 1] + here, length_far[i - 1] + 2.0, start_far[i - 1]
            average = total / steps
            up, up_steps = cost_up[i - 1] + here, length_up[i - 1] + 1.0
            up_average = up / up_steps
            left, left_steps = cost_up[i] + here, length_up[i] + 1.0
            left_average = left / left_steps
            if up_average < average:
                total, steps, begin, average = up, up_steps, start_up[i - 1], up_average
            if left_average < average:
                total, steps, begin = left, left_steps, start_up[i]
            cost_now[i], length_now[i], start_now[i] = total, steps, begin
        if front < columns:
            cost_now[0], length_now[0], start_now[0] = flat[front], 1.0, front
        if 0 < front < rows:
            cost_now[front] = cost_up[front - 1] + flat[front * columns]
            length_now[front] = length_up[front - 1] + 1.0
            start_now[front] = start_up[front - 1]
        if front >= rows - 1:
            best[front - rows + 1] = cost_now[rows - 1] / length_now[rows - 1]
            begins[front - rows + 1] = start_now[rows - 1]
    return best, begins


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def segmental_moves(distances: NDArray[np.float32]) -> tuple[NDArray[np.int8], Reals]:
    """The step taken into each cell (0 diagonal, 1 up, 2 left), and the last row's averages."""
    rows, columns = distances.shape
    cost = np.empty((rows, columns))
    length = np.ones((rows, columns))
    moves = np.zeros((rows, columns), dtype=np.int8)
    for i in range(rows):
        for j in range(columns):
            here = np.float64(distances[i, j])
            if i == 0:
                cost[i, j] = here
                continue
            cost[i, j], length[i, j] = cost[i - 1, j] + here, length[i - 1, j] + 1
            moves[i, j] = 1
            if j == 0:
                continue
            up = cost[i, j] / length[i, j]
            far, far_steps = cost[i - 1, j - 1] + here, length[i - 1, j - 1] + 2
            if far / far_steps <= up:
                cost[i, j], length[i, j], moves[i, j] = far, far_steps, 0
            left, left_steps = cost[i, j - 1] + here, length[i, j - 1] + 1
            if left / left_steps < cost[i, j] / length[i, j]:
                cost[i, j], length[i, j], moves[i, j] = left, left_steps, 2
    return moves, cost[-1] / length[-1]


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def whole_cost_kernel(distances: NDArray[np.float32], diagonal_weight: float) -> float:
    """The cost of the best path from corner to corner, two rows at a time."""
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


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def whole_kernel(distances: NDArray[np.float32], diagonal_weight: float) -> tuple[float, Whole]:
    """The cost of the best path from corner to corner, and its cells."""
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
