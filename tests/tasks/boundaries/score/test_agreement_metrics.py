"""Agreement of a panel, by hand."""

import pytest

from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.values import Boundaries, Panel


def value(metric, reference, output):
    return metric.rate(metric.count(reference, output))


PANEL = Panel((Boundaries(9, {2, 5}), Boundaries(9, {2, 6})))


def test_kappa_over_marked_words_differs_from_kappa_over_all():
    everywhere = value(b.fleiss_kappa(), PANEL, Boundaries(9))
    borders = value(b.fleiss_kappa(borders=True), PANEL, Boundaries(9))
    # All: P = 7/9 words agree, p = 4/18; (7/9 - (4/81 + 49/81)) / (1 - 53/81) = 10/28.
    assert everywhere == pytest.approx(10 / 28)
    # Marked words 2, 5, 6: P = 1/3, p = 4/6: (1/3 - 5/9) / (4/9) = -.5.
    assert borders == pytest.approx(-0.5)


def test_kappa_equals_that_of_the_table_of_all_words():
    from earmark.stats.agreement import fleiss_kappa

    table = [[2 - votes, votes] for votes in (0, 0, 2, 0, 0, 1, 1, 0, 0)]
    assert value(b.fleiss_kappa(), PANEL, Boundaries(9)) == pytest.approx(fleiss_kappa(table))
