"""Majority and shares of votes."""

import numpy as np
import pytest

from earmark.reconcile import vote
from earmark.reconcile.ballots import code_rows

ROWS = [
    ("a", "ann", "yes"), ("a", "bob", "yes"), ("a", "cem", "no"),
    ("b", "ann", "no"), ("b", "bob", "no"), ("b", "cem", "yes"),
    ("c", "ann", "yes"), ("c", "bob", "no"),
]  # fmt: skip


def test_a_majority_counts_and_a_tie_is_full_of_doubt() -> None:
    fit = vote.majority(code_rows(ROWS))
    assert fit.chosen().tolist() == [1, 0, 0]
    assert fit.doubt()[2] == pytest.approx(1.0)
    assert fit.competence.tolist() == [2 / 3, 1.0, 0.0]


def test_four_of_five_is_at_least_eighty_percent() -> None:
    answers = code_rows([("a", f"p{k}", "yes" if k < 4 else "no") for k in range(5)])
    assert vote.at_least(answers, 1, 0.8).tolist() == [True]
    assert vote.at_least(answers, 1, 0.81).tolist() == [False]


def test_an_item_that_nobody_answered_is_never_active() -> None:
    answers = code_rows(ROWS).only(np.array([False, False, True]))
    assert vote.at_least(answers, 1, 0.0).tolist() == [True, True, True]
    assert vote.at_least(answers, 1, 0.1).tolist() == [False, True, False]
    assert vote.majority(answers).posterior[2].tolist() == [0.5, 0.5]
