"""Warping: the kernels against readable versions, and against sums done by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from earmark.stats import warping

matrices = arrays(
    np.float32,
    st.tuples(st.integers(1, 9), st.integers(1, 12)),
    elements=st.floats(0, 2, width=32),
)
fast = settings(max_examples=60, deadline=None)


@fast
@given(matrices)
def test_the_segmental_kernel_says_what_the_plain_version_says(distances) -> None:
    kernel, plain = warping.segmental(distances), warping.segmental_plain(distances)
    assert np.abs(kernel.cost - plain.cost).max() <= 1e-6
    assert kernel.start.tolist() == plain.start.tolist()


def test_they_agree_on_a_long_stream_too() -> None:
    distances = np.random.default_rng(3).random((40, 300)).astype(np.float32) * 2
    kernel, plain = warping.segmental(distances), warping.segmental_plain(distances)
    assert np.abs(kernel.cost - plain.cost).max() <= 1e-6
    assert kernel.start.tolist() == plain.start.tolist()


def test_segmental_warping_by_hand() -> None:
    """Rows 1 and 2 of a query over three frames.

    Row 0: costs .2 .6 .4, length 1 each. Row 1, column 0: .2 + .9 = 1.1 over 2.
    Column 1: diagonal (.2 + .1) / 3 = .1; up (.6 + .1) / 2 = .35; left (1.1 + .1) / 3 = .4.
    Column 2: diagonal (.6 + .3) / 3 = .3; up (.4 + .3) / 2 = .35; left (.3 + .3) / 4 = .15.
    """
    curve = warping.segmental(np.array([[0.2, 0.6, 0.4], [0.9, 0.1, 0.3]], dtype=np.float32))
    assert curve.cost == pytest.approx([0.55, 0.1, 0.15], abs=1e-6)
    assert curve.start.tolist() == [0, 0, 0]
    assert curve.end == 1
    assert curve.best == pytest.approx(0.1, abs=1e-6)


def test_a_diagonal_step_lengthens_the_path_by_two_and_pays_once() -> None:
    curve = warping.segmental(np.array([[1, 9], [9, 1]], dtype=np.float32))
    assert curve.cost[1] == pytest.approx((1 + 1) / 3)


def test_ties_prefer_the_diagonal() -> None:
    """All distances 0: every step averages 0, so the match at column k starts k rows before."""
    curve = warping.segmental(np.zeros((3, 6), dtype=np.float32))
    assert curve.start.tolist() == [0, 0, 0, 1, 2, 3]


@fast
@given(matrices)
def test_the_path_ends_at_the_best_column_and_steps_by_one(distances) -> None:
    path = warping.segmental_path(distances)
    curve = warping.segmental(distances)
    assert path[0] == (0, curve.start[curve.end]) and path[-1] == (len(distances) - 1, curve.end)
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)}
    assert steps <= {(1, 1), (1, 0), (0, 1)}


@fast
@given(matrices, st.sampled_from([1.0, 2.0]))
def test_whole_warping_agrees_with_its_plain_version_and_its_own_path(distances, weight) -> None:
    cost, path = warping.whole(distances, diagonal_weight=weight)
    plain = warping.whole_plain(distances, diagonal_weight=weight)
    assert cost == pytest.approx(plain, abs=1e-5)
    assert warping.whole_cost(distances, diagonal_weight=weight) == pytest.approx(plain, abs=1e-5)
    assert path[0].tolist() == [0, 0]
    assert path[-1].tolist() == [distances.shape[0] - 1, distances.shape[1] - 1]


def test_the_symmetric_distance_of_a_sequence_and_itself_is_nothing() -> None:
    frames = np.eye(4, dtype=np.float32)
    assert warping.symmetric_distance(frames, frames) == 0.0


def test_the_symmetric_distance_by_hand() -> None:
    """One frame against two orthogonal ones: 1 + 1 over 1 + 2 frames (dtw-python: .6667)."""
    first = np.array([[1, 0]], dtype=np.float32)
    second = np.array([[0, 1], [0, 1]], dtype=np.float32)
    assert warping.symmetric_distance(first, second) == pytest.approx(2 / 3)


def test_an_average_keeps_the_first_length_and_shares_aligned_frames() -> None:
    """The second says its last frame twice: (a + b + b) / 3 there."""
    first = np.array([[1, 0], [0, 1]], dtype=np.float32)
    second = np.array([[1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)
    found = warping.average_pair(first, second)
    assert found[0] == pytest.approx([1, 0])
    assert found[1] == pytest.approx([0.2, (1 + 1 + 0.8) / 3])


def test_the_order_of_merging_changes_the_average() -> None:
    rng = np.random.default_rng(2)
    templates = [rng.standard_normal((k, 5)).astype(np.float32) for k in (6, 7, 5, 8)]
    farthest = warping.average_templates(templates)
    nearest = warping.average_templates(templates, farthest_first=False)
    assert farthest.shape != nearest.shape or not np.allclose(farthest, nearest)
    assert np.linalg.norm(farthest, axis=1) == pytest.approx(1.0, abs=1e-5)
