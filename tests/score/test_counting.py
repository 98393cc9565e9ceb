"""Counts of many items as one array, and what metrics of one call share."""

from dataclasses import replace

import numpy as np
import pytest

from earmark.score.compare import compare_scores
from earmark.score.counting import CountTable, InOrder, Prepared, add
from earmark.score.evaluate import count_items, evaluate, evaluate_all
from earmark.score.metric import Metric, count_one, macro
from earmark.stats.rates import f1
from earmark.values.counts import Hits
from earmark.values.errors import InputError

ROWS = {"a": (1, 0, 2), "b": (3, 1, 0), "c": (0, 2, 2)}
OTHERS = {"a": (0, 1, 2), "b": (4, 0, 0), "c": (2, 0, 1)}


def table(rows=ROWS, kind=int):
    return CountTable(tuple(rows), np.array(list(rows.values()), kind), lambda row: Hits(*row))


def test_a_table_is_a_mapping_of_records_made_when_looked_at():
    assert table() == {item: Hits(*row) for item, row in ROWS.items()}
    assert table().total() == Hits(4, 3, 4) and isinstance(table().total().true_positives, int)
    assert add(table(kind=float)) == Hits(4.0, 3.0, 4.0)
    assert list(table().in_order("cba")) == ["c", "b", "a"] and table().in_order("cba") == table()
    with pytest.raises(KeyError):
        table()["d"]


def test_sums_of_fractions_are_exact_whatever_their_order():
    rows = {str(n): (0.1, 0.0, 0.0) for n in range(10)}
    assert table(rows, float).total().true_positives == 1.0


def counted(prepare):
    def count(layout):
        return CountTable(
            tuple(layout), np.array(list(layout.values()), int), lambda row: Hits(*row)
        )

    return Metric("t", "m", count_one(prepare, count), f1, prepare=prepare, count_prepared=count)


def test_metrics_of_one_call_share_what_they_prepare_and_nothing_is_kept():
    calls = []

    def prepare(reference, output):
        calls.append(list(output))
        return dict(output.items())

    metrics = {"one": counted(prepare), "two": replace(counted(prepare), name="two")}
    scores = evaluate_all(metrics, ROWS, ROWS, resamples=50)
    assert calls == [["a", "b", "c"]]
    assert scores["one"].counts == Hits(4, 3, 4) and scores["one"].interval is not None
    evaluate_all(metrics, ROWS, ROWS, resamples=0)
    assert len(calls) == 2
    assert metrics["one"].count(ROWS["a"], ROWS["a"]) == Hits(1, 0, 2)


def test_tables_and_records_give_the_same_numbers():
    by_table = counted(lambda _, output: dict(output.items()))
    by_record = Metric("t", "m", lambda _, row: Hits(*row), f1)
    for metric in (by_record, macro(by_record)):
        twin = by_table if metric is by_record else macro(by_table)
        scores = [evaluate(m, ROWS, ROWS, resamples=60, seed=2) for m in (metric, twin)]
        assert scores[0].value == scores[1].value and scores[0].interval == scores[1].interval
        others = [evaluate(m, ROWS, OTHERS, resamples=60, seed=2) for m in (metric, twin)]
        found = [
            compare_scores(m, a, b, resamples=60, seed=2)
            for m, a, b in zip((metric, twin), scores, others, strict=True)
        ]
        assert found[0] == found[1]
    assert count_items(by_table, ROWS, ROWS, ["b", "a", "c"]) == table()


def test_scores_that_differ_in_one_item_are_not_equal_and_can_be_hashed():
    metric = counted(lambda _, output: dict(output.items()))
    one, again = (evaluate(metric, ROWS, ROWS, resamples=0) for _ in range(2))
    swapped = {"a": ROWS["b"], "b": ROWS["a"], "c": ROWS["c"]}
    other = evaluate(metric, ROWS, swapped, resamples=0)
    assert one == again and hash(one) == hash(again)
    assert one.value == other.value and one != other


def test_an_option_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="resample"):
        evaluate(Metric("t", "m", lambda _, row: Hits(*row), f1), ROWS, ROWS, resample=3)


def test_a_side_is_read_in_the_order_of_the_items_without_a_copy():
    side = Prepared(ROWS, ROWS, ("c", "a", "b")).output
    assert isinstance(side, InOrder) and list(side) == ["c", "a", "b"] and len(side) == 3
