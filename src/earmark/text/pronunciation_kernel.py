"""The compiled walk through the tree of phones: one row of the edit table a node."""

from typing import Any

import numpy as np
from numba import njit

Array = Any
DEEPEST = 64


@njit(cache=True)  # type: ignore[untyped-decorator]
def search(
    query: Array, costs: Array, phone: Array, child: Array, sibling: Array, limit: float
) -> tuple[Array, Array]:
    """Nodes within `limit` edits of the query, and their edits; branches beyond it are left."""
    width = query.size + 1
    rows = np.zeros((DEEPEST, width), np.float32)
    rows[0] = np.arange(width)
    path = np.zeros(DEEPEST, np.int64)
    nodes = np.zeros(phone.size, np.int64)
    edits = np.zeros(phone.size, np.float32)
    found = 0
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
        if rows[depth, width - 1] <= limit + 1e-6:
            nodes[found] = node
            edits[found] = rows[depth, width - 1]
            found += 1
        if least <= limit + 1e-6 and depth + 1 < DEEPEST:
            depth += 1
            path[depth] = child[node]
        else:
            path[depth] = sibling[node]
    return nodes[:found], edits[:found]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _row(query: Array, costs: Array, phone: int, above: Array, row: Array) -> float:
    """Fill one row of the edit table; its least entry."""
    row[0] = above[0] + 1
    least = row[0]
    for index in range(query.size):
        best = above[index] + costs[query[index], phone]
        best = min(best, above[index + 1] + 1)
        best = min(best, row[index] + 1)
        row[index + 1] = best
        least = min(least, best)
    return float(least)
