"""Windows, and the most credit that near misses can earn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.tasks.boundaries.score import windows


def best_by_trying(first, last, where, reach):
    """All one-to-one pairings, for small cases."""
    if not where or not first:
        return 0.0
    rest = best_by_trying(first, last, where[1:], reach)
    for n in range(len(first)):
        far = max(first[n] - where[0], where[0] - last[n], 0)
        if far <= reach:
            others = best_by_trying(
                first[:n] + first[n + 1 :], last[:n] + last[n + 1 :], where[1:], reach
            )
            rest = max(rest, 1 - far / (reach + 1) + others)
    return rest


@given(
    st.sets(st.integers(0, 16), max_size=5),
    st.sets(st.integers(0, 16), max_size=5),
    st.integers(0, 4),
)
def test_the_soft_credit_is_the_best_of_all_pairings(marked, written, reach):
    spans = windows.chain(np.array(sorted(marked), dtype=np.int64), limit=1)
    positions = np.array(sorted(written), dtype=np.int64)
    expected = best_by_trying(spans.first.tolist(), spans.last.tolist(), positions.tolist(), reach)
    credit = windows.soft_credit(spans, positions, reach=reach) if len(spans.first) else 0.0
    assert credit == pytest.approx(expected)
