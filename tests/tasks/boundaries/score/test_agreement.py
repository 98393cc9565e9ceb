"""What a panel's agreement is computed from."""

import math

import pytest

from earmark.tasks.boundaries.score.agreement import AgreementCounts, count_agreement, kappa
from earmark.tasks.boundaries.values import Boundaries, Panel

# Word 2 has two votes, 7 and 8 one each.
PANEL = Panel((Boundaries(9, {2, 7, 8}), Boundaries(9, {2})))


def test_votes_of_two_people_or_more_are_counted() -> None:
    assert count_agreement(PANEL, final=True) == AgreementCounts(votes=2, possible=6)
    assert count_agreement(PANEL, final=False) == AgreementCounts(votes=2, possible=4)


def test_kappa_by_hand() -> None:
    # Without the end: 8 of 9 words agree, 3 of 18 votes; (8/9 - 26/36) / (1 - 26/36) = .6.
    assert kappa(PANEL, final=False) == pytest.approx(0.6)
    assert math.isnan(kappa(Panel((Boundaries(9, {2}),)), final=False))
    assert math.isnan(kappa(Panel((Boundaries(9), Boundaries(9))), final=False))
