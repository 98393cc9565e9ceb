"""Slides and edits, by hand and against plain versions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.score.edits import count_edits
from earmark.tasks.boundaries.score.probes import count_probes, unit_numbers
from earmark.tasks.boundaries.values import Boundaries, Panel

inner = st.sets(st.integers(0, 28), max_size=12)


def value(metric, reference, output):
    return metric.rate(metric.count(reference, output))


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


@given(inner, inner)
def test_slides_equal_probe_by_probe_counting(reference, output):
    length = 30
    ratios = count_probes(length, array(reference), array(output))
    width = max(2, round(length / (len(reference) + 1) / 2))
    ours, theirs = unit_numbers(length, array(reference)), unit_numbers(length, array(output))
    pairs = [(at, at + width) for at in range(length - width)]
    same = [(ours[i] == ours[j], theirs[i] == theirs[j]) for i, j in pairs]
    assert ratios.pk == (sum(x != y for x, y in same), len(pairs))
    counts = [(ours[j] - ours[i], theirs[j] - theirs[i]) for i, j in pairs]
    assert ratios.window_diff == (sum(x != y for x, y in counts), len(pairs))


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


@pytest.mark.parametrize("name", sorted(b.TASK.score))
def test_what_everybody_says_is_best_for_every_metric(name):
    one = Boundaries(30, {4, 11, 19, 29})
    metric = b.TASK.score[name]()
    assert value(metric, Panel((one, one, one)), one) == pytest.approx(metric.best)


def test_mean_precision_and_recall_against_each_reference():
    output = Boundaries(9, {2, 6, 7})
    assert value(b.mean_precision(), PANEL, output) == pytest.approx((1 / 3 + 2 / 3) / 2)
    assert value(b.mean_recall(), PANEL, output) == pytest.approx((1 / 2 + 2 / 2) / 2)
    assert value(b.mean_precision(average="micro"), PANEL, output) == pytest.approx(3 / 6)
    ended = Boundaries(9, {2, 6, 7, 8})
    assert value(b.mean_precision(final="include"), PANEL, ended) == pytest.approx(3 / 8)


def test_kappa_over_marked_words_differs_from_kappa_over_all():
    everywhere = value(b.fleiss_kappa(), PANEL, Boundaries(9))
    borders = value(b.fleiss_kappa(borders=True), PANEL, Boundaries(9))
    # All: P = 7/9 words agree, p = 4/18; (7/9 - (4/81 + 49/81)) / (1 - 53/81) = 10/28.
    assert everywhere == pytest.approx(10 / 28)
    # Marked words 2, 5, 6: P = 1/3, p = 4/6: (1/3 - 5/9) / (4/9) = -.5.
    assert borders == pytest.approx(-0.5)


def test_kappa_equals_the_statistics_room():
    from earmark.stats.agreement import fleiss_kappa

    table = [[2 - votes, votes] for votes in (0, 0, 2, 0, 0, 1, 1, 0, 0)]
    assert value(b.fleiss_kappa(), PANEL, Boundaries(9)) == pytest.approx(fleiss_kappa(table))
