"""What holds for several metrics."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.score.evaluate import evaluate
from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values.errors import InputError


def value(metric, reference, output):
    return metric.rate(metric.count(reference, output))


def test_micro_pools_and_macro_averages():
    references = {"a": Boundaries(9, {2}), "b": Boundaries(9, {1, 3, 5, 7})}
    outputs = {"a": Boundaries(9, {2}), "b": Boundaries(9, {1})}
    macro = evaluate(b.mean_f1(), references, outputs, resamples=0).value
    micro = evaluate(b.mean_f1(average="micro"), references, outputs, resamples=0).value
    # a: 1. b: P 1, R 1/4, F1 .4. Mean .7; pooled 2 true positives, 3 false negatives: 4/7.
    assert macro == pytest.approx(0.7)
    assert micro == pytest.approx(4 / 7)
    pooled = evaluate(b.window_f1(limit=0, average="micro"), references, outputs, resamples=0)
    assert pooled.value == pytest.approx(2 * 1 * 0.4 / 1.4)


@pytest.mark.parametrize(
    ("build", "option", "value"),
    [
        (b.wisebe, "limit", -1),
        (b.wisebe, "votes", 0),
        (b.boundary_similarity, "offset", -1),
        (b.segmentation_similarity, "offset", -1),
        (b.soft_f1, "reach", -1),
        (b.pk, "probe", 0),
        (b.consensus_f1, "share", 1.5),
    ],
)
def test_options_out_of_range_are_refused(build, option, value):
    with pytest.raises(InputError, match=f"got:  {value}"):
        build(**{option: value})


@given(st.data())
def test_making_a_right_boundary_wrong_never_helps(data):
    length = data.draw(st.integers(4, 20))
    marks = st.frozensets(st.integers(0, length - 2), min_size=1)
    panel = Panel((Boundaries(length, data.draw(marks)), Boundaries(length, data.draw(marks))))
    right = data.draw(st.sampled_from(sorted(panel.references[0].after)))
    output = Boundaries(length, data.draw(marks) | {right})
    less = Boundaries(length, output.after - {right})
    for build in (b.window_recall, b.matched_f1, b.soft_f1):
        before, after = value(build(), panel, output), value(build(), panel, less)
        if build is b.window_recall:
            assert math.isnan(after) or after <= before + 1e-12
    alone = panel.references[0]
    assert value(b.mean_f1(), alone, less) <= value(b.mean_f1(), alone, output) + 1e-12


@pytest.mark.parametrize("name", sorted(b.TASK.score))
def test_what_everybody_says_is_best_for_every_metric(name):
    one = Boundaries(30, {4, 11, 19, 29})
    metric = b.TASK.score[name]()
    assert value(metric, Panel((one, one, one)), one) == pytest.approx(metric.best)
