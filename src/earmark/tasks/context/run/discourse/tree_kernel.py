"""The compiled walk down many trees."""

from typing import Any

import numpy as np
from numba import njit

Array = Any


@njit(cache=True)  # type: ignore[untyped-decorator]
def walk(rows: Array, ways: Array, numbers: Array, roots: Array) -> Array:
    """The sum of leaf values of every row over all trees."""
    column, left, right, lost_left = ways
    limit, value = numbers
    totals = np.zeros(rows.shape[0])
    for row in range(rows.shape[0]):
        for root in roots:
            node = root
            while column[node] >= 0:
                x = rows[row, column[node]]
                goes_left = lost_left[node] != 0 if np.isnan(x) else x <= limit[node]
                node = left[node] if goes_left else right[node]
            totals[row] += value[node]
    return totals
