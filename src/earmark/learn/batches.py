"""Long sequences cut into equal pieces, shuffled, and merged again."""

from collections.abc import Iterator

import numpy as np

from earmark.arrays import Floats, Ints


def cut_starts(length: int, *, size: int, offset: int = 0) -> Ints:
    """Return where pieces of `size` begin, to cover a whole row; the first may begin before it.

    Examples
    --------
    >>> cut_starts(10, size=4, offset=1).tolist()
    [-3, 1, 5, 9]
    """
    first = offset - size if offset else 0
    return np.arange(first, length, size, dtype=np.int64)


def take_pieces(row: Ints, starts: Ints, *, size: int, fill: int = 0) -> Ints:
    """Return pieces of a row, of numbers or of vectors (pieces, size, ...); `fill` beyond its ends.

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
    """Yield the starts in random order, `batch` at a time."""
    order = generator.permutation(starts)
    for begin in range(0, len(order), batch):
        yield order[begin : begin + batch]


def lay_together(pieces: Floats, starts: Ints, *, length: int) -> Floats:
    """Return one row (length,) from overlapping pieces (pieces, size), weighted to their middle.

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
