"""WiSeBE and its parts, by hand."""

import math

import pytest

from earmark.score.evaluate import evaluate
from earmark.tasks import boundaries as b
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


def test_lengths_that_differ_are_refused():
    with pytest.raises(InputError, match="must have the same words"):
        value(b.window_f1(), PANEL, Boundaries(19, {5}))
