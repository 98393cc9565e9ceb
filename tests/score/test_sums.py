"""Counts summed by group, and many sums rated at once."""

import math
from typing import Any

import numpy as np
import pytest

from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric
from earmark.score.resampling import in_rows
from earmark.score.sums import GroupSums
from earmark.stats.rates import f1, mean_defined, proportion
from earmark.tasks.captions.score.ngrams.bleu import BleuCounts, bleu
from earmark.tasks.context.score.rating import rate_perplexity
from earmark.tasks.events.score.tallies import ByLabel, rated
from earmark.values.counts import Hits, Mean


def test_counts_are_summed_by_group_and_rated_together() -> None:
    """Two groups of two items: (1, 0, 1) + (1, 1, 0) = (2, 1, 1), F1 4/6; and (0, 1, 0) twice."""
    metric = Metric("made", "f1", lambda _, hits: Hits(*hits), f1)
    outputs = {"a": (1, 0, 1), "b": (1, 1, 0), "c": (0, 1, 0), "d": (0, 1, 0)}
    score = evaluate(metric, dict.fromkeys(outputs), outputs, resamples=0)
    sums = GroupSums.of(metric, [in_rows(score.by_item, "abcd")], np.array([0, 0, 1, 1]))
    assert sums is not None and sums.rows.tolist() == [[[2, 1, 1], [0, 2, 0]]]
    assert sums.rate(sums.rows[0]) == pytest.approx([4 / 6, 0.0])


def _records() -> list[tuple[Any, Any, Any]]:
    rng = np.random.default_rng(0)
    bleu_rows = rng.integers(1, 40, (30, 10))
    means = np.stack([rng.uniform(0, 90, 30), rng.integers(0, 9, 30), np.zeros(30)], axis=1)
    labels = rng.poisson(0.7, (30, 7))  # some labels are undefined in some rows
    return [
        (bleu, lambda row: BleuCounts.from_row(tuple(row)), bleu_rows),
        (rate_perplexity, lambda row: Mean(*row), means),
        (rated(f1, "macro"), lambda row: ByLabel(("a", "b"), tuple(row[:-1]), row[-1]), labels),
    ]


@pytest.mark.parametrize(("rate", "record", "rows"), _records())
def test_columns_are_rated_as_their_rows_are(rate: Any, record: Any, rows: Any) -> None:
    columns = rate(record(tuple(rows.T.astype(float))))
    expected = [rate(record(row)) for row in rows.tolist()]
    assert columns == pytest.approx(expected, nan_ok=True)


def test_a_rate_that_cannot_take_columns_is_called_row_by_row() -> None:
    metric = Metric("made", "odd", lambda _, hits: Hits(*hits), lambda hits: math.floor(f1(hits)))
    sums = GroupSums(metric, np.zeros((1, 1, 3)), lambda row: Hits(*row))
    rows = np.array([[k, 0.0, 0.0] for k in range(1, 9)])
    assert sums.rate(rows).tolist() == [1.0] * 8


def test_a_rate_of_columns_that_differs_from_its_rows_is_not_used() -> None:
    """A rate that looks at all rows together would mix them up."""

    def rate(hits: Hits) -> Any:
        return hits.true_positives / np.max(hits.true_positives)

    metric = Metric("made", "mixed", lambda _, hits: Hits(*hits), rate)
    sums = GroupSums(metric, np.zeros((1, 1, 3)), lambda row: Hits(*row))
    assert sums.rate(np.array([[k, 0.0, 0.0] for k in range(1, 9)])).tolist() == [1.0] * 8
    one = Metric("made", "one", lambda _, hits: Hits(*hits), lambda hits: 0.5)
    constant = GroupSums(one, np.zeros((1, 1, 3)), lambda row: Hits(*row))
    assert constant.rate(np.ones((8, 3))).tolist() == [0.5] * 8


def test_shares_and_means_of_columns_are_undefined_row_by_row() -> None:
    part, of = np.array([1.0, 0.0, 3.0]), np.array([4.0, 0.0, 4.0])
    shares = proportion(part, of=of)
    assert shares == pytest.approx([0.25, math.nan, 0.75], nan_ok=True)
    columns: Any = [shares, np.array([0.75, math.nan, math.nan])]
    assert mean_defined(columns) == pytest.approx([0.5, math.nan, 0.75], nan_ok=True)
