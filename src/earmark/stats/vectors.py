"""Vectors of unit length, whose products are cosines."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Real = TypeVar("Real", bound=np.floating)


def unit_rows(rows: NDArray[Real]) -> NDArray[Real]:
    """Return the vectors along the last axis scaled to length 1; a vector of zeros stays zeros.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=rows.dtype)
