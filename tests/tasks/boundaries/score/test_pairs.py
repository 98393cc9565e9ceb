"""Words that two sides share, and what enough people agree on."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from earmark.tasks.boundaries.score.pairs import consensus, count_lenient, count_shared
from earmark.tasks.boundaries.values import Boundaries, Panel

positions = st.sets(st.integers(0, 30))


@given(positions, positions)
def test_shared_positions_are_those_of_the_intersection(left: set[int], right: set[int]) -> None:
    arrays = [np.array(sorted(side), dtype=np.int64) for side in (left, right)]
    assert count_shared(*arrays) == len(left & right)


def test_a_share_of_people_is_not_rounded_up_by_floating_point() -> None:
    marked, unmarked = Boundaries(3, {1}), Boundaries(3)
    panel = Panel((marked,) * 14 + (unmarked,) * 11)
    assert 0.56 * 25 > 14
    assert consensus(panel, share=0.56, final=True).tolist() == [1]


def test_an_error_is_one_only_when_no_reference_agrees() -> None:
    panel = Panel((Boundaries(9, {2, 5}), Boundaries(9, {2, 6})))
    counts = count_lenient(panel, Boundaries(9, {6, 7}), final=False)
    assert (counts.false_positives, counts.false_negatives, counts.expected) == (1, 1, 2.0)
