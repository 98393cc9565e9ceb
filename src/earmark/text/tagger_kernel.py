"""The compiled loop of the tagger: hashed features, one pass from left to right.

A token has 20 features: its word, endings, beginning and shape, the words around it, the two tags
before it, and pairs of these. Each feature is hashed to a row of the weight table (rows, tags); the
rows are added up, and the tag with the highest sum wins. A tag is a feature of the next tokens, so
tokens are tagged in order; tag 0 is shifted to 1 there, because 0 means "no tag before".

Arrays: `types` (tokens,) numbers of words; `starts` (sentences + 1,) first tokens of sentences and
the end of the last; `forms` (types, 6) hashed forms of a word; `known` (types,) the tag of a word
that has one nearly always, or -1.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats32, Ints
from earmark.kernels import njit

Forms = NDArray[np.uint32]
TagCodes = NDArray[np.int16]
Place = tuple[int, int, int, int, int]
FEATURES = 20


@njit(cache=True, inline="always")  # type: ignore[untyped-decorator]
def _mix(a: Any, b: Any, slot: int, mask: int) -> Any:
    """Return the row for a feature: two numbers and the slot that tells features apart.

    A multiplicative hash with the constants of SplitMix64 and xxHash; `mask` is rows - 1.
    """
    x = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(b) * np.uint64(0xC2B2AE3D27D4EB4F)
    x = (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9) + np.uint64(slot) * np.uint64(
        0x94D049BB133111EB
    )
    return np.int64((x ^ (x >> np.uint64(32))) & np.uint64(mask))


@njit(cache=True)  # type: ignore[untyped-decorator]
def _rows(types: Ints, forms: Forms, place: Place, mask: int, out: Ints) -> None:
    """Fill `out` (FEATURES,) with the rows of the table for a token.

    `place` is the token, the first of its sentence, the end of it, and the two tags before.
    """
    token, low, high, one, two = place
    here = types[token]
    before = types[token - 1] if token > low else 0
    before2 = types[token - 2] if token > low + 1 else 0
    after = types[token + 1] if token + 1 < high else 0
    after2 = types[token + 2] if token + 2 < high else 0
    first = 1 if token == low else 0
    word, shape = forms[here, 0], forms[here, 5]
    out[0] = _mix(word, 0, 0, mask)
    out[1] = _mix(forms[before, 0], 0, 1, mask)
    out[2] = _mix(forms[before2, 0], 0, 2, mask)
    out[3] = _mix(forms[after, 0], 0, 3, mask)
    out[4] = _mix(forms[after2, 0], 0, 4, mask)
    out[5] = _mix(forms[here, 1], 0, 5, mask)
    out[6] = _mix(forms[here, 2], 0, 6, mask)
    out[7] = _mix(forms[here, 3], 0, 7, mask)
    out[8] = _mix(forms[here, 4], 0, 8, mask)
    out[9] = _mix(shape, first, 9, mask)
    out[10] = _mix(forms[before, 2], 0, 10, mask)
    out[11] = _mix(forms[after, 2], 0, 11, mask)
    out[12] = _mix(one, 0, 12, mask)
    out[13] = _mix(one, two, 13, mask)
    out[14] = _mix(word, one, 14, mask)
    out[15] = _mix(forms[here, 2], one, 15, mask)
    out[16] = _mix(forms[after, 0], one, 16, mask)
    out[17] = _mix(forms[before, 0], word, 17, mask)
    out[18] = _mix(word, forms[after, 0], 18, mask)
    out[19] = _mix(forms[after, 2], forms[here, 2], 19, mask)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _best(weights: NDArray[Any], rows: Ints, sums: NDArray[Any]) -> Any:
    """Return the tag whose weights over these rows have the highest sum; `sums` is scratch."""
    sums[:] = 0
    for row in rows:
        for column in range(sums.size):
            sums[column] += weights[row, column]
    return np.argmax(sums)


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def decode(
    types: Ints, starts: Ints, forms: Forms, known: TagCodes, weights: NDArray[np.int8]
) -> TagCodes:
    """Return the tag of every token (tokens,)."""
    mask = weights.shape[0] - 1
    tags = np.zeros(types.size, np.int16)
    sums = np.zeros(weights.shape[1], np.int32)
    rows = np.zeros(FEATURES, np.int64)
    for sentence in range(starts.size - 1):
        low, high = starts[sentence], starts[sentence + 1]
        one, two = 0, 0
        for token in range(low, high):
            tag = known[types[token]]
            if tag < 0:
                _rows(types, forms, (token, low, high, one, two), mask, rows)
                tag = _best(weights, rows, sums)
            tags[token] = tag
            two, one = one, tag + 1
    return tags


@njit(cache=True)  # type: ignore[untyped-decorator]
def learn(
    text: tuple[Ints, Ints, TagCodes], forms: Forms, known: TagCodes, order: Ints, table: Floats32
) -> None:
    """Train an averaged perceptron on the sentences of `order`, which repeats them every epoch.

    `text` is word types, starts of sentences and true tags. `table` (3, rows, tags) is changed in
    place: `table[0]` are the weights now, `table[1]` the sum of what they were at every token so
    far, `table[2]` the token up to which that sum is complete. A weight is added to its sum only
    when it changes, so a token costs its own rows and not the whole table. At the end `table[1]`
    holds the averages, which generalise better than the last weights.
    """
    types, starts, truth = text
    mask = table.shape[1] - 1
    sums = np.zeros(table.shape[2], np.float32)
    rows = np.zeros(FEATURES, np.int64)
    now = 0
    for sentence in order:
        low, high = starts[sentence], starts[sentence + 1]
        one, two = 0, 0
        for token in range(low, high):
            now += 1
            tag = known[types[token]]
            if tag < 0:
                _rows(types, forms, (token, low, high, one, two), mask, rows)
                tag = _best(table[0], rows, sums)
                if tag != truth[token]:
                    _move(table, rows, truth[token], 1.0, now)
                    _move(table, rows, tag, -1.0, now)
            two, one = one, tag + 1
    table[1] += (now - table[2]) * table[0]
    table[1] /= now


@njit(cache=True)  # type: ignore[untyped-decorator]
def _move(table: Floats32, rows: Ints, tag: Any, by: float, now: int) -> None:
    """Change the weights of one tag by `by`, after completing their sums until now."""
    for row in rows:
        table[1, row, tag] += (now - table[2, row, tag]) * table[0, row, tag]
        table[2, row, tag] = now
        table[0, row, tag] += by
