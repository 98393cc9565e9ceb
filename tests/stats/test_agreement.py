"""Fleiss' kappa and Krippendorff's alpha, against hand-worked tables and published vectors."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.stats.agreement import (
    alpha_interval,
    cohen_interval,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    label_counts,
)
from earmark.stats.intervals import NoInterval
from earmark.values.errors import InputError
from earmark.values.score import Interval


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


def test_cohen_kappa_worked_by_hand() -> None:
    """20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: p_o = .7, p_e = .5 * .6 + .5 * .4 = .5."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa(second, first) == pytest.approx(0.4)
    assert math.isnan(cohen_kappa([], []))
    assert math.isnan(cohen_kappa(["yes"] * 3, ["yes"] * 3))
    with pytest.raises(InputError, match="both people's answers to the same items"):
        cohen_kappa(first, second[1:])


def test_cohen_kappa_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    for size in (2, 3, 5, 10, 40, 200):
        first = rng.integers(4, size=size).tolist()
        second = [one if rng.random() < 0.5 else int(rng.integers(4)) for one in first]
        expected = metrics.cohen_kappa_score(first, second)
        assert cohen_kappa(first, second) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def drawn_votes(seed: int, items: int) -> Any:
    """Yes and no of three people, who err in one answer of ten."""
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.4
    said = truth[:, None] ^ (rng.random((items, 3)) < 0.1)
    return np.stack([3 - said.sum(axis=1), said.sum(axis=1)], axis=1).tolist()


def test_the_interval_of_alpha_holds_it_and_shrinks_with_more_items() -> None:
    widths = []
    for items in (30, 300):
        table = drawn_votes(1, items)
        interval = alpha_interval(table)
        assert isinstance(interval, Interval)
        assert -1 <= interval.low < krippendorff_alpha(table) < interval.high <= 1
        widths.append(interval.high - interval.low)
    assert widths[1] < widths[0] / 2


def test_items_of_one_group_are_drawn_together_and_the_order_of_rows_does_not_matter() -> None:
    table = drawn_votes(2, 40)
    five_times = [row for row in table for _ in range(5)]
    names = [f"recording-{k:02}" for k in range(40) for _ in range(5)]
    apart, together = alpha_interval(five_times), alpha_interval(five_times, names)
    assert isinstance(apart, Interval) and isinstance(together, Interval)
    assert together.high - together.low > 2 * (apart.high - apart.low)
    order = np.random.default_rng(3).permutation(200)
    shuffled = alpha_interval([five_times[k] for k in order], [names[k] for k in order])
    assert isinstance(shuffled, Interval)
    assert (shuffled.low, shuffled.high) == pytest.approx((together.low, together.high))
    with pytest.raises(InputError, match="every item needs a group"):
        alpha_interval(table, names)


def test_where_all_agree_the_interval_is_a_bound_and_of_one_label_there_is_none() -> None:
    interval = alpha_interval([[3, 0], [0, 3]] * 20)
    assert isinstance(interval, Interval)
    assert (interval.high, interval.method) == (1.0, "rule of three") and interval.low < 0.9
    assert alpha_interval([[3, 0], [3, 0]]) == NoInterval("the agreement is undefined")
    rare = alpha_interval([[3, 0]] * 30 + [[2, 1]])
    assert isinstance(rare, NoInterval) and rare.undefined > 0.3


def test_cohens_kappa_has_an_interval_as_alpha_has() -> None:
    rng = np.random.default_rng(4)
    first = rng.random(100) < 0.5
    second = first ^ (rng.random(100) < 0.1)
    interval = cohen_interval(first.tolist(), second.tolist())
    assert isinstance(interval, Interval)
    assert interval.low < cohen_kappa(first.tolist(), second.tolist()) < interval.high
    again = cohen_interval(first.tolist(), second.tolist(), [str(k // 10) for k in range(100)])
    assert isinstance(again, Interval) and again != interval
    assert cohen_interval(first.tolist(), second.tolist(), seed=5) != interval
    few = cohen_interval(first.tolist(), second.tolist(), resamples=50)
    assert isinstance(few, Interval) and few != interval
