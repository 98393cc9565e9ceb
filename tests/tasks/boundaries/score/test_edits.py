"""Edits, against the plain greedy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from earmark.tasks.boundaries.score.edits import count_edits

inner = st.sets(st.integers(0, 28), max_size=12)


def array(found):
    return np.array(sorted(found), dtype=np.int64)


def plain_edits(reference, output, offset):
    """The greedy of Fournier 2013, position by position."""
    free = (reference | output) - (reference & output)
    moved = words = 0
    for distance in range(1, offset + 1):
        for start in range(0, 30):
            end = start + distance
            if start in free and end in free and (start in reference) != (end in reference):
                free -= {start, end}
                moved += 1
                words += distance
    return len(reference & output), moved, words, len(free)


@given(inner, inner, st.integers(0, 4))
def test_edits_equal_the_plain_greedy(reference, output, offset):
    found = count_edits(array(reference), array(output), offset=offset)
    expected = plain_edits(reference, output, offset)
    assert (found.matched, found.moved, found.moved_words, found.added) == expected
