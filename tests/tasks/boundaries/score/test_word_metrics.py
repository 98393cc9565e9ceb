"""Metrics on exactly the same words, by hand."""

import pytest

from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.values import Boundaries, Panel


def value(metric, reference, output):
    return metric.rate(metric.count(reference, output))


PANEL = Panel((Boundaries(9, {2, 5}), Boundaries(9, {2, 6})))


def test_errors_that_no_reference_excuses():
    # 6 is excused by the second; 7 by none; 2 is missed and both have it: 2 / mean(2, 2).
    assert value(b.lenient_error_rate(), PANEL, Boundaries(9, {6, 7})) == 1.0
    # Slots: against the first 2 missed + 2 made up, over 2; the second 1 + 1: mean of 2 and 1.
    assert value(b.slot_error_rate(), PANEL, Boundaries(9, {6, 7})) == 1.5
    pooled = b.slot_error_rate(average="micro")
    assert value(pooled, PANEL, Boundaries(9, {6, 7})) == 1.5


def test_consensus_needs_a_share_of_the_people():
    output = Boundaries(9, {2})
    assert value(b.consensus_f1(share=1.0), PANEL, output) == 1
    assert value(b.consensus_f1(share=0.5), PANEL, output) == pytest.approx(0.5)


def test_mean_precision_and_recall_against_each_reference():
    output = Boundaries(9, {2, 6, 7})
    assert value(b.mean_precision(), PANEL, output) == pytest.approx((1 / 3 + 2 / 3) / 2)
    assert value(b.mean_recall(), PANEL, output) == pytest.approx((1 / 2 + 2 / 2) / 2)
    assert value(b.mean_precision(average="micro"), PANEL, output) == pytest.approx(3 / 6)
    ended = Boundaries(9, {2, 6, 7, 8})
    assert value(b.mean_precision(final="include"), PANEL, ended) == pytest.approx(3 / 8)
