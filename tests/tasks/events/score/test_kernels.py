"""Few events are counted in plain Python, many by compiled code: the numbers are the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.events import laws

from earmark.kernels import plain
from earmark.tasks.events.score.intersections import Criteria
from earmark.tasks.events.score.kernels import count_collars, count_intersections, count_segments
from earmark.tasks.events.score.sides import lay_out

KERNELS = [
    (count_segments, (1_000_000,)),
    (count_segments, (70_000,)),
    (count_collars, (200_000, (200_000.0, 0.2))),
    (count_collars, (200_000, (-1.0, 0.0))),
    (count_intersections, (Criteria(0.5, 0.5, 2.0),)),
    (count_intersections, (Criteria(0.7, 0.7, 0.3),)),
]


@pytest.mark.parametrize(("kernel", "options"), KERNELS)
@settings(max_examples=40, deadline=None)
@given(pairs=st.lists(st.tuples(laws.timelines(), laws.timelines()), min_size=1, max_size=3))
def test_compiled_and_plain_counts_are_the_same(kernel, options, pairs) -> None:
    reference = {str(k): pair[0] for k, pair in enumerate(pairs)}
    output = {str(k): pair[1] for k, pair in enumerate(pairs)}
    sides = lay_out(reference, output)
    if not sides.labels:
        return
    values = (sides.reference, sides.output, len(sides.labels), *options)
    with plain():
        expected = kernel(*values)
    for compiled, in_python in zip(as_tables(kernel(*values)), as_tables(expected), strict=True):
        assert np.array_equal(compiled, in_python)


def as_tables(counted):
    return counted if isinstance(counted, tuple) else (counted,)
