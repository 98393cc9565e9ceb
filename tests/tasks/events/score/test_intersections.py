"""Intersections: equal to psds_eval and sed_scores_eval, and counted by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from earmark.score.evaluate import evaluate
from earmark.tasks import events as task
from earmark.tasks.events.values import Event

EXACT = 1e-9


def value(metric, pairing) -> float:
    return evaluate(metric, pairing.reference, pairing.output, resamples=0).value


def parts(metric, pairing) -> dict[str, Any]:
    return dict(evaluate(metric, pairing.reference, pairing.output, resamples=0).parts)


def parts_of_one(metric, reference, output) -> dict[str, Any]:
    return dict(metric(reference, output).parts)


@pytest.mark.parametrize("criterion", ["0.7", "0.1", "0.5"])
def test_intersections_equal_psds_eval(vectors: Path, sides, criterion: str) -> None:
    expected = json.loads((vectors / "expected_10.json").read_text())["psds_eval_F"][criterion]
    metric = task.intersection_f1(detection=float(criterion), coverage=float(criterion), cross=0.3)
    assert value(metric, sides) == pytest.approx(expected["macro_f"], abs=EXACT)
    for label, found in expected["class_f"].items():
        assert parts(metric, sides)["by_label"][label] == pytest.approx(found, abs=EXACT)


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
