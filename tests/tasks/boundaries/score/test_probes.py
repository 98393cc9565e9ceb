"""Probes, against counting one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from earmark.tasks.boundaries.score.edits import Ratio
from earmark.tasks.boundaries.score.probes import count_probes, unit_numbers

inner = st.sets(st.integers(0, 28), max_size=12)


def array(found):
    return np.array(sorted(found), dtype=np.int64)


@given(inner, inner)
def test_ratios_equal_probe_by_probe_counting(reference, output):
    length = 30
    ratios = count_probes(length, array(reference), array(output))
    width = max(2, round(length / (len(reference) + 1) / 2))
    ours, theirs = unit_numbers(length, array(reference)), unit_numbers(length, array(output))
    pairs = [(at, at + width) for at in range(length - width)]
    same = [(ours[i] == ours[j], theirs[i] == theirs[j]) for i, j in pairs]
    assert ratios.pk == Ratio(sum(x != y for x, y in same), len(pairs))
    counts = [(ours[j] - ours[i], theirs[j] - theirs[i]) for i, j in pairs]
    assert ratios.window_diff == Ratio(sum(x != y for x, y in counts), len(pairs))
