"""Pk, WindowDiff and the similarities, by hand."""

import math

import pytest

from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.values import Boundaries


def value(metric, reference, output):
    return metric.rate(metric.count(reference, output))


def test_near_misses_are_forgiven_by_similarity_and_not_by_f1():
    reference, output = Boundaries(10, {3, 9}), Boundaries(10, {4, 9})
    assert value(b.mean_f1(), reference, output) == 0
    assert value(b.boundary_similarity(), reference, output) == 0.5
    assert value(b.boundary_similarity(offset=2), reference, output) == pytest.approx(2 / 3)
    assert value(b.segmentation_similarity(), reference, output) == pytest.approx(1 - 0.5 / 9)
    assert value(b.segmentation_similarity(offset=2), reference, output) == pytest.approx(
        1 - 1 / 27
    )
    assert value(b.pk(), reference, output) == 0.25
    assert value(b.pk(probe=3), reference, output) == pytest.approx(2 / 7)
    assert value(b.window_diff(), reference, output) == 0.25
    assert value(b.window_diff(lamprier=True), reference, output) == pytest.approx(2 / 13)
    assert value(b.window_diff(probe=3), reference, output) == pytest.approx(2 / 7)


def test_similarity_is_undefined_without_inner_boundaries():
    nothing = Boundaries(10, {9})
    assert math.isnan(value(b.boundary_similarity(), nothing, nothing))
    assert value(b.segmentation_similarity(), nothing, nothing) == 1
    assert math.isnan(value(b.segmentation_similarity(), Boundaries(1), Boundaries(1)))


def test_pk_of_a_text_shorter_than_its_probe_is_undefined():
    assert math.isnan(value(b.pk(), Boundaries(2), Boundaries(2, {0})))
