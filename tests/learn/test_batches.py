"""Pieces of long rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from earmark.learn.batches import cut_starts, lay_together, shuffled, take_pieces


@given(st.integers(1, 60), st.integers(1, 9), st.integers(0, 8))
def test_pieces_cover_everything_once(length, size, offset):
    row = np.arange(1, length + 1)
    starts = cut_starts(length, size=size, offset=offset % size)
    pieces = take_pieces(row, starts, size=size)
    assert sorted(pieces[pieces > 0].tolist()) == row.tolist()


@given(st.integers(1, 60), st.integers(1, 9))
def test_pieces_of_a_row_lay_together_to_the_row(length, size):
    row = np.arange(length, dtype=np.int64)
    starts = np.arange(-(size // 2), length, max(size // 2, 1))
    pieces = take_pieces(row, starts, size=size)
    assert np.allclose(lay_together(pieces.astype(float), starts, length=length), row)


def test_vectors_are_cut_like_numbers():
    rows = np.array([[1, 2], [3, 4]])
    assert take_pieces(rows, np.array([1]), size=2, fill=-1).tolist() == [[[3, 4], [-1, -1]]]


def test_a_shuffle_holds_everything_once():
    found = list(shuffled(np.arange(10), np.random.default_rng(0), batch=4))
    assert [len(part) for part in found] == [4, 4, 2]
    assert sorted(np.concatenate(found).tolist()) == list(range(10))
