"""Boards: ranks, their range, tie groups, and when nothing is ranked."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from earmark.score.compare import Difference, compare_scores, groups_needed
from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, mean
from earmark.score.rank import BoardRow, board, row_as_json
from earmark.score.table import as_csv, as_html, as_latex, as_markdown, notes_of
from earmark.score.text_table import BoardText
from earmark.stats.rates import f1
from earmark.values.counts import Hits, Mean
from earmark.values.score import Score

MEAN = Metric("made", "mean", lambda _, value: Mean.of(value), mean)
F1 = Metric("made", "f1", lambda _, hits: Hits(*hits), f1)


def scored(values: Any, metric: Metric = MEAN, **options: Any) -> Score:
    outputs = {f"item-{k:03}": value for k, value in enumerate(values)}
    return evaluate(metric, dict.fromkeys(outputs), outputs, resamples=0, **options)


def steps(systems: int, items: int, step: float, noise: float) -> dict[str, Score]:
    """Return systems a step apart on items of which some are hard for all."""
    rng = np.random.default_rng(0)
    items_own = rng.normal(0.5, 0.2, items)
    return {
        f"s{k:02}": scored((items_own - step * k + rng.normal(0, noise, items)).tolist())
        for k in range(systems)
    }


def test_fifteen_clearly_different_systems_get_fifteen_ranks() -> None:
    rows = board(MEAN, steps(15, 200, 0.05, 0.01))
    assert [row.rank for row in rows] == list(range(1, 16))
    assert [(row.rank_low, row.rank_high) for row in rows] == [(k, k) for k in range(1, 16)]
    assert "".join(row.groups for row in rows) == "abcdefghijklmno"
    assert all(row.p < 0.01 for row in rows[1:])


def test_ranks_say_how_many_are_better_and_the_range_how_many_are_worse() -> None:
    """Good and twin are equal; bad is behind both; void has no value and no rank."""
    good, twin, bad = ([1.0] * 50 + [0.0] * k + [1.0] * (10 - k) for k in (2, 3, 10))
    bad = [value if k % 2 else 0.0 for k, value in enumerate(bad)]
    scores = {"good": scored(good), "twin": scored(twin), "bad": scored(bad)}
    rows = board(MEAN, {**scores, "void": scored([math.nan] * 60)})
    assert [row.system for row in rows] == ["good", "twin", "bad", "void"]
    assert [(r.rank, r.rank_low, r.rank_high, r.groups) for r in rows[:3]] == [
        (1, 1, 2, "a"), (1, 1, 2, "a"), (3, 3, 3, "b"),
    ]  # fmt: skip
    assert rows[3].rank is None and rows[3].why == "its value is undefined"
    assert rows[0].behind is None and rows[1].behind is not None
    lower = board(replace(MEAN, higher_is_better=False), {k: scores[k] for k in ("good", "bad")})
    assert [row.system for row in lower] == ["bad", "good"]


def test_a_board_of_three_items_ranks_nothing_and_says_why() -> None:
    rows = board(MEAN, {"a": scored([1, 1, 1]), "b": scored([0, 0, 0])})
    assert [row.rank for row in rows] == [None, None]
    said = "3 items: no test could separate 2 systems; at least 6 are needed"
    assert {row.why for row in rows} == {said}
    assert rows[1].p == 2 / 8  # the test is made all the same
    document = row_as_json(rows[1])
    assert document["rank"] is None and document["why"] == said and document["groups"] == ""
    assert json.loads(json.dumps(document)) == document
    enough = board(MEAN, {"a": scored([1.0] * 6), "b": scored([0.0] * 6)})
    assert [row.rank for row in enough] == [1, 2] and enough[1].p == 2 / 64


def test_more_systems_need_more_groups() -> None:
    six = {name: scored([value] * 6) for name, value in (("a", 1.0), ("b", 0.5), ("c", 0.0))}
    assert "at least 7 are needed" in board(MEAN, six)[0].why
    groups = {f"item-{k:03}": f"talk-{k % 4}" for k in range(12)}
    grouped = {k: scored([v] * 12, groups=groups) for k, v in (("a", 1.0), ("b", 0.0))}
    assert board(MEAN, grouped)[0].why.startswith("4 groups: no test could separate 2 systems")


def test_one_system_or_no_test_is_no_ranking() -> None:
    assert board(MEAN, {"a": scored([1, 0])})[0].why == "1 system: there is nothing to compare"
    both = {"a": scored([1.0] * 9), "b": scored([0.0] * 9)}
    rows = board(MEAN, both, resamples=0)
    assert rows[0].why == "no test was made: resamples is 0" and math.isnan(rows[1].p)
    assert board(MEAN, {}) == ()


def test_no_row_has_both_a_rank_and_a_reason_for_none() -> None:
    rows = board(MEAN, steps(4, 30, 0.02, 0.05))
    assert all(row.why == "" and row.rank for row in rows)
    assert set(row_as_json(rows[0])) == {
        "system", "value", "low", "high", "items", "signature", "rank", "rank_low", "rank_high",
        "groups", "behind", "p",
    }  # fmt: skip


def test_the_row_after_the_best_says_how_many_more_items_would_separate_the_two() -> None:
    rng = np.random.default_rng(2)
    own = rng.normal(0.5, 0.1, 20)
    scores = {
        "a": scored((own + 0.02).tolist()),
        "b": scored((own + rng.normal(0, 0.1, 20)).tolist()),
    }
    first, second = board(MEAN, scores)
    assert second.rank == 1 and first.more is None and second.more is not None
    assert second.behind is not None
    assert second.more == (groups_needed(second.behind) or 0) - 20
    assert second.advice == f"about {second.more} more items would separate a from b"
    assert row_as_json(second)["more"] == second.more
    enlarged = {
        k: scored([v for _, v in sorted(_means(s).items())] * 30) for k, s in scores.items()
    }
    assert board(MEAN, enlarged)[1].rank == 2 and board(MEAN, enlarged)[1].more is None


def _means(score: Score) -> dict[str, float]:
    return {item: mean(counts) for item, counts in score.by_item.items()}  # type: ignore[arg-type]


def test_groups_needed_is_the_formula_for_two_means() -> None:
    """(1.960 + 0.842)^2 (.1 / .05)^2 + 1.960^2 / 2 = 31.40 + 1.92 = 33.3, so 34."""
    difference = Difference("m", 0.05, None, 0.2, 20, groups=20, spread=0.1)
    assert groups_needed(difference) == 34
    assert (groups_needed(difference, pairs=45) or 0) > 50
    assert (groups_needed(difference, power=0.95) or 0) > 50
    assert (groups_needed(difference, level=0.2) or 99) < 34
    assert groups_needed(replace(difference, value=1.0)) == 6  # fewer cannot show anything
    assert groups_needed(replace(difference, value=0.0)) is None


def test_perplexities_in_the_thousands_keep_their_ties() -> None:
    """Equal shifts of five items: no swap but none and all gives as much, so p is 2 / 32."""
    logs = [9.0, 9.01, 8.99, 9.02, 9.0]
    perplexity = replace(MEAN, rate=lambda counts: math.exp(mean(counts)), higher_is_better=False)
    for shift in np.linspace(1e-4, 1e-3, 40).tolist():
        pair = [scored([log + move for log in logs], perplexity) for move in (0.0, shift)]
        assert compare_scores(perplexity, *pair).p == 2 / 32


def test_rating_columns_and_rating_row_by_row_rank_alike() -> None:
    rng = np.random.default_rng(5)
    scores = {
        f"s{k}": scored(rng.poisson((8 - k, 2 + k, 2), (40, 3)).tolist(), F1) for k in range(4)
    }

    def one_by_one(hits: Hits) -> float:
        return f1(hits) if hits.true_positives >= 0 else math.nan

    by_columns, by_rows = (board(m, scores) for m in (F1, replace(F1, rate=one_by_one)))
    assert [row.p for row in by_columns] == pytest.approx([row.p for row in by_rows], nan_ok=True)
    assert [row.rank for row in by_columns] == [row.rank for row in by_rows]


def _own_way(counts: Any, weights: Any) -> Any:
    """Rate resamples of means the metric's own way: the mean of drawn items' values."""
    values = np.array([tally.total for tally in counts])
    return weights @ values / weights.sum(axis=1)


def test_a_metric_that_rates_resamples_itself_ranks_as_the_same_metric_by_rows() -> None:
    scores = steps(4, 30, 0.02, 0.03)
    own, rows = board(replace(MEAN, rate_resamples=_own_way), scores), board(MEAN, scores)
    assert [row.p for row in own] == pytest.approx([row.p for row in rows], nan_ok=True)

    def squared(counts: Any, weights: Any) -> Any:
        return _own_way(counts, weights) ** 2  # no sum over groups: every pattern is rated

    bent = replace(MEAN, rate_resamples=squared, rate=lambda counts: mean(counts) ** 2)
    some = {
        name: scored([v for _, v in sorted(_means(score).items())], bent)
        for name, score in scores.items()
    }
    assert [row.system for row in board(bent, some)] == [row.system for row in rows]
    assert board(bent, some)[3].p < 0.05


def test_systems_whose_items_cannot_be_mixed_are_compared_by_what_groups_contribute() -> None:
    """For a mean, contributions are the items' values, and both tests are the same test."""
    metric = replace(MEAN, poolable=False)
    rng = np.random.default_rng(4)
    for items in (8, 12, 40):
        own = rng.normal(0.5, 0.2, items)
        pair = [scored((own + rng.normal(0, 0.1, items)).tolist()) for _ in range(2)]
        mixed, apart = (compare_scores(m, *pair) for m in (MEAN, metric))
        assert apart.p == pytest.approx(mixed.p)
    best, worst = scored([1.0] * 4), scored([0.0] * 4)
    assert compare_scores(metric, best, worst).p == 2 / 16  # never below, however clear


def test_more_groups_than_blocks_are_left_out_in_blocks() -> None:
    metric = replace(MEAN, poolable=False, rate_resamples=_own_way)
    rng = np.random.default_rng(6)
    own = rng.normal(0.5, 0.2, 250)
    scores = {
        "a": scored(own.tolist()),
        "b": scored((own - 0.1 + rng.normal(0, 0.1, 250)).tolist()),
    }
    row = board(metric, scores)[1]
    assert row.rank == 2 and row.behind is not None and row.behind.groups == 250
    assert row.behind.spread == pytest.approx(0.1, rel=0.2)


@pytest.fixture
def records() -> list[dict[str, Any]]:
    rows = board(MEAN, {"a": scored([1, 1, 1]), "b": scored([0, 0, 0])})
    return [{"metric": "mean", **row_as_json(row)} for row in rows]


def test_a_table_has_a_dash_for_no_rank_and_the_sentence_once(records: list[Any]) -> None:
    said = "3 items: no test could separate 2 systems; at least 6 are needed"
    text = BoardText(board={"mean": records}, details={"a": {}, "b": {}}, higher={"mean": True})
    lines = list(text.lines())
    assert lines[2].split() == ["a", "1.000*", "-"] and lines.count(said) == 1
    for written in (as_markdown, as_latex, as_html):
        assert written(records).count(said) == 1
    assert "rank_low" in as_csv(records).splitlines()[0]
    other = [{**record, "metric": "other", "why": "else"} for record in records]
    assert f"mean: {said}" in notes_of([*records, *other])


def test_a_row_is_made_without_a_rank() -> None:
    assert BoardRow("a", scored([1.0])).rank is None


def test_a_rank_counts_what_is_shown_and_need_not_follow_the_value() -> None:
    """b is a little worse than a on every item; c is worse on average, and varies too much."""
    rng = np.random.default_rng(0)
    a = rng.uniform(0.6, 0.9, 20)
    noise = rng.normal(0, 0.3, 20)
    c = a - 0.03 + noise - noise.mean()
    values = {"a": a, "b": a - 0.02, "c": c}
    rows = board(MEAN, {name: scored(own.tolist()) for name, own in values.items()})
    assert [(row.system, row.rank) for row in rows] == [("a", 1), ("b", 2), ("c", 1)]
    assert [row.groups for row in rows] == ["a", "b", "ab"]
