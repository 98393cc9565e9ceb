"""Near misses, one boundary per window, and the tool's soft scores."""

import pytest

from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.values import Boundaries, Panel


def value(metric, reference, output):
    return metric.rate(metric.count(reference, output))


def test_several_boundaries_in_one_window_match_it_once():
    panel = Panel((Boundaries(12, {2}), Boundaries(12, {4})))
    output = Boundaries(12, {2, 3, 4})
    assert value(b.window_f1(), panel, output) == 1
    assert value(b.matched_f1(), panel, output) == pytest.approx(0.5)


def test_soft_f1_credits_each_boundary_by_its_own_distance():
    reference = Boundaries(30, {5, 15})
    # 6 is one word off: 3/4; 25 is nowhere near: nothing. Credit .75 of 2 and 2.
    assert value(b.soft_f1(), reference, Boundaries(30, {6, 25})) == pytest.approx(0.375)
    assert value(b.soft_f1(reach=1), reference, Boundaries(30, {6, 25})) == pytest.approx(0.25)


def test_the_tools_soft_recall_forgives_everything_for_one_near_miss():
    reference = Panel((Boundaries(30, {5, 15, 20}),))
    metric = b.tool_soft(which="s_recall", limit=0)
    assert value(metric, reference, Boundaries(30, {6})) == 1
    assert value(b.soft_f1(limit=0), reference, Boundaries(30, {6})) == pytest.approx(1.5 / 4)
