"""Unit vectors."""

import numpy as np
import pytest

from earmark.stats.vectors import unit_rows


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_have_length_one_zeros_stay_and_the_type_stays(dtype) -> None:
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=dtype))
    assert rows.dtype == dtype
    assert rows.tolist() == [pytest.approx([0.6, 0.8]), [0.0, 0.0]]


def test_one_vector_is_enough() -> None:
    assert unit_rows(np.array([0.0, -2.0])).tolist() == [0.0, -1.0]
