"""Draws of a reference: what is counted again, and what they do to ranks."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from earmark.arrays import Floats
from earmark.score.draws import (
    JointSamples,
    drawn_ranks,
    drawn_references,
    joint_samples,
    sampled_values,
)
from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, mean
from earmark.score.resampling import rater
from earmark.values.counts import Mean

VALUES = {"a": 1, "b": 1, "c": 0}
DRAWS = [{"a": 1, "b": 0, "c": 0}, {"a": 1, "b": 1, "c": 0}, {"a": 1, "b": 0, "c": 0}]
OUTPUT = {"a": 1, "b": 1, "c": 1}


def accuracy(**changes: Any) -> Metric:
    def count(reference: int, output: int) -> Mean:
        return Mean.of(float(reference == output))

    return replace(Metric("t", "accuracy", count, mean, average="macro"), **changes)


def test_each_different_value_of_an_item_is_a_row_and_draws_choose_rows() -> None:
    drawn = drawn_references(VALUES, DRAWS)
    assert drawn.item_of == ("a", "b", "c", "b") and drawn.values == (1, 1, 0, 0)
    assert drawn.rows.tolist() == [[0, 3, 2], [0, 1, 2], [0, 3, 2]]
    assert drawn.in_doubt == 1


def test_only_items_in_doubt_are_counted_again_and_once_for_all_draws() -> None:
    counted = []

    def count(reference: int, output: int) -> Mean:
        counted.append((reference, output))
        return Mean.of(float(reference == output))

    samples = joint_samples(drawn_references(VALUES, DRAWS), {}, resamples=50, seed=1)
    sampled_values({"m": accuracy(count=count)}, samples, OUTPUT)
    assert sorted(counted) == [(0, 1), (0, 1), (1, 1), (1, 1)]  # a, b, c, and b's other value


def test_without_resamples_or_with_one_group_there_are_the_draws_alone() -> None:
    """Against 1 0 0, 1 1 0 and 1 0 0 the output 1 1 1 is right in 1, 2 and 1 of three."""
    drawn = drawn_references(VALUES, DRAWS)
    for samples in (
        joint_samples(drawn, {}, resamples=0, seed=1),
        joint_samples(drawn, dict.fromkeys(VALUES, "talk"), resamples=50, seed=1),
    ):
        values = sampled_values({"m": accuracy()}, samples, OUTPUT)["m"]
        assert values == pytest.approx([1 / 3, 2 / 3, 1 / 3])


def test_there_are_as_many_samples_as_resamples_and_draws_take_turns() -> None:
    drawn = drawn_references(VALUES, DRAWS)
    samples = joint_samples(drawn, {}, resamples=7, seed=1)
    assert samples.draw.tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert samples.weights.sum(axis=1).tolist() == [3] * 7
    assert len(joint_samples(drawn, {}, resamples=2, seed=1).draw) == 3
    other = joint_samples(drawn, {}, resamples=7, seed=2)
    assert other.weights.tolist() != samples.weights.tolist()


def test_groups_are_resampled_whole() -> None:
    drawn = drawn_references(VALUES, DRAWS)
    samples = joint_samples(drawn, {"a": "x", "b": "x", "c": "y"}, resamples=20, seed=1)
    assert (samples.weights[:, 0] == samples.weights[:, 1]).all()


def slowly(metric: Metric, samples: JointSamples, output: Mapping[str, Any]) -> Floats:
    """Count every sample's reference as a whole."""
    values = []
    for draw, weights in zip(samples.draw, samples.weights, strict=True):
        side = samples.drawn.side(samples.drawn.rows[draw].tolist())
        by_item = evaluate(metric, side, output, resamples=0).by_item
        counts = [by_item[item] for item in samples.drawn.items]
        values.append(rater(metric, counts)(weights[None])[0])
    return np.array(values)


def share_of_value(references: Mapping[str, int], outputs: Mapping[str, int]) -> dict[str, Mean]:
    """How many items have the item's own reference: it depends on all of them."""
    total = list(references.values())
    return {item: Mean.of(total.count(value) / len(total)) for item, value in references.items()}


def rated(counts: Any, weights: Any) -> Any:
    rows = np.array([tally.total for tally in counts])
    return (weights @ rows) / weights.sum(axis=1)


@pytest.mark.parametrize(
    "metric",
    [
        accuracy(),
        accuracy(rate_resamples=rated),
        accuracy(count_all=share_of_value, separable=False),
    ],
    ids=["rows", "own resampling", "not separable"],
)
def test_weighing_rows_equals_counting_every_draw_as_a_whole(metric: Metric) -> None:
    rng = np.random.default_rng(3)
    items = [f"i{k}" for k in range(12)]
    draws = [dict(zip(items, rng.integers(2, size=12).tolist(), strict=True)) for _ in range(9)]
    output = dict(zip(items, rng.integers(2, size=12).tolist(), strict=True))
    samples = joint_samples(drawn_references(draws[0], draws[1:]), {}, resamples=30, seed=2)
    values = sampled_values({"m": metric}, samples, output)["m"]
    assert values == pytest.approx(slowly(metric, samples, output))
    assert len(set(values.tolist())) > 3


def test_a_metric_that_looks_at_all_references_would_be_wrong_if_it_were_separable() -> None:
    metric = accuracy(count_all=share_of_value)
    samples = joint_samples(drawn_references(VALUES, DRAWS), {}, resamples=0, seed=2)
    right = sampled_values({"m": replace(metric, separable=False)}, samples, OUTPUT)["m"]
    # 1 0 0: shares 1/3, 2/3, 2/3
    assert right[0] == pytest.approx(5 / 9)
    assert sampled_values({"m": metric}, samples, OUTPUT)["m"][0] != pytest.approx(5 / 9)


def test_ranks_over_samples_by_hand() -> None:
    """In 40 samples a leads b in 39, ties once; c is undefined once and last otherwise."""
    a, b, c = np.full(40, 0.8), np.full(40, 0.7), np.full(40, 0.1)
    b[0], c[0] = 0.8, np.nan
    ranks = drawn_ranks({"a": a, "b": b, "c": c}, higher_is_better=True)
    assert ranks.systems["a"].probability_best == pytest.approx(39.5 / 40)
    assert ranks.systems["b"].probability_best == pytest.approx(0.5 / 40)
    assert ranks.systems["c"].probability_best == 0
    assert [(r.rank_low, r.rank_high) for r in ranks.systems.values()] == [(1, 1), (2, 2), (3, 3)]
    assert ranks.orders == {("a", "b"), ("a", "c"), ("b", "c")}  # 39 of 40 is .975


def test_an_order_needs_97_5_percent_of_the_samples() -> None:
    a, b = np.full(40, 0.8), np.full(40, 0.7)
    b[:2] = 0.9
    ranks = drawn_ranks({"a": a, "b": b}, higher_is_better=True)
    assert ranks.orders == frozenset()
    assert [(r.rank_low, r.rank_high) for r in ranks.systems.values()] == [(1, 2), (1, 2)]


def test_where_lower_is_better_the_lowest_is_best() -> None:
    ranks = drawn_ranks(
        {"a": np.array([0.1, 0.2]), "b": np.array([0.3, 0.4])}, higher_is_better=False
    )
    assert ranks.systems["a"].probability_best == 1.0
    assert ranks.orders == {("a", "b")}


def test_a_system_that_is_never_defined_has_no_interval_and_is_never_best() -> None:
    ranks = drawn_ranks({"a": np.full(5, np.nan), "b": np.full(5, np.nan)}, higher_is_better=True)
    assert ranks.systems["a"].interval is None
    assert ranks.systems["a"].probability_best == 0.0


def test_the_interval_is_over_items_and_draws_together() -> None:
    values = np.arange(1000) / 1000
    interval = drawn_ranks({"a": values}, higher_is_better=True).systems["a"].interval
    assert interval is not None
    assert interval.low == pytest.approx(0.025, abs=1e-3)
    assert interval.high == pytest.approx(0.975, abs=1e-3)
