"""The beam search that chooses among candidate matches of two sentences, as a compiled loop.

Positions of the reference are visited from left to right. A partial alignment either takes one of
the matches that start there, if all its words are still free, or leaves the position open. Partial
alignments are ordered by matched words (a match that is not of the same word counts half, rounded
down), then by fewer chunks, then by shorter distance; the best 40 go on. Matches that compete with
no other are fixed beforehand.

One habit of the original is kept, because scores depend on it: the distance of a match is added to
the alignment that it left, not to the one that took it, so that later siblings start from more.
"""

import numpy as np

from earmark.kernels import njit

BEAM = 40  # METEOR's own beam
NONE = -1
# A partial alignment is one row of integers. First its state: words matched on both sides, chunks,
# next position, where the last match ended in the candidate (NONE if the position before was left
# open), distance. Then, for each word of the reference, the match that was chosen there (NONE),
# and whether the word is used; then whether each word of the candidate is used.
WORDS, CHUNKS, NEXT, LAST, DISTANCE, STATE = 0, 1, 2, 3, 4, 5
# Columns of a match.
START, LENGTH, OTHER_START, OTHER_LENGTH, MODULE = 0, 1, 2, 3, 4


@njit(cache=True)  # type: ignore[untyped-decorator]
def _count(row, match) -> None:  # type: ignore[no-untyped-def]
    """Count a match in the state of an alignment."""
    share = 1 if match[MODULE] == 0 else 2  # half a point for stems, synonyms and paraphrases
    row[WORDS] += match[LENGTH] // share + match[OTHER_LENGTH] // share
    if row[LAST] != NONE and match[OTHER_START] != row[LAST]:
        row[CHUNKS] += 1
    row[NEXT] = match[START] + match[LENGTH]
    row[LAST] = match[OTHER_START] + match[OTHER_LENGTH]


@njit(cache=True)
def _spans(row, match, size):  # type: ignore[no-untyped-def]
    """Return the parts of a row that say whether the words of a match are used, on both sides."""
    used, other_used = row[STATE + size : STATE + 2 * size], row[STATE + 2 * size :]
    start, other = match[START], match[OTHER_START]
    return used[start : start + match[LENGTH]], other_used[other : other + match[OTHER_LENGTH]]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _use(row, match, index, size) -> None:  # type: ignore[no-untyped-def]
    """Choose a match: its words are then used."""
    words, other_words = _spans(row, match, size)
    words[:], other_words[:] = 1, 1
    row[STATE + match[START]] = index


@njit(cache=True)
def _fixed(matches, first, lengths):  # type: ignore[no-untyped-def]
    """Return the match that is fixed at each position of the reference, or NONE.

    Fixed is a match alone at its position, all of whose words on both sides no other match covers.
    """
    size, other_size = lengths
    covered = np.zeros(size, np.int64)
    other_covered = np.zeros(other_size, np.int64)
    for match in matches:
        covered[match[START] : match[START] + match[LENGTH]] += 1
        other_covered[match[OTHER_START] : match[OTHER_START] + match[OTHER_LENGTH]] += 1
    fixed = np.full(size, NONE, np.int64)
    for position in range(size):
        if first[position + 1] - first[position] == 1:
            match = matches[first[position]]
            end, other_end = match[START] + match[LENGTH], match[OTHER_START] + match[OTHER_LENGTH]
            alone = (covered[match[START] : end] == 1).all()
            if alone and (other_covered[match[OTHER_START] : other_end] == 1).all():
                fixed[position] = first[position]
    return fixed


@njit(cache=True)
def _order(rows):  # type: ignore[no-untyped-def]
    """Return the places of the rows from best to worst; equal ones keep their order."""
    # Chunks and distances are far below these powers of two.
    words, chunks = rows[:, WORDS] * (1 << 44), rows[:, CHUNKS] * (1 << 28)
    return np.argsort(chunks + rows[:, DISTANCE] - words, kind="mergesort")


@njit(cache=True)  # type: ignore[untyped-decorator]
def _step(row, position, options, size, out) -> int:  # type: ignore[no-untyped-def]
    """Write to `out` the alignments that follow from a row at a position; return how many.

    `options` are the places and the matches that start at the position.
    """
    count = 0
    if row[STATE + size + position]:  # used: by a fixed match that starts here, or before
        if position >= row[NEXT]:
            match = options[1][row[STATE + position] - options[0]]
            _count(row, match)
            row[DISTANCE] += abs(match[START] - match[OTHER_START])
    else:
        for place, match in enumerate(options[1]):
            words, other_words = _spans(row, match, size)
            if not words.any() and not other_words.any():
                out[count] = row
                _use(out[count], match, options[0] + place, size)
                _count(out[count], match)
                row[DISTANCE] += abs(match[START] - match[OTHER_START])
                count += 1
        row[CHUNKS] += row[LAST] != NONE
        row[LAST] = NONE
        row[NEXT] += 1
    out[count] = row
    return count + 1


@njit(cache=True)
def align(matches, first, lengths):  # type: ignore[no-untyped-def]
    """Return the match chosen at each position of the reference (positions,), or NONE.

    `matches` (matches, 5) are ordered by their start, then as they were listed; `first`
    (positions + 1,) is where those of a position begin; `lengths` are the words of the reference
    and of the candidate.
    """
    size, other_size = lengths
    most = np.max(first[1:] - first[:-1])
    rows = np.zeros((1, STATE + 2 * size + other_size), np.int64)
    rows[0, LAST] = NONE
    rows[0, STATE : STATE + size] = NONE
    for index in _fixed(matches, first, lengths):
        if index != NONE:
            _use(rows[0], matches[index], index, size)
    for position in range(size):
        options = (first[position], matches[first[position] : first[position + 1]])
        followers = np.empty((BEAM * (most + 1), rows.shape[1]), np.int64)
        count = 0
        for place in _order(rows)[:BEAM]:
            count += _step(rows[place], position, options, size, followers[count:])
        rows = followers[:count]
    rows = rows[_order(rows)[:BEAM]]
    rows[:, CHUNKS] += rows[:, LAST] != NONE
    return rows[_order(rows)[0], STATE : STATE + size].copy()
