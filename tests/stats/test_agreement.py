"""Fleiss' kappa and Krippendorff's alpha, against hand-worked tables and published vectors."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.stats.agreement import fleiss_kappa, krippendorff_alpha, label_counts
from earmark.values.errors import InputError


def test_fleiss_kappa_worked_by_hand() -> None:
    """Three items, two people: agree, agree, split. P = (1+1+0)/3, shares 1/2: (2/3-1/2)/(1/2)."""
    assert fleiss_kappa([[2, 0], [0, 2], [1, 1]]) == pytest.approx(1 / 3)


def test_kappa_needs_no_rows_for_items_on_which_everybody_says_the_last_label() -> None:
    rows = [[3, 0], [1, 2], [2, 1]]
    whole = fleiss_kappa(rows + [[0, 3]] * 5)
    assert fleiss_kappa(rows, unanimous=5) == pytest.approx(whole, rel=1e-12)
    assert math.isnan(fleiss_kappa(np.zeros((0, 2)), unanimous=5))


def test_alpha_worked_by_hand() -> None:
    """The same table: D_o = 2, D_e = (36 - 18) / 5 = 3.6, alpha = 1 - 2/3.6."""
    assert krippendorff_alpha([[2, 0], [0, 2], [1, 1]]) == pytest.approx(1 - 2 / 3.6)


def test_people_who_always_say_the_same_have_no_agreement_to_speak_of() -> None:
    assert math.isnan(fleiss_kappa([[3, 0], [3, 0]]))
    assert math.isnan(krippendorff_alpha([[3, 0], [3, 0]]))


def test_single_answers_cannot_agree() -> None:
    assert math.isnan(fleiss_kappa([[1, 0], [0, 1]]))
    assert math.isnan(krippendorff_alpha([[1, 0], [0, 1]]))
    assert math.isnan(fleiss_kappa(np.zeros((0, 2))))


def test_kappa_refuses_missing_answers_and_alpha_takes_them() -> None:
    with pytest.raises(InputError, match="the same number of answers"):
        fleiss_kappa([[2, 0], [1, 0]])
    assert krippendorff_alpha([[2, 0], [1, 1], [1, 0]]) == krippendorff_alpha([[2, 0], [1, 1]])


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(InputError, match="a table of items by labels"):
        krippendorff_alpha([1, 2, 3])


def alpha_of(matrix: list[list[float | None]]) -> float:
    """Alpha of people by items, None where nobody answered."""
    pairs = [(item, label) for row in matrix for item, label in enumerate(row) if label is not None]
    return krippendorff_alpha(label_counts(pairs))


def test_alpha_and_kappa_equal_the_published_vectors() -> None:
    vectors = json.loads((Path(__file__).parent / "vectors" / "agreement.json").read_text())
    found = alpha_of(vectors["krippendorff_4x12"]["data"])
    assert found == pytest.approx(vectors["krippendorff_4x12"]["nominal"], abs=1e-12)
    for case in vectors["binary_missing"]:
        pairs = [(item, label) for _, item, label in case["answers"]]
        assert krippendorff_alpha(label_counts(pairs)) == pytest.approx(case["alpha"], abs=1e-12)
    for name in ("fleiss_wikipedia", "fleiss_25x3_n5"):
        found = fleiss_kappa(vectors[name]["counts"])
        assert found == pytest.approx(vectors[name]["kappa"], abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_alpha_does_not_depend_on_order_and_is_at_most_one(rows: list[tuple[int, int]]) -> None:
    first, second = krippendorff_alpha(rows), krippendorff_alpha(rows[::-1])
    assert first == second or (math.isnan(first) and math.isnan(second))
    assert math.isnan(first) or first <= 1


def test_a_number_and_its_text_are_two_labels() -> None:
    assert label_counts([("a", 1), ("a", "1"), ("b", 1)]).tolist() == [[1, 1], [1, 0]]


@pytest.mark.parametrize("gap", [math.nan, math.inf])
def test_a_table_with_gaps_is_refused_and_no_row_is_dropped(gap: float) -> None:
    with pytest.raises(InputError, match="agreement must be counted from a table") as error:
        krippendorff_alpha(np.array([[2, 0], [gap, 1]]))
    assert "0 or more, no gaps" in str(error.value)
