"""What any threshold could have done."""

import math

import pytest

from earmark.tasks.keywords.score.curve import det_points, lowest_score
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.errors import InputError

SCORED = [
    (Trial("p", True), Verdict(True, 3.0)),
    (Trial("p", True), Verdict(True, 1.0)),
    (Trial("p", False), Verdict(True, 2.0)),
    (Trial("p", False), Verdict(False, 0.0)),
]


def test_the_curve_passes_through_every_threshold() -> None:
    points = [(p.threshold, p.miss_rate, p.false_alarm_rate) for p in det_points(SCORED)]
    assert points == [
        (math.inf, 1.0, 0.0),
        (3.0, 0.5, 0.0),
        (2.0, 0.5, 0.5),
        (1.0, 0.0, 0.5),
        (0.0, 0.0, 1.0),
    ]


def test_the_oracle_is_the_lowest_score_of_all_thresholds() -> None:
    """At 3.0 S = .5; every lower threshold pays 9 times 1/2."""
    oracle = lowest_score(SCORED)
    assert (oracle.one, oracle.each, oracle.threshold) == (0.5, 0.5, 3.0)
    assert lowest_score(SCORED, penalty=0.1).one == pytest.approx(0.05)


def test_thresholds_of_their_own_never_do_worse_than_one_for_all() -> None:
    shifted = [(Trial("q", t.is_target), Verdict(v.awake, (v.score or 0) + 10)) for t, v in SCORED]
    oracle = lowest_score([*SCORED, *shifted])
    assert oracle.each == 0.5
    assert oracle.one > oracle.each


def test_a_curve_without_scores_is_refused() -> None:
    with pytest.raises(InputError, match="a curve needs a speaker with scores"):
        det_points([(Trial("p", True), Verdict(True)), (Trial("p", False), Verdict(True))])
