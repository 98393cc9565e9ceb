"""Dawid and Skene: the kernel against numpy, and what the model must do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.reconcile.ballots import code_rows
from earmark.reconcile.dawid_skene import DawidSkeneOptions, dawid_skene
from earmark.values.errors import InputError

ROWS = [
    ("a", "ann", "yes"), ("a", "bob", "yes"), ("a", "cem", "no"),
    ("b", "ann", "no"), ("b", "bob", "no"), ("b", "cem", "yes"),
    ("c", "ann", "yes"), ("c", "bob", "no"),
]  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 4), st.sampled_from("ab")),
        min_size=1,
        max_size=35,
        unique_by=lambda row: row[:2],
    )
)
def test_dawid_and_skene_compiled_says_what_plain_says(rows: list[tuple[int, int, str]]) -> None:
    answers = code_rows((f"i{i}", f"p{p}", label) for i, p, label in rows)
    fast, slow = dawid_skene(answers), dawid_skene(answers, plain=True)
    assert np.allclose(fast.posterior, slow.posterior)
    assert np.allclose(fast.table("confusion").sum(axis=2), 1.0)


def test_dawid_and_skene_turn_a_liar_around() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 80)
    rows = [(f"i{i:02d}", p, str(truth[i])) for i in range(80) for p in ("x", "y")]
    rows += [(f"i{i:02d}", "liar", str(1 - truth[i])) for i in range(80)]
    fit = dawid_skene(code_rows(rows))
    assert fit.chosen().tolist() == truth.tolist()
    assert fit.competence[0] < 0.1 < 0.9 < fit.competence[1]


def test_smoothing_of_dawid_and_skene_matters() -> None:
    answers = code_rows(ROWS)
    fits = [dawid_skene(answers, DawidSkeneOptions(smoothing=s)) for s in (0.01, 3.0)]
    assert not np.allclose(fits[0].posterior, fits[1].posterior)
    with pytest.raises(InputError, match="smoothing > 0"):
        DawidSkeneOptions(smoothing=0)
