"""Windows, by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.score.evaluate import evaluate
from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.score import windows
from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values.errors import InputError


def value(metric, reference, output):
    return metric.rate(metric.count(reference, output))


# Twenty words. Ann ends units after words 4, 9, 14; Bob after 5, 9; Cy after 9, 16.
# d: 4:1 5:1 9:3 14:1 16:1. R_GAR = 3 / (3 * 5) = .2.
# Limit 2: windows [4,5] [9] [14,16]. An output after 5, 10, 15 has 5 inside and 15 inside (15 lies
# between 14 and 16 though nobody marked it), 10 outside: P = 2/3, R = 2/3, F1 = 2/3.
PANEL = Panel(
    (Boundaries(20, {4, 9, 14}), Boundaries(20, {5, 9}), Boundaries(20, {9, 16})),
    ("ann", "bob", "cy"),
)
OUTPUT = Boundaries(20, {5, 10, 15})


def test_the_worked_example_of_windows():
    assert value(b.window_precision(), PANEL, OUTPUT) == pytest.approx(2 / 3)
    assert value(b.window_recall(), PANEL, OUTPUT) == pytest.approx(2 / 3)
    assert value(b.window_f1(), PANEL, OUTPUT) == pytest.approx(2 / 3)
    assert value(b.agreement_ratio(), PANEL, OUTPUT) == pytest.approx(0.2)
    assert value(b.wisebe(), PANEL, OUTPUT) == pytest.approx(2 / 15)


def test_a_smaller_limit_splits_windows():
    # Limit 1: [4,5] [9] [14] [16]: 15 now lies outside, P = 1/3, R = 1/4, F1 = 2/7.
    assert value(b.window_f1(limit=1), PANEL, OUTPUT) == pytest.approx(2 / 7)


def test_a_set_takes_only_marked_words():
    # 15 was marked by nobody: P = 1/3, and the window [14,16] is not hit: R = 1/3.
    assert value(b.window_f1(inside="set"), PANEL, OUTPUT) == pytest.approx(1 / 3)


def test_windows_can_need_more_votes():
    # Only word 9 has two votes: one window, not hit.
    assert value(b.window_recall(votes=2), PANEL, OUTPUT) == 0
    assert value(b.window_f1(votes=2), PANEL, OUTPUT) == 0


def test_the_end_of_the_text_counts_only_when_asked():
    with_end = Panel(tuple(one.with_final() for one in PANEL.references), PANEL.people)
    ended = OUTPUT.with_final()
    assert value(b.window_f1(), with_end, ended) == pytest.approx(2 / 3)
    # Included: windows 4, of which 3 hit; 4 boundaries, of which 3 inside.
    assert value(b.window_f1(final="include"), with_end, ended) == pytest.approx(3 / 4)


def test_a_preset_sets_limit_and_end_and_an_option_overrides_it():
    tool = b.wisebe(preset="tool-1.0")
    assert tool.options["limit"] == 3
    assert tool.options["final"] == "include"
    assert b.wisebe(preset="tool-1.0", limit=4).options["limit"] == 4
    assert b.wisebe().options["alone"] == "undefined"


def test_one_reference_leaves_agreement_undefined_and_says_why():
    alone = Panel((Boundaries(9, {2}),))
    score = evaluate(b.wisebe(), {"a": alone}, {"a": Boundaries(9, {2})}, resamples=0)
    assert math.isnan(score.value)
    assert "fewer than two references" in score.why
    assert math.isnan(value(b.agreement_ratio(), alone, Boundaries(9)))
    assert math.isnan(value(b.fleiss_kappa(), alone, Boundaries(9)))
    assert value(b.window_f1(), alone, Boundaries(9, {2})) == 1


def test_the_tool_says_zero_for_one_reference():
    alone = Panel((Boundaries(9, {2}),))
    assert value(b.wisebe(preset="tool-1.0"), alone, Boundaries(9, {2})) == 0


def test_an_output_without_boundaries_has_no_precision():
    assert math.isnan(value(b.window_f1(), PANEL, Boundaries(20)))
    assert value(b.window_recall(), PANEL, Boundaries(20)) == 0
    assert math.isnan(value(b.wisebe(), PANEL, Boundaries(20, {19})))


def test_several_boundaries_in_one_window_match_it_once():
    panel = Panel((Boundaries(12, {2}), Boundaries(12, {4})))
    output = Boundaries(12, {2, 3, 4})
    assert value(b.window_f1(), panel, output) == 1
    assert value(b.matched_f1(), panel, output) == pytest.approx(0.5)


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


def test_lengths_that_differ_are_refused():
    with pytest.raises(InputError, match="must have the same words"):
        value(b.window_f1(), PANEL, Boundaries(19, {5}))


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


def test_a_boundary_outside_the_text_is_refused():
    with pytest.raises(InputError, match="after one of the words"):
        Boundaries(5, {5})


def best_by_trying(first, last, where, reach):
    """All one-to-one pairings, for small cases."""
    if not where or not first:
        return 0.0
    rest = best_by_trying(first, last, where[1:], reach)
    for n in range(len(first)):
        far = max(first[n] - where[0], where[0] - last[n], 0)
        if far <= reach:
            others = best_by_trying(
                first[:n] + first[n + 1 :], last[:n] + last[n + 1 :], where[1:], reach
            )
            rest = max(rest, 1 - far / (reach + 1) + others)
    return rest


@given(
    st.sets(st.integers(0, 16), max_size=5),
    st.sets(st.integers(0, 16), max_size=5),
    st.integers(0, 4),
)
def test_the_soft_credit_is_the_best_of_all_pairings(marked, written, reach):
    spans = windows.chain(np.array(sorted(marked), dtype=np.int64), limit=1)
    positions = np.array(sorted(written), dtype=np.int64)
    expected = best_by_trying(spans.first.tolist(), spans.last.tolist(), positions.tolist(), reach)
    credit = windows.soft_credit(spans, positions, reach=reach) if len(spans.first) else 0.0
    assert credit == pytest.approx(expected)


def test_soft_f1_credits_each_boundary_by_its_own_distance():
    reference = Boundaries(30, {5, 15})
    # 6 is one word off: 3/4; 25 is nowhere near: nothing. Credit .75 of 2 and 2.
    assert value(b.soft_f1(), reference, Boundaries(30, {6, 25})) == pytest.approx(0.375)
    assert value(b.soft_f1(reach=1), reference, Boundaries(30, {6, 25})) == pytest.approx(0.25)


def test_the_tools_soft_recall_forgives_everything_for_one_near_miss():
    reference = Panel((Boundaries(30, {5, 15, 20}),))
    metric = b.tool_soft(which="s_recall", limit=0)
    assert value(metric, reference, Boundaries(30, {6})) == 1
    assert value(b.soft_f1(limit=0), reference, Boundaries(30, {6})) == pytest.approx(1.5 / 4)


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
