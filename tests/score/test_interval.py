"""When a score has an interval, and what it says when it has none."""

import math

import numpy as np
import pytest

from earmark.score import interval
from earmark.score.build import details_of
from earmark.score.compare import compare_scores
from earmark.score.counting import CountTable
from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, mean
from earmark.stats.rates import f1, recall
from earmark.tasks.events import event_f1, intersection_f1, psds, tag_f1, tag_precision
from earmark.tasks.events.values import Event, FrameScores, Tags, Timeline
from earmark.values.counts import Hits, Mean

HITS = Metric("sets", "f1", lambda reference, output: Hits(*output), f1)
MEAN = Metric("sets", "mean", lambda reference, output: Mean.of(output), mean)


def score(metric, outputs, **options):
    return evaluate(metric, dict.fromkeys(outputs, 0), outputs, **options)


def test_recordings_without_anything_to_count_are_no_groups_of_an_interval() -> None:
    """Four recordings with events among sixteen silent ones are as uncertain as four alone."""
    events = {f"a{k}": (3, k, 1) for k in range(4)}
    silent = {f"s{k:02}": (0, 0, 0) for k in range(16)}
    counts = list({**events, **silent}.values())
    tallies = [Hits(*row) for row in counts]
    names = [*events, *silent]
    assert interval.counting_groups(HITS, tallies, names, np.array([0.5])) == 4
    many = [*tallies, *[Hits()] * 3000]
    groups = [str(k) for k in range(len(many))]
    half = np.array([0.5] * 99 + [math.nan])
    assert interval.counting_groups(HITS, many, groups, half) == round(-math.log(0.01))


def test_groups_that_only_move_the_value_of_the_rest_count() -> None:
    """False positives where there is no reference have no recall, but an error rate moves."""
    rate = Metric(
        "sets",
        "er",
        lambda r, o: Hits(*o),
        lambda h: h.false_positives / h.row()[0] if h.true_positives else math.nan,
    )
    tallies = [Hits(4, 0, 0), Hits(0, 0, 1), Hits(0, 0, 0)]
    assert interval.counting_groups(rate, tallies, ["a", "b", "c"], np.array([0.25])) == 2


def test_of_many_groups_some_are_looked_at() -> None:
    table = CountTable([str(k) for k in range(1000)], np.ones((1000, 3)), lambda row: Hits(*row))
    assert interval.counting_groups(HITS, table, table.items_in_order, np.array([0.5])) == 1000


def test_one_recording_with_events_has_no_interval_and_says_why() -> None:
    outputs = {"a": (3, 1, 1), **{f"s{k}": (0, 0, 0) for k in range(9)}}
    result = score(HITS, outputs)
    assert result.value == 0.75 and result.interval is None
    assert result.no_interval == "only 1 group of items has something to count"
    assert details_of({"f1": result}) == {"f1": {"no_interval": result.no_interval}}


def test_two_recordings_with_events_of_ten_leave_too_many_resamples_undefined() -> None:
    outputs = {"a": (3, 1, 1), "b": (2, 2, 0), **{f"s{k}": (0, 0, 0) for k in range(8)}}
    result = score(HITS, outputs)
    assert result.interval is None
    assert result.no_interval.endswith("of the resamples have no value: 2 groups of items count")


def test_the_share_of_undefined_resamples_is_in_the_details() -> None:
    outputs = {f"a{k}": (3, k, 1) for k in range(4)} | {f"s{k}": (0, 0, 0) for k in range(6)}
    result = score(HITS, outputs)
    assert result.interval is not None and 0 < result.interval.undefined < 0.05
    share = details_of({"f1": result})["f1"]["undefined_resamples"]
    assert share == result.interval.undefined


def test_all_right_is_a_bound_and_says_by_which_rule() -> None:
    result = score(HITS, {f"a{k}": (3, 0, 0) for k in range(10)})
    assert result.interval is not None
    assert result.interval.low == pytest.approx(1 - 0.25887, abs=1e-5)
    assert details_of({"f1": result}) == {"f1": {"interval": "rule of three"}}
    grouped = score(
        HITS,
        {f"a{k}": (3, 0, 0) for k in range(10)},
        groups={f"a{k}": str(k % 2) for k in range(10)},
    )
    assert grouped.interval is not None and grouped.interval.low < result.interval.low


def test_an_interval_of_a_mean_stays_in_the_range_of_its_metric() -> None:
    result = score(MEAN, {"a": 1.0, "b": 1.0, "c": 0.9})
    assert result.interval is not None and 0 <= result.interval.low < result.interval.high <= 1


def test_a_difference_of_equal_systems_is_bounded_and_not_certain() -> None:
    result = score(MEAN, {f"a{k}": 0.5 for k in range(10)})
    difference = compare_scores(MEAN, result, result)
    assert difference.interval is not None and not difference.is_certain
    assert difference.interval.high == pytest.approx(0.25887, abs=1e-5)


def test_a_difference_has_no_interval_where_too_little_counts() -> None:
    silent = {f"s{k}": (0, 0, 0) for k in range(9)}
    first, second = (score(HITS, {"a": row, **silent}) for row in ((3, 1, 1), (2, 1, 1)))
    assert compare_scores(HITS, first, second).interval is None


def tags(*names: str) -> Tags:
    return Tags(frozenset(names))


def test_a_mean_over_labels_of_which_one_is_rare_has_no_interval() -> None:
    reference = {f"r{k}": tags("dog", *(["car"] if k < 4 else [])) for k in range(8)}
    output = {name: tags("dog") for name in reference}
    averaged = evaluate(tag_f1(average="macro"), reference, output)
    assert averaged.interval is None
    assert averaged.no_interval == (
        "1 of 2 labels occurs in fewer than 5 items (car in 4); "
        "no resample shows what others of them would be worth"
    )
    assert evaluate(tag_f1(average="micro"), reference, output).interval is not None
    assert compare_scores(tag_f1(average="macro"), averaged, averaged).interval is None
    precision = evaluate(tag_precision(average="macro"), reference, output)
    assert precision.interval is not None  # car has no precision, and does not enter


def test_a_mean_over_labels_that_are_frequent_has_an_interval() -> None:
    reference = {f"r{k}": tags("dog", *(["car"] if k < 5 else [])) for k in range(8)}
    output = {name: tags("dog", *(["car"] if k < 2 else [])) for k, name in enumerate(reference)}
    assert evaluate(tag_f1(average="macro"), reference, output).interval is not None
    talks = {name: "one" if name < "r3" else name for name in reference}
    grouped = evaluate(tag_f1(average="macro"), reference, output, groups=talks, grouped_by="talk")
    assert grouped.no_interval.startswith("1 of 2 labels occurs in fewer than 5 groups (car in 3)")


def test_the_rarest_labels_are_named_first_and_the_others_counted() -> None:
    labels = ["a", "b", "c", "d", "e"]
    reference = {f"r{k}": tags(*labels[k:]) for k in range(5)}
    refused = evaluate(tag_f1(average="macro"), reference, reference).no_interval
    assert refused.startswith(
        "4 of 5 labels occur in fewer than 5 items (a in 1, b in 2, c in 3 and 1 more)"
    )


@pytest.mark.parametrize("build", [event_f1, intersection_f1])
def test_all_means_over_labels_look_at_their_labels(build) -> None:
    assert build(average="macro").labels is not None and build(average="micro").labels is None


def test_psds_looks_at_its_labels_too() -> None:
    scores = FrameScores(("car", "dog"), (0.0, 1.0, 2.0), ((0.1, 0.2), (0.9, 0.3)))
    events = (Event("dog", 1, 2),)
    reference = {f"r{k}": Timeline(2, events) for k in range(4)}
    output = {name: Timeline(2, (), scores) for name in reference}
    result = evaluate(psds(), reference, output, resamples=20)
    assert result.no_interval.startswith("1 of 1 labels occurs in fewer than 5 items (dog in 4)")


def test_a_rate_that_silence_leaves_undefined_has_the_same_interval_without_silence() -> None:
    rows = {f"a{k}": (3, k % 3, 1) for k in range(6)}
    metric = Metric("sets", "recall", lambda reference, output: Hits(*output), recall)
    alone = score(metric, rows)
    with_silence = score(metric, {**rows, "s": (0, 0, 0)})
    assert alone.interval and with_silence.interval
    assert with_silence.interval.low == pytest.approx(alone.interval.low, abs=0.02)
