"""The challenge's numbers, against the kit's and by hand."""

import math
from typing import cast

import pytest

from earmark.score.compare import compare_scores
from earmark.score.evaluate import evaluate
from earmark.tasks.keywords.score.wake import false_alarm_rate, miss_rate, wake_score
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.errors import InputError


def sides(labels: dict[str, int], answers: dict[str, int], speaker: str = "p"):
    reference = {f"{speaker}/{c}": Trial(speaker, bool(label)) for c, label in labels.items()}
    output = {f"{speaker}/{c}": Verdict(bool(answers[c])) for c in labels}
    return reference, output


def test_the_kits_own_vector_gives_the_kits_score() -> None:
    """Labels 1 1 0 0 0, answers 1 0 0 1 0: MR 1/2, FAR 1/3, S = .5 + 9/3 = 3.5."""
    reference, output = sides(
        {"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}, {"a": 1, "b": 0, "c": 0, "d": 1, "e": 0, "z": 1}
    )
    assert evaluate(miss_rate(), reference, output).value == 0.5
    assert evaluate(false_alarm_rate(), reference, output).value == pytest.approx(1 / 3)
    assert evaluate(wake_score(), reference, output).value == pytest.approx(3.5)


@pytest.mark.parametrize(("always", "score"), [(0, 1.0), (1, 9.0)])
def test_a_device_that_never_or_always_wakes(always: int, score: float) -> None:
    labels = {"a": 1, "b": 0, "c": 0}
    assert evaluate(wake_score(), *sides(labels, dict.fromkeys(labels, always))).value == score


def test_the_penalty_is_a_parameter_that_changes_the_score_and_the_signature() -> None:
    pair = sides({"a": 1, "b": 0}, {"a": 1, "b": 1})
    one, nine = (evaluate(wake_score(penalty=p), *pair) for p in (1.0, 9.0))
    assert (one.value, nine.value) == (1.0, 9.0)
    assert "penalty:1.0" in str(one.signature) and "penalty:9.0" in str(nine.signature)


def test_speakers_weigh_the_same_whatever_their_number_of_trials() -> None:
    """Speaker p: 1 of 1 missed (S 1); speaker q: 0 of 3 missed, no alarm (S 0): mean .5."""
    first = sides({"a": 1, "b": 0}, {"a": 0, "b": 0})
    second = sides({"a": 1, "b": 1, "c": 1, "d": 0}, {"a": 1, "b": 1, "c": 1, "d": 0}, "q")
    pair = {**first[0], **second[0]}, {**first[1], **second[1]}
    assert evaluate(wake_score(), *pair).value == 0.5


def test_a_failed_speaker_scores_one_and_leaves_the_others_alone() -> None:
    good = sides({"a": 1, "b": 0}, {"a": 1, "b": 0})
    bad = sides({"a": 1, "b": 0}, {"a": 1, "b": 1}, "q")
    failed = {item: Verdict(v.awake, status="timed out") for item, v in bad[1].items()}
    score = evaluate(wake_score(), {**good[0], **bad[0]}, {**good[1], **failed})
    assert score.value == 0.5
    speakers = cast(dict[str, dict[str, object]], score.parts["speakers"])
    assert speakers["q"]["value"] == 1.0
    assert speakers["q"]["status"] == "timed out"
    assert speakers["p"]["value"] == 0.0
    assert score.parts["failed"] == ["q"]


def test_a_speaker_without_targets_is_left_out_and_alone_undefined() -> None:
    lonely = sides({"a": 0}, {"a": 0}, "q")
    assert math.isnan(evaluate(wake_score(), *lonely).value)
    both = sides({"a": 1, "b": 0}, {"a": 0, "b": 0})
    assert evaluate(wake_score(), {**lonely[0], **both[0]}, {**lonely[1], **both[1]}).value == 1.0


def test_the_interval_comes_from_resampling_speakers() -> None:
    """Two speakers with S 0 and S 1: resamples are 0, 1/2, 1/2 or 1, whatever their trials.

    Their standard deviation is sqrt(1/8), and times sqrt(2 / (2 - 1)) it is 1/2.
    """
    first = sides({"a": 1, "b": 0}, {"a": 1, "b": 0})
    second = sides({"a": 1, "b": 0}, {"a": 0, "b": 0}, "q")
    reference, output = {**first[0], **second[0]}, {**first[1], **second[1]}
    groups = {item: trial.speaker for item, trial in reference.items()}
    score = evaluate(wake_score(), reference, output, groups=groups, resamples=200, seed=1)
    assert score.interval is not None
    assert score.interval.error == pytest.approx(0.5, abs=0.02)
    assert 0 <= score.interval.low < 0.01 and 9.9 < score.interval.high <= 10


def test_three_speakers_are_too_few_to_tell_two_systems_apart() -> None:
    """Swapping whole speakers gives 8 arrangements, 2 of them as far apart: p is about 1/4."""
    reference, good, bad = {}, {}, {}
    for speaker in "pqr":
        labels = {"a": 1, "b": 0}
        trials, right = sides(labels, labels, speaker)
        reference.update(trials)
        good.update(right)
        bad.update(sides(labels, {"a": 0, "b": 0}, speaker)[1])
    groups = {item: trial.speaker for item, trial in reference.items()}
    metric = wake_score()
    first, second = (
        evaluate(metric, reference, output, groups=groups, resamples=0) for output in (good, bad)
    )
    difference = compare_scores(metric, first, second, resamples=2000, seed=3)
    assert difference.value == -1.0
    assert difference.p == pytest.approx(0.25, abs=0.04)


def test_a_penalty_below_zero_is_refused() -> None:
    with pytest.raises(InputError, match="a penalty must be >= 0 and finite\n  got:  -1"):
        wake_score(penalty=-1)


def test_an_option_that_the_metric_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="there is no option 'penaltee'"):
        wake_score(penaltee=1.0)
