"""The compiled walk through the prefix tree of phones: one row of the edit table per node.

Words with the same beginning share the rows of that beginning. The walk goes depth-first; a branch
whose whole row exceeds the limit cannot come back below it and is left.
"""

import numpy as np

from earmark.arrays import Floats32, Ints
from earmark.kernels import njit

DEEPEST = 64  # phones; deeper branches, which no word of CMUdict needs, are not followed
SLACK = 1e-6  # edits are sums of 0.5 and 1 in single precision


@njit(cache=True)  # type: ignore[untyped-decorator]
def search(
    query: Ints, costs: Floats32, phone: Ints, child: Ints, sibling: Ints, limit: float
) -> tuple[Ints, Floats32]:
    """Return the nodes within `limit` edits of the query, and their edits.

    `path[d]` is the node at depth d of the walk, `rows[d]` its row of the edit table: the edits
    from the phones down to it to every beginning of the query.
    """
    width = query.size + 1
    rows = np.zeros((DEEPEST, width), np.float32)
    rows[0] = np.arange(width)
    path = np.zeros(DEEPEST, np.int64)
    nodes = np.zeros(phone.size, np.int64)
    edits = np.zeros(phone.size, np.float32)
    size = 0
    depth = 1
    path[1] = child[0]
    while depth > 0:
        node = path[depth]
        if node < 0:
            depth -= 1
            if depth > 0:
                path[depth] = sibling[path[depth]]
            continue
        least = _row(query, costs, phone[node], rows[depth - 1], rows[depth])
        if rows[depth, width - 1] <= limit + SLACK:
            nodes[size] = node
            edits[size] = rows[depth, width - 1]
            size += 1
        if least <= limit + SLACK and depth + 1 < DEEPEST:
            depth += 1
            path[depth] = child[node]
        else:
            path[depth] = sibling[node]
    return nodes[:size], edits[:size]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _row(query: Ints, costs: Floats32, phone: int, above: Floats32, row: Floats32) -> float:
    """Fill one row of the edit table from the one above; return its least entry."""
    row[0] = above[0] + 1
    least = row[0]
    for index in range(query.size):
        best = above[index] + costs[query[index], phone]
        best = min(best, above[index + 1] + 1)
        best = min(best, row[index] + 1)
        row[index + 1] = best
        least = min(least, best)
    return float(least)
