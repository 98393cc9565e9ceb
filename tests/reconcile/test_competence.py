"""Trust by competence."""

import numpy as np

from earmark.reconcile.ballots import code_rows
from earmark.reconcile.competence import alpha_by_trust, trusted

ROWS = [
    ("a", "ann", "yes"), ("a", "bob", "yes"), ("a", "cem", "no"),
    ("b", "ann", "no"), ("b", "bob", "no"), ("b", "cem", "yes"),
    ("c", "ann", "yes"), ("c", "bob", "no"),
]  # fmt: skip


def test_trust_is_strictly_above_and_alpha_is_told_for_those_who_remain() -> None:
    assert trusted(np.array([0.6, 0.61]), 0.6).tolist() == [False, True]
    rows = alpha_by_trust(code_rows(ROWS), np.array([0.9, 0.8, 0.1]), (-1.0, 0.5, 0.95))
    assert [row.people for row in rows] == [3, 2, 0]
    assert rows[0].alpha < rows[1].alpha
    assert np.isnan(rows[2].alpha)
