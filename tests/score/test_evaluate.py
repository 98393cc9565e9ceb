"""Scores over many items: intervals, paired differences and boards."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.score.compare import compare_scores
from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, macro
from earmark.score.resampling import rater
from earmark.stats.rates import f1
from earmark.values.counts import Hits
from earmark.values.errors import InputError


def overlap(**options: Any) -> Metric:
    """F1 of two sets."""

    def count(reference: frozenset[int], output: frozenset[int]) -> Hits:
        found = len(reference & output)
        return Hits(found, len(reference) - found, len(output) - found)

    return replace(Metric("sets", "overlap", count, f1), **options)


SETS = st.frozensets(st.integers(0, 5), max_size=5)
REFERENCE = {"a": frozenset({1, 2}), "b": frozenset({3}), "c": frozenset()}
OUTPUT = {"a": frozenset({1}), "b": frozenset({3, 4}), "c": frozenset()}


def test_micro_pools_counts_and_macro_averages_items() -> None:
    """Pooled: found 2, missed 1, made up 1 -> 2/3. Items: 2/3, 2/3 and undefined."""
    micro = evaluate(overlap(), REFERENCE, OUTPUT, resamples=0)
    assert micro.value == pytest.approx(2 / 3)
    assert micro.interval is None
    averaged = evaluate(macro(overlap()), REFERENCE, OUTPUT, resamples=0)
    assert averaged.value == pytest.approx(2 / 3)
    assert averaged.undefined_items == 1
    assert "average:macro" in str(averaged.signature)


def test_a_metric_is_called_on_two_things_one_already_has() -> None:
    score = overlap()(frozenset({1}), frozenset({1, 2}))
    assert score.value == pytest.approx(2 / 3)
    assert str(score.signature).startswith("sets.overlap|")


def test_undefined_says_why() -> None:
    score = evaluate(overlap(undefined="no sets"), {"a": frozenset()}, {"a": frozenset()})
    assert math.isnan(score.value)
    assert score.why == "no sets"


def test_parts_are_told() -> None:
    metric = overlap(parts=lambda hits: {"found": hits.true_positives})
    assert evaluate(metric, REFERENCE, OUTPUT, resamples=0).parts == {"found": 2}


@dataclass(frozen=True)
class Pile:
    """Counts that add but are no row of numbers."""

    hits: tuple[Hits, ...]

    def __add__(self, other: "Pile") -> "Pile":
        return Pile(self.hits + other.hits)


def piled() -> Metric:
    plain = overlap()

    def rate(pile: Pile) -> float:
        return f1(sum(pile.hits, Hits()))

    return replace(plain, count=lambda r, o: Pile((plain.count(r, o),)), rate=rate)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(SETS, SETS), min_size=2, max_size=6))
def test_resampling_by_product_equals_resampling_by_loop(pairs: list[Any]) -> None:
    """Three ways to rate resamples agree: a matrix product, a loop, and a metric's own way."""
    reference = {str(n): pair[0] for n, pair in enumerate(pairs)}
    output = {str(n): pair[1] for n, pair in enumerate(pairs)}
    rows, loop = overlap(), piled()

    def own(counts: Any, weights: Any) -> list[float]:
        return [
            f1(Hits(*np.sum([np.array(c.row()) * w for c, w in zip(counts, row, strict=True)], 0)))
            for row in weights
        ]

    found = [
        evaluate(metric, reference, output, resamples=40, seed=3).interval
        for metric in (rows, loop, overlap(rate_resamples=own))
    ]
    if found[0] is None:
        assert found == [None, None, None]
        return
    for other in found[1:]:
        assert other is not None
        assert (other.low, other.high) == pytest.approx((found[0].low, found[0].high))


def test_count_all_sees_every_item_at_once() -> None:
    def count_all(references: Any, outputs: Any) -> dict[str, Hits]:
        return {item: Hits(len(references), 0, 0) for item in outputs}

    score = evaluate(overlap(count_all=count_all), REFERENCE, OUTPUT, resamples=0)
    assert score.counts == Hits(9, 0, 0)
    averaged = evaluate(macro(overlap(count_all=count_all)), REFERENCE, OUTPUT, resamples=0)
    assert averaged.value == 1


def test_one_item_has_no_interval_and_groups_are_kept_together() -> None:
    assert evaluate(overlap(), {"a": frozenset({1})}, {"a": frozenset({1})}).interval is None
    grouped = evaluate(overlap(), REFERENCE, OUTPUT, groups=dict.fromkeys("abc", "one"))
    assert grouped.interval is None


def noisy(errors: int, items: int = 60) -> dict[str, frozenset[int]]:
    return {str(n): frozenset({0 if n >= errors else 9}) for n in range(items)}


RIGHT = {str(n): frozenset({0}) for n in range(60)}


def test_a_clear_difference_is_told_from_luck() -> None:
    metric = overlap()
    good, bad, equal = (
        evaluate(metric, RIGHT, noisy(errors), resamples=200, seed=1) for errors in (5, 40, 5)
    )
    clear = compare_scores(metric, good, bad, resamples=500, seed=1)
    assert clear.is_certain and clear.p < 0.01
    assert clear.value == pytest.approx(good.value - bad.value)
    none = compare_scores(metric, good, equal, resamples=500, seed=1)
    assert not none.is_certain and none.p == 1
    other_way = compare_scores(metric, bad, good, resamples=500, seed=1)
    assert other_way.value == -clear.value and other_way.p == pytest.approx(clear.p, abs=0.01)


def test_comparing_different_metrics_or_items_is_refused() -> None:
    score = evaluate(overlap(), REFERENCE, OUTPUT, resamples=0)
    other = evaluate(overlap(name="else"), REFERENCE, OUTPUT, resamples=0)
    with pytest.raises(InputError, match="two scores of one metric"):
        compare_scores(overlap(), score, other)
    part = evaluate(overlap(), {"a": REFERENCE["a"]}, {"a": OUTPUT["a"]})
    with pytest.raises(InputError, match="must name the same items"):
        compare_scores(overlap(), score, part)


def test_one_group_leaves_a_difference_without_an_interval() -> None:
    score = evaluate(overlap(), {"a": frozenset({1})}, {"a": frozenset({1})})
    found = compare_scores(overlap(), score, score)
    assert found.interval is None and math.isnan(found.p) and not found.is_certain


def test_weights_of_one_give_the_value_itself() -> None:
    metric = overlap()
    score = evaluate(metric, REFERENCE, OUTPUT, resamples=0)
    counts = [score.by_item[item] for item in "abc"]
    assert rater(metric, counts)(np.ones((1, 3), dtype=int))[0] == score.value


def test_every_option_that_can_change_the_number_is_in_the_signature() -> None:
    line = str(
        evaluate(
            overlap(options={"grain": 2}),
            REFERENCE,
            OUTPUT,
            resamples=7,
            seed=4,
            names=("r@1", "o@2"),
        ).signature
    )
    assert line == (
        "sets.overlap|grain:2|average:micro|empty:skip|items:3|groups:item|ref:r@1"
        "|out:o@2|ci:boot7t|seed:4|earmark:0.1.0"
    )


def test_two_data_sets_without_names_do_not_share_a_signature() -> None:
    first, again, other = (
        evaluate(overlap(), REFERENCE, output, resamples=0).signature
        for output in (OUTPUT, dict(reversed(OUTPUT.items())), REFERENCE)
    )
    assert first == again != other
    assert "|ref:given@" in str(first) and "|out:given@" in str(first)


def test_values_that_no_file_could_hold_are_given_without_a_digest() -> None:
    metric = Metric("sets", "same", lambda reference, output: Hits(1), f1)
    line = str(evaluate(metric, {"a": object()}, {"a": 1}, resamples=0).signature)
    assert "|ref:given|out:given@" in line
