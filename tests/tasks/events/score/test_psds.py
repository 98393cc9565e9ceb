"""PSDS: equal to sed_scores_eval, and counted by hand."""

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from earmark.score.evaluate import evaluate
from earmark.tasks import events as task
from earmark.tasks.events.score.psds import psd_curve
from earmark.tasks.events.values import Event, FrameScores, Timeline
from earmark.values.errors import InputError

spec = importlib.util.spec_from_file_location("laws_here", Path(__file__).parents[1] / "laws.py")
assert spec and spec.loader
laws = importlib.util.module_from_spec(spec)
spec.loader.exec_module(laws)
DURATION, scored, timelines = laws.DURATION, laws.scored, laws.timelines


def value(metric, pairing) -> float:
    return evaluate(metric, pairing.reference, pairing.output, resamples=0).value


def parts(metric, pairing) -> dict[str, Any]:
    return dict(evaluate(metric, pairing.reference, pairing.output, resamples=0).parts)


def parts_of_one(metric, reference, output) -> dict[str, Any]:
    return dict(metric(reference, output).parts)


@pytest.mark.parametrize(("name", "metric"), [("psds1", task.psds), ("psds2", task.psds_2)])
def test_psds_equals_sed_scores_eval(vectors: Path, frames, name: str, metric) -> None:
    expected = json.loads((vectors / "expected_scores_10.json").read_text())[name]
    assert value(metric(), frames) == pytest.approx(expected["psds"], abs=1e-6)
    for label, found in expected["per_class"].items():
        assert parts(metric(), frames)["by_label"][label] == pytest.approx(found, abs=1e-6)


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


def test_the_unit_of_time_matters_to_the_second_scenario_too() -> None:
    """One false alarm in 100 s is 36 an hour or 0.6 a minute, of at most 100 each."""
    scores = FrameScores(("dog",), (0, 10, 20, 30, 100), ((0.9,), (0.1,), (0.8,), (0.0,)))
    sides = Timeline(100, (Event("dog", 20, 22),)), Timeline(100, (), scores)
    assert task.psds_2()(*sides).value == pytest.approx(0.64)
    assert task.psds_2(per="minute")(*sides).value == pytest.approx(0.994)
