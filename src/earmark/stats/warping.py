"""Dynamic time warping (DTW): how far two sequences differ when time may stretch.

A matrix of distances has a row for every frame of one sequence and a column for every frame of the
other. A path through it, by steps down, right or diagonally, aligns the two. There are two kinds:
`segmental` searches a short query anywhere in a long stream, every cell storing the smallest
*average* distance so far (segmental local normalised DTW); `whole` aligns two sequences from end
to end. Each has a compiled kernel and a plain version in Python that the tests compare with it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats, Floats32
from earmark.stats.vectors import unit_rows

Matrix = Floats32  # (frames of one, frames of the other), or (frames, values)
DIAGONAL_STEPS = 2  # a diagonal step goes forward in both sequences, so it counts twice


@dataclass(frozen=True, slots=True)
class MatchCurve:
    """For every column of the stream, the average cost of the best match that ends there.

    `start` is the column at which that match begins. Both are (columns,).
    """

    cost: Floats
    start: NDArray[np.int32]

    @property
    def end(self) -> int:
        """The column at which the best match of all ends."""
        return int(np.argmin(self.cost))

    @property
    def best(self) -> float:
        """The smallest average cost."""
        return float(self.cost.min())


def cosine_distances(query: Matrix, stream: Matrix) -> Matrix:
    """Return 1 - cosine of every row of the query and of the stream, all of unit length."""
    distances = query @ stream.T
    np.subtract(np.float32(1.0), distances, out=distances)
    return distances


def segmental(distances: Matrix) -> MatchCurve:
    """Search a query (rows) in a stream (columns) by segmental local normalised DTW.

    A path may start at any column of the first row. A step up or left adds the cell's distance
    and one to the length, a diagonal step adds the distance once and two to the length; of the
    three, the step with the smallest average wins and the diagonal wins ties. The choice is
    greedy, as in the public code of Hou et al. 2016, and not the smallest average of all paths.

    Examples
    --------
    >>> curve = segmental(np.array([[1, 0, 1], [1, 1, 0]], dtype=np.float32))
    >>> curve.best, curve.end, int(curve.start[curve.end])
    (0.0, 2, 1)
    """
    from earmark.stats.warping_kernels import segmental_kernel

    cost, start = segmental_kernel(np.ascontiguousarray(distances, dtype=np.float32))
    return MatchCurve(cost, start)


def segmental_plain(distances: Matrix) -> MatchCurve:
    """Do the same as `segmental`, cell by cell in Python."""
    rows, columns = distances.shape
    cells = {(0, j): (float(distances[0, j]), 1, j) for j in range(columns)}
    for i in range(1, rows):
        cost, length, start = cells[i - 1, 0]
        cells[i, 0] = (cost + float(distances[i, 0]), length + 1, start)
    for i in range(1, rows):
        for j in range(1, columns):
            cells[i, j] = _best_step(cells, i, j, float(distances[i, j]))
    last = [cells[rows - 1, j] for j in range(columns)]
    return MatchCurve(
        np.array([cost / length for cost, length, _ in last]),
        np.array([start for _, _, start in last], dtype=np.int32),
    )


def _best_step(
    cells: dict[tuple[int, int], tuple[float, int, int]], i: int, j: int, distance: float
) -> tuple[float, int, int]:
    """Return the step with the smallest average; a / b and c / d are compared as a d and c b."""
    steps = (((i - 1, j - 1), DIAGONAL_STEPS), ((i - 1, j), 1), ((i, j - 1), 1))
    best, *others = [
        (cells[cell][0] + distance, cells[cell][1] + longer, cells[cell][2])
        for cell, longer in steps
    ]
    for other in others:
        if other[0] * best[1] < best[0] * other[1]:
            best = other
    return best


def segmental_path(distances: Matrix) -> list[tuple[int, int]]:
    """Return the cells of the best match, from its first row to its last, for a picture."""
    from earmark.stats.warping_kernels import segmental_moves

    moves, cost = segmental_moves(np.ascontiguousarray(distances, dtype=np.float32))
    i, j = len(moves) - 1, int(np.argmin(cost))
    path = [(i, j)]
    while i > 0:
        i, j = _previous_cell(int(moves[i, j]), i, j)
        path.append((i, j))
    return path[::-1]


def _previous_cell(move: int, i: int, j: int) -> tuple[int, int]:
    """Return the cell from which a move (0 diagonal, 1 down, 2 right) led here."""
    return ((i - 1, j - 1), (i - 1, j), (i, j - 1))[move]


def whole(distances: Matrix, *, diagonal_weight: float = 1.0) -> tuple[float, NDArray[np.int32]]:
    """Return the cost of the best path from corner to corner, and its cells (steps, 2).

    `diagonal_weight` is how often a diagonal step pays the cell's distance: 1 gives the plain
    recursion, 2 the symmetric one (symmetric2 of Sakoe and Chiba), in which a path's weights add up
    to the frames of both sequences, less one for the first cell, which is paid once.

    Examples
    --------
    >>> cost, path = whole(np.array([[0, 1], [1, 0]], dtype=np.float32))
    >>> cost, path.tolist()
    (0.0, [[0, 0], [1, 1]])
    """
    from earmark.stats.warping_kernels import whole_kernel

    cost, path = whole_kernel(np.ascontiguousarray(distances, dtype=np.float32), diagonal_weight)
    return float(cost), path


def whole_cost(distances: Matrix, *, diagonal_weight: float = 1.0) -> float:
    """Return the cost that `whole` returns, without storing the path."""
    from earmark.stats.warping_kernels import whole_cost_kernel

    matrix = np.ascontiguousarray(distances, dtype=np.float32)
    return float(whole_cost_kernel(matrix, diagonal_weight))


def whole_plain(distances: Matrix, *, diagonal_weight: float = 1.0) -> float:
    """Do the same as `whole_cost`, cell by cell in Python."""
    rows, columns = distances.shape
    reached = np.full((rows, columns), np.inf)
    for i in range(rows):
        for j in range(columns):
            here = float(distances[i, j])
            ways = [here] if i == j == 0 else []
            if i and j:
                ways.append(reached[i - 1, j - 1] + diagonal_weight * here)
            if i:
                ways.append(reached[i - 1, j] + here)
            if j:
                ways.append(reached[i, j - 1] + here)
            reached[i, j] = min(ways)
    return float(reached[-1, -1])


def symmetric_distance(first: Matrix, second: Matrix) -> float:
    """Return the symmetric DTW of two sequences of unit rows, over the sum of their lengths."""
    cost = whole_cost(cosine_distances(first, second), diagonal_weight=2.0)
    return cost / (len(first) + len(second))


def average_pair(first: Matrix, second: Matrix) -> Matrix:
    """Return the first sequence, every frame averaged with those of the second aligned to it.

    The length is the first's. A frame and the k frames aligned to it weigh 1 / (k + 1) each.

    Examples
    --------
    >>> average_pair(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    _, path = whole(cosine_distances(first, second))
    total = first.astype(np.float64)
    size = np.ones(len(first))
    np.add.at(total, path[:, 0], second[path[:, 1]])
    np.add.at(size, path[:, 0], 1)
    return np.asarray(total / size[:, None], dtype=np.float32)


def average_templates(templates: list[Matrix], *, farthest_first: bool = True) -> Matrix:
    """Return one template from several, by merging pairs until one is left.

    The public code of Hou et al. 2016 merges the pair that differs *most* first (its variables say
    minimum); `farthest_first=False` merges the most similar pair instead. The merged pair goes to
    the front of the list. A later merge weighs as much as all earlier ones together.
    """
    left = [unit_rows(template) for template in templates]
    while len(left) > 1:
        pairs = [(i, j) for i in range(len(left)) for j in range(i + 1, len(left))]
        costs = [_path_cost(left[i], left[j]) for i, j in pairs]
        chosen = int(np.argmax(costs) if farthest_first else np.argmin(costs))
        i, j = pairs[chosen]
        merged = unit_rows(average_pair(left[i], left[j]))
        left = [merged, *(one for k, one in enumerate(left) if k not in (i, j))]
    return left[0]


def _path_cost(first: Matrix, second: Matrix) -> float:
    cost, path = whole(cosine_distances(first, second))
    return cost / len(path)
