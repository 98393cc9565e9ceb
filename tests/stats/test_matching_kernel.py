"""The size of the largest one-to-one pairing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

from earmark.stats.matching_kernel import pairs

TABLES = arrays(np.bool_, st.tuples(st.integers(0, 6), st.integers(0, 6)))


@settings(max_examples=80, deadline=None)
@given(TABLES)
def test_as_many_pairs_as_the_best_assignment(allowed) -> None:
    rows, columns = linear_sum_assignment(allowed, maximize=True)
    assert pairs(allowed) == int(allowed[rows, columns].sum())


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_greedy_pairing_would_miss_one(order) -> None:
    """Row 0 may take either column, row 1 only the first: both find one, whoever comes first."""
    assert pairs(np.array([[True, True], [True, False]])[list(order)]) == 2
