"""The metrics against other tools' numbers, against working by hand, and against plain versions."""

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from earmark.score.compare import compare
from earmark.score.evaluate import evaluate
from earmark.tasks import events as task
from earmark.tasks.events.measure import MeasureOptions, measure
from earmark.tasks.events.score.psds import psd_curve
from earmark.tasks.events.values import Event, FrameScores, Tags, Timeline
from earmark.values.errors import InputError

EXACT = 1e-9
spec = importlib.util.spec_from_file_location("laws_here", Path(__file__).parent / "laws.py")
assert spec and spec.loader
laws = importlib.util.module_from_spec(spec)
spec.loader.exec_module(laws)
DURATION, LABELS, scored, timelines = laws.DURATION, laws.LABELS, laws.scored, laws.timelines


@pytest.fixture(scope="module")
def vectors() -> Path:
    """Ten recordings, and what sed_eval 0.2.1, psds_eval 0.5.3 and sed_scores_eval 0.0.4 give."""
    return Path(__file__).parent / "vectors" / "metrics"


@pytest.fixture(scope="module")
def sides(vectors: Path):
    return measure(
        (vectors / "ref_10.tsv",),
        vectors / "est_10.tsv",
        MeasureOptions(durations=vectors / "dur_10.tsv"),
    )


@pytest.fixture(scope="module")
def frames(vectors: Path):
    return measure(
        (vectors / "ref_10.tsv",),
        None,
        MeasureOptions(durations=vectors / "dur_10.tsv", scores=vectors / "scores_10"),
    )


def value(metric, pairing) -> float:
    return evaluate(metric, pairing.reference, pairing.output, resamples=0).value


def parts(metric, pairing) -> dict[str, Any]:
    return dict(evaluate(metric, pairing.reference, pairing.output, resamples=0).parts)


def parts_of_one(metric, reference, output) -> dict[str, Any]:
    return dict(metric(reference, output).parts)


def test_segments_equal_sed_eval(vectors: Path, sides) -> None:
    expected = json.loads((vectors / "expected_10.json").read_text())["sed_eval"]
    overall, average = expected["segment_overall"], expected["segment_class_avg"]
    for name in ("f_measure", "precision", "recall"):
        metric = {"f_measure": "segment_f1"}.get(name, f"segment_{name}")
        for kind, found in (("micro", overall), ("macro", average)):
            built = getattr(task, metric)(average=kind)
            assert value(built, sides) == pytest.approx(found["f_measure"][name], abs=EXACT)
    rates = parts(task.segment_error_rate(), sides)
    for name in ("substitution", "deletion", "insertion"):
        assert rates[f"{name}s"] == pytest.approx(overall["error_rate"][f"{name}_rate"], abs=EXACT)
    for kind, found in (("micro", overall), ("macro", average)):
        wanted = found["error_rate"]["error_rate"]
        built = task.segment_error_rate(average=kind)
        assert value(built, sides) == pytest.approx(wanted, abs=EXACT)
    by_label = parts(task.segment_f1(), sides)["by_label"]
    for label, found in expected["segment_classwise"].items():
        assert by_label[label] == pytest.approx(found["f_measure"]["f_measure"], abs=EXACT)


def test_events_with_collars_equal_sed_eval(vectors: Path, sides) -> None:
    expected = json.loads((vectors / "expected_10.json").read_text())["sed_eval"]
    micro, macro = (value(task.event_f1(average=kind), sides) for kind in ("micro", "macro"))
    assert micro == pytest.approx(expected["event_overall"]["f_measure"]["f_measure"], abs=EXACT)
    assert macro == pytest.approx(expected["event_class_avg"]["f_measure"]["f_measure"], abs=EXACT)
    by_label = parts(task.event_f1(), sides)["by_label"]
    for label, found in expected["event_classwise"].items():
        assert by_label[label] == pytest.approx(found["f_measure"]["f_measure"], abs=EXACT)


@pytest.mark.parametrize("criterion", ["0.7", "0.1", "0.5"])
def test_intersections_equal_psds_eval(vectors: Path, sides, criterion: str) -> None:
    expected = json.loads((vectors / "expected_10.json").read_text())["psds_eval_F"][criterion]
    metric = task.intersection_f1(detection=float(criterion), coverage=float(criterion), cross=0.3)
    assert value(metric, sides) == pytest.approx(expected["macro_f"], abs=EXACT)
    for label, found in expected["class_f"].items():
        assert parts(metric, sides)["by_label"][label] == pytest.approx(found, abs=EXACT)


@pytest.mark.parametrize(("name", "metric"), [("psds1", task.psds), ("psds2", task.psds_2)])
def test_psds_equals_sed_scores_eval(vectors: Path, frames, name: str, metric) -> None:
    expected = json.loads((vectors / "expected_scores_10.json").read_text())[name]
    assert value(metric(), frames) == pytest.approx(expected["psds"], abs=1e-6)
    for label, found in expected["per_class"].items():
        assert parts(metric(), frames)["by_label"][label] == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("segF_0.5", task.segment_f1),
        ("collar_0.5", task.event_f1),
        ("interF_0.5", task.intersection_f1),
    ],
)
def test_thresholded_scores_equal_sed_scores_eval(vectors: Path, frames, name: str, metric) -> None:
    expected = json.loads((vectors / "expected_scores_10.json").read_text())[name]
    for kind in ("micro", "macro"):
        found = value(metric(average=kind), frames)
        assert found == pytest.approx(expected[f"{kind}_average"], abs=EXACT)


def test_a_substitution_is_a_miss_and_a_false_alarm_in_one_second() -> None:
    """Second 0: dog missed, horn made up, so S = 1. Second 1: dog missed, D = 1. N = 2."""
    score = task.segment_error_rate()([Event("dog", 0, 2)], [Event("horn", 0, 1)])
    assert score.value == 1.0
    assert score.parts["substitutions"] == 0.5
    assert score.parts["deletions"] == 0.5
    assert score.parts["insertions"] == 0.0


def test_seconds_count_when_any_part_of_them_is_touched() -> None:
    """Reference touches seconds 0 and 1, output 1 and 2: one found, one missed, one made up."""
    assert task.segment_f1()([Event("a", 0.9, 1.1)], [Event("a", 1.5, 2.1)]).value == 0.5
    assert task.segment_f1(seconds=3)([Event("a", 0.9, 1.1)], [Event("a", 1.5, 2.1)]).value == 1.0


def test_a_border_exactly_on_a_second_does_not_touch_the_next() -> None:
    assert task.segment_f1(seconds=0.1)([Event("a", 0, 0.3)], [Event("a", 0.3, 0.6)]).value == 0.0


def test_an_onset_off_by_exactly_the_collar_counts() -> None:
    near = task.event_f1(offsets=False)([Event("a", 1.0, 2.0)], [Event("a", 1.2, 9.0)])
    assert near.value == 1.0
    far = task.event_f1(offsets=False)([Event("a", 1.0, 2.0)], [Event("a", 1.200001, 2.0)])
    assert far.value == 0.0


def test_long_events_may_end_further_off() -> None:
    reference, output = [Event("a", 0, 10)], [Event("a", 0, 11.9)]
    assert task.event_f1()(reference, output).value == 1.0
    assert task.event_f1(collar_share=0.1)(reference, output).value == 0.0
    assert task.event_f1(collar_share=0.0, collar=1.9)(reference, output).value == 1.0


def test_pairing_finds_what_a_greedy_one_would_miss() -> None:
    """The first output fits both references, the second only the first."""
    reference = [Event("a", 1.0, 2.0), Event("b", 0.0, 0.1), Event("a", 2.1, 3.0)]
    output = [Event("a", 1.5, 1.6), Event("a", 0.6, 0.7)]
    metric = task.event_f1(collar=0.7, offsets=False)
    assert metric(reference, output).parts["found"] == 2


def test_seventy_percent_is_enough_at_seventy_percent() -> None:
    reference, output = [Event("a", 0, 7)], [Event("a", 0, 10)]
    assert task.intersection_f1()(reference, output).value == 1.0
    assert task.intersection_f1(detection=0.71)(reference, output).value == 0.0
    assert task.intersection_f1()([Event("a", 0, 10)], [Event("a", 0, 7)]).value == 1.0
    assert task.intersection_f1(coverage=0.71)([Event("a", 0, 10)], [Event("a", 0, 7)]).value == 0


def test_only_outputs_that_count_cover_a_reference() -> None:
    """The second output lies on the reference by 40 % only: it neither covers nor counts."""
    reference = [Event("a", 0, 10)]
    output = [Event("a", 0, 6), Event("a", 8, 13)]
    hits = task.intersection_f1(detection=0.5)(reference, output).parts
    assert (hits["found"], hits["missed"], hits["made_up"]) == (0, 1, 1)


def test_cross_triggers_are_counted_in_the_details() -> None:
    metric = task.intersection_f1(cross=0.3)
    found = metric([Event("a", 0, 10), Event("b", 20, 30)], [Event("b", 0, 10)])
    assert found.parts["cross_triggers"] == 1
    assert "cross_triggers" not in task.intersection_f1()([Event("a", 0, 1)], []).parts


def test_silence_scored_silent_is_undefined() -> None:
    for metric in (task.segment_f1(), task.event_f1(), task.intersection_f1(), task.tag_f1()):
        score = metric(Timeline(10), Timeline(10))
        assert math.isnan(score.value) and score.why


def test_tags_are_counted_by_label() -> None:
    reference, output = Tags(frozenset("ab")), Tags(frozenset("bc"))
    assert task.tag_f1()(reference, output).value == 0.5
    assert task.tag_precision()(reference, output).value == 0.5
    assert task.tag_recall()(Timeline(3, (Event("a", 0, 1),)), Tags(frozenset("a"))).value == 1.0


def test_psds_by_hand() -> None:
    """100 s, one dog; the second-best frame is a false alarm: 1 in 100 s is 36 an hour.

    Threshold below .9: made up, rate 36, nothing found; below .8: found. So the share found is 0
    up to 36 and 1 from there to 100: area 64 of 100.
    """
    scores = FrameScores(("dog",), (0, 10, 20, 30, 100), ((0.9,), (0.1,), (0.8,), (0.0,)))
    reference = Timeline(100, (Event("dog", 20, 30),))
    assert task.psds()(reference, Timeline(100, (), scores)).value == pytest.approx(0.64)
    assert task.psds(max_rate=50.0)(reference, Timeline(100, (), scores)).value == pytest.approx(
        0.28
    )
    assert task.psds(per="minute")(reference, Timeline(100, (), scores)).value == pytest.approx(
        0.994
    )


def test_cross_triggers_weigh_in_psds() -> None:
    """Label b is made up on a's 10 s: one cross-trigger in 10 s is 360 an hour, half of it 180.

    36 + 180 = 216 false alarms an hour pass 100 before b is found, so b's curve stays at 0.
    """
    rows = ((0.1, 0.9), (0.1, 0.1), (0.9, 0.1), (0.1, 0.8), (0.1, 0.1))
    line = Timeline(100, (), FrameScores(("a", "b"), (0, 10, 20, 30, 90, 100), rows))
    reference = Timeline(100, (Event("a", 0, 10), Event("b", 30, 90)))
    plain = task.psds(spread_weight=0.0)
    crossed = task.psds(spread_weight=0.0, cross=0.3, cross_weight=0.5)
    areas = [parts_of_one(metric, reference, line)["by_label"] for metric in (plain, crossed)]
    assert areas[0]["b"] == pytest.approx(0.64)
    assert areas[1]["b"] == 0.0


def test_spread_between_labels_is_taken_off() -> None:
    rows = ((0.9, 0.1), (0.1, 0.9))
    line = Timeline(20, (), FrameScores(("a", "b"), (0, 10, 20), rows))
    reference = Timeline(20, (Event("a", 0, 10), Event("b", 0, 10)))
    assert task.psds(spread_weight=0.0)(reference, line).value == pytest.approx(0.5)
    assert task.psds(spread_weight=1.0)(reference, line).value == pytest.approx(0.0)


def test_an_output_without_scores_has_no_psds() -> None:
    score = task.psds()(Timeline(3, (Event("a", 0, 1),)), Timeline(3))
    assert math.isnan(score.value) and "frame scores" in score.why
    assert score.parts["without_scores"] == 1


def test_cross_triggers_cannot_weigh_without_a_criterion() -> None:
    with pytest.raises(InputError, match="cannot weigh without a criterion"):
        task.psds(cross_weight=0.5)


@settings(max_examples=60, deadline=None)
@given(timelines(), scored())
def test_psds_counts_what_thresholding_everywhere_counts(
    reference: Timeline, output: Timeline
) -> None:
    """At every threshold, the curve's points are those of intersection counts at that threshold."""
    from earmark.tasks.events.measure import thresholded

    if not reference.events:
        return
    scores = output.scores
    assert scores
    metric = task.psds(detection=0.3, coverage=0.3, spread_weight=0.0, max_rate=1e9)
    curve = psd_curve(metric, {"x": reference}, {"x": output})
    plain = task.intersection_f1(detection=0.3, coverage=0.3)
    for label, (rates, found) in curve.by_label.items():
        for threshold in (0.0, 0.2, 0.4, 0.6, 0.8):
            line = thresholded(scores, DURATION, threshold)
            hits = plain.count(reference, line).hits.get(label)
            if hits is None or not hits.true_positives + hits.false_negatives:
                continue
            rate = hits.false_positives / DURATION * 3600
            at = np.searchsorted(rates, rate + 1e-9, side="right") - 1
            assert (
                found[at]
                >= hits.true_positives / (hits.true_positives + hits.false_negatives) - 1e-12
            )


def plain_segments(reference: Timeline, output: Timeline) -> tuple[int, int, int]:
    def touched(line: Timeline) -> set[tuple[str, int]]:
        return {
            (e.label, k)
            for e in line.events
            for k in range(math.floor(e.onset), math.ceil(e.offset))
        }

    expected, heard = touched(reference), touched(output)
    return len(expected & heard), len(expected - heard), len(heard - expected)


@settings(max_examples=60, deadline=None)
@given(timelines(), timelines())
def test_the_compiled_segments_are_those_of_sets(reference: Timeline, output: Timeline) -> None:
    total = task.segment_f1().count(reference, output).total
    assert total.row() == plain_segments(reference, output)


@settings(max_examples=60, deadline=None)
@given(timelines(), timelines(), st.sampled_from([0.2, 1.0, 4.0]))
def test_the_compiled_pairing_is_that_of_plain_python(
    reference: Timeline, output: Timeline, collar: float
) -> None:
    found = (
        task.event_f1(collar=collar, offsets=False).count(reference, output).total.true_positives
    )
    by_hand = 0
    for label in LABELS:
        rows = [e for e in reference.events if e.label == label]
        columns = [e for e in output.events if e.label == label]
        allowed = [[abs(a.onset - b.onset) <= collar + 1e-9 for b in columns] for a in rows]
        rows, columns = linear_sum_assignment(np.array(allowed, ndmin=2), maximize=True)
        by_hand += int(np.array(allowed, ndmin=2)[rows, columns].sum())
    assert found == by_hand


def test_two_systems_are_compared_recording_by_recording() -> None:
    reference = {f"r{k}": Timeline(10, (Event("a", 0, 5),)) for k in range(8)}
    good = evaluate(task.segment_f1(), reference, reference, resamples=100, seed=1)
    bad = {k: Timeline(10, (Event("a", 4, 10),)) for k in reference}
    worse = evaluate(task.segment_f1(), reference, bad, resamples=100, seed=1)
    verdict = compare(task.segment_f1(), good, worse, resamples=200, seed=1)
    assert verdict.value > 0 and verdict.p < 0.05


def test_the_unit_of_time_matters_to_the_second_scenario_too() -> None:
    """One false alarm in 100 s is 36 an hour or 0.6 a minute, of at most 100 each."""
    scores = FrameScores(("dog",), (0, 10, 20, 30, 100), ((0.9,), (0.1,), (0.8,), (0.0,)))
    sides = Timeline(100, (Event("dog", 20, 22),)), Timeline(100, (), scores)
    assert task.psds_2()(*sides).value == pytest.approx(0.64)
    assert task.psds_2(per="minute")(*sides).value == pytest.approx(0.994)
