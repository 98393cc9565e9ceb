"""Events with collars: equal to sed_eval, and paired as well as can be."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from earmark.score.evaluate import evaluate
from earmark.tasks import events as task
from earmark.tasks.events.values import Event, Timeline

EXACT = 1e-9
spec = importlib.util.spec_from_file_location("laws_here", Path(__file__).parents[1] / "laws.py")
assert spec and spec.loader
laws = importlib.util.module_from_spec(spec)
spec.loader.exec_module(laws)
LABELS, timelines = laws.LABELS, laws.timelines


def value(metric, pairing) -> float:
    return evaluate(metric, pairing.reference, pairing.output, resamples=0).value


def parts(metric, pairing) -> dict[str, Any]:
    return dict(evaluate(metric, pairing.reference, pairing.output, resamples=0).parts)


def test_events_with_collars_equal_sed_eval(vectors: Path, sides) -> None:
    expected = json.loads((vectors / "expected_10.json").read_text())["sed_eval"]
    micro, macro = (value(task.event_f1(average=kind), sides) for kind in ("micro", "macro"))
    assert micro == pytest.approx(expected["event_overall"]["f_measure"]["f_measure"], abs=EXACT)
    assert macro == pytest.approx(expected["event_class_avg"]["f_measure"]["f_measure"], abs=EXACT)
    by_label = parts(task.event_f1(), sides)["by_label"]
    for label, found in expected["event_classwise"].items():
        assert by_label[label] == pytest.approx(found["f_measure"]["f_measure"], abs=EXACT)


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
