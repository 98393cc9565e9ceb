"""Long rows of numbers cut into equal pieces, shuffled, and put together again."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def cut_starts(length: int, *, size: int, offset: int = 0) -> Ints:
    """Where pieces of `size` begin so that all of a row is covered; the first piece may overhang.

    Examples
    --------
    >>> cut_starts(10, size=4, offset=1).tolist()
    [-3, 1, 5, 9]
    """
    first = offset - size if offset else 0
    return np.arange(first, length, size, dtype=np.int64)


def take_pieces(row: Ints, starts: Ints, *, size: int, fill: int = 0) -> Ints:
    """Pieces of a row (of numbers or of vectors) as one array; `fill` stands beyond its ends.

    Examples
    --------
    >>> take_pieces(np.array([7, 8, 9]), np.array([-1, 2]), size=3).tolist()
    [[0, 7, 8], [9, 0, 0]]
    """
    index = starts[:, None] + np.arange(size)[None, :]
    inside = (index >= 0) & (index < len(row))
    pieces: Ints = row[np.clip(index, 0, len(row) - 1)]
    pieces[~inside] = fill
    return pieces


def shuffled(starts: Ints, generator: np.random.Generator, *, batch: int) -> Iterator[Ints]:
    """The starts in random order, `batch` at a time."""
    order = generator.permutation(starts)
    for begin in range(0, len(order), batch):
        yield order[begin : begin + batch]


def lay_together(pieces: Floats, starts: Ints, *, length: int) -> Floats:
    """One row from overlapping pieces: where they overlap, the middle of a piece weighs more.

    Examples
    --------
    >>> lay_together(np.array([[1.0, 1.0], [3.0, 3.0]]), np.array([0, 1]), length=3).tolist()
    [1.0, 2.0, 3.0]
    """
    size = pieces.shape[1]
    weight = np.minimum(np.arange(1, size + 1), np.arange(size, 0, -1)).astype(np.float64)
    total = np.zeros(length)
    weights = np.zeros(length)
    for piece, start in zip(pieces, starts, strict=True):
        low, high = max(0, -start), min(size, length - start)
        total[start + low : start + high] += piece[low:high] * weight[low:high]
        weights[start + low : start + high] += weight[low:high]
    return total / np.maximum(weights, 1e-12)
