"""The compiled walk down many trees."""

from typing import Any

import numpy as np

from earmark.kernels import njit


# All nodes of all trees are in the same arrays, and a tree is the index of its root. A row walks
# down from each root: at an inner node it looks at one of its columns and goes left or right; a
# node whose feature is -1 is a leaf, whose value is added to the row's total.
@njit(cache=True)  # type: ignore[untyped-decorator]
def sum_leaves(rows: Any, ways: Any, numbers: Any, roots: Any) -> Any:
    """Return the sum of the leaves that each row ends in; (rows, columns) to (rows,).

    `ways` are the arrays feature, left, right and missing_left; `numbers` threshold and value;
    each has an entry per node.
    """
    feature, left, right, missing_left = ways
    threshold, value = numbers
    totals = np.zeros(rows.shape[0])
    for row in range(rows.shape[0]):
        for root in roots:
            node = root
            while feature[node] >= 0:
                x = rows[row, feature[node]]
                goes_left = missing_left[node] != 0 if np.isnan(x) else x <= threshold[node]
                node = left[node] if goes_left else right[node]
            totals[row] += value[node]
    return totals
