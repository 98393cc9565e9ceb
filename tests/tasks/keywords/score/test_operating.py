"""Misses at a stated rate of false alarms."""

import math

import numpy as np
import pytest

from earmark.score.evaluate import evaluate
from earmark.tasks.keywords.score.curve import det_points
from earmark.tasks.keywords.score.operating import misses_at_false_alarms
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.errors import InputError


def sides(scores: dict[str, tuple[list[float], list[float]]]):
    """Trials and verdicts of speakers who have (scores of targets, scores of others)."""
    reference, output = {}, {}
    for speaker, (targets, others) in scores.items():
        for target, values in ((True, targets), (False, others)):
            for k, score in enumerate(values):
                name = f"{speaker}-{target}-{k}"
                reference[name] = Trial(speaker, target)
                output[name] = Verdict(awake=False, score=score)
    return reference, output


# Ana's others reach .4, Bo's .7. Without a false alarm the threshold must exceed .7: Ana misses
# 1 of 2 (.9 is above), Bo misses 2 of 2. With a mean of .25 allowed, .7 may wake (Bo 1 of 2 others,
# Ana none): Ana misses 1 of 2, Bo 1 of 2 (.7 itself is at the threshold). With .5, .2 may be the
# threshold (one other of each wakes), and nobody misses anything.
BY_HAND = {"ana": ([0.9, 0.3], [0.4, 0.1]), "bo": ([0.7, 0.2], [0.7, 0.0])}


@pytest.mark.parametrize(("allowed", "misses"), [(0.01, 0.75), (0.25, 0.5), (0.5, 0.0)])
def test_one_threshold_serves_everybody(allowed: float, misses: float) -> None:
    metric = misses_at_false_alarms(false_alarms=allowed)
    assert evaluate(metric, *sides(BY_HAND), resamples=0).value == pytest.approx(misses)


def test_it_is_the_lowest_allowed_point_of_the_trade_off_curve() -> None:
    rng = np.random.default_rng(3)
    drawn = {
        f"p{k}": (rng.normal(1, 1, 20).round(1).tolist(), rng.normal(0, 1, 60).round(1).tolist())
        for k in range(5)
    }
    reference, output = sides(drawn)
    points = det_points([(reference[name], output[name]) for name in reference])
    lowest = min(point.miss_rate for point in points if point.false_alarm_rate <= 0.05)
    metric = misses_at_false_alarms(false_alarms=0.05)
    assert evaluate(metric, reference, output, resamples=0).value == pytest.approx(lowest)


def test_resamples_of_everybody_once_give_the_value_itself() -> None:
    reference, output = sides(BY_HAND)
    metric = misses_at_false_alarms(false_alarms=0.25)
    counts = [metric.count(reference[name], output[name]) for name in reference]
    ana_twice = [2 if trial.speaker == "ana" else 0 for trial in reference.values()]
    assert metric.rate_resamples is not None
    values = metric.rate_resamples(counts, np.array([[1] * len(counts), ana_twice]))
    # Ana alone: the threshold may be .4 only if .5 were allowed, so .9 wakes and .3 does not
    assert values.tolist() == pytest.approx([0.5, 0.5])


def test_a_failed_speaker_misses_all_and_a_verdict_without_score_leaves_no_value() -> None:
    reference, output = sides(BY_HAND)
    failed = {
        name: Verdict(awake=False, status="failed") if "bo" in name else verdict
        for name, verdict in output.items()
    }
    metric = misses_at_false_alarms()
    assert evaluate(metric, reference, failed, resamples=0).value == pytest.approx((0.5 + 1) / 2)
    silent = {**output, "ana-True-0": Verdict(awake=True)}
    assert math.isnan(evaluate(metric, reference, silent, resamples=0).value)


def test_a_rate_of_one_is_refused() -> None:
    with pytest.raises(InputError, match="at least 0 and below 1"):
        misses_at_false_alarms(false_alarms=1.0)
