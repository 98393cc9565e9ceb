"""Segment metrics: equal to sed_eval, and counted by hand."""

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from earmark.score.compare import compare_scores
from earmark.score.evaluate import evaluate
from earmark.tasks import events as task
from earmark.tasks.events.values import Event, Timeline

EXACT = 1e-9
spec = importlib.util.spec_from_file_location("laws_here", Path(__file__).parents[1] / "laws.py")
assert spec and spec.loader
laws = importlib.util.module_from_spec(spec)
spec.loader.exec_module(laws)
scored, timelines = laws.scored, laws.timelines


def value(metric, pairing) -> float:
    return evaluate(metric, pairing.reference, pairing.output, resamples=0).value


def parts(metric, pairing) -> dict[str, Any]:
    return dict(evaluate(metric, pairing.reference, pairing.output, resamples=0).parts)


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


def test_silence_scored_silent_is_undefined() -> None:
    for metric in (task.segment_f1(), task.event_f1(), task.intersection_f1(), task.tag_f1()):
        score = metric(Timeline(10), Timeline(10))
        assert math.isnan(score.value) and score.why


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


def test_two_systems_are_compared_recording_by_recording() -> None:
    reference = {f"r{k}": Timeline(10, (Event("a", 0, 5),)) for k in range(8)}
    good = evaluate(task.segment_f1(), reference, reference, resamples=100, seed=1)
    bad = {k: Timeline(10, (Event("a", 4, 10),)) for k in reference}
    worse = evaluate(task.segment_f1(), reference, bad, resamples=100, seed=1)
    verdict = compare_scores(task.segment_f1(), good, worse, resamples=200, seed=1)
    assert verdict.value > 0 and verdict.p < 0.05
