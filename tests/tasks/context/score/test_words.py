import math
from typing import Any

import numpy as np
import pytest
from tests.tasks.context.rankings import LABELS, SCORES, flags

from earmark.score.evaluate import evaluate
from earmark.score.resampling import rater
from earmark.tasks.context.score.words import (
    average_precision,
    best_f,
    contrastive,
    f_at_dev_threshold,
    perplexity,
)
from earmark.tasks.context.values import Choice, Flags, Scores, Swap, Swaps
from earmark.values.errors import InputError


def test_equal_scores_allow_a_single_cut():
    score = best_f()(flags(LABELS), Scores((0.5,) * 5))
    assert score.value == pytest.approx(4 / 7)
    assert score.parts["floor"] == pytest.approx(4 / 7)


def test_the_floor_is_that_of_marking_everything():
    labels = [1] * 42 + [0] * 9958
    parts = best_f()(flags(labels), Scores(tuple(float(k % 7) for k in range(10000)))).parts
    p = 0.0042
    assert parts["floor"] == pytest.approx(2 * p / (1 + p))


def test_nothing_out_of_context_is_undefined():
    for metric in (best_f(), average_precision()):
        assert math.isnan(metric(Flags(2, frozenset()), Scores((0.1, 0.2))).value)


def test_the_threshold_travels_with_the_outputs():
    metric = f_at_dev_threshold()
    assert metric(flags(LABELS), Scores(SCORES, threshold=0.85)).value == pytest.approx(2 / 3)
    without = metric(flags(LABELS), Scores(SCORES))
    assert math.isnan(without.value)
    assert "no threshold" in without.why


def test_a_threshold_given_by_hand_stands_in_for_it():
    metric = f_at_dev_threshold(threshold=0.7)
    assert metric(flags(LABELS), Scores(SCORES, threshold=0.85)).value == pytest.approx(0.8)
    assert "threshold:0.7" in str(metric(flags(LABELS), Scores(SCORES)).signature)


def test_perplexity_is_the_exponential_of_the_mean_surprise():
    output = Scores((0.0,) * 3, surprise=(math.log(2), math.log(4), math.log(8)))
    assert perplexity()(Flags(3, frozenset()), output).value == pytest.approx(4.0)
    assert math.isnan(perplexity()(Flags(1, frozenset()), Scores((0.0,))).value)


def swap(at, was, now, back=2, count=50):
    return Swap(at, 0, was, now, "NN", 0, back, 20, 1, 2, count, count)


def test_contrast_knows_which_of_the_two_words_stood_there():
    truth = Swaps(4, (swap(0, "ant", "bee"), swap(1, "bee", "ant"), swap(2, "cow", "dog", 9, 5)))
    choices = (Choice(0, -1, -2), Choice(1, -1, -2), Choice(2, -1, -1))
    score = contrastive()(truth, Scores((0.0,) * 4, choices=choices))
    assert score.value == pytest.approx((1 + 0 + 0.5) / 3)
    parts: Any = score.parts
    assert parts["by_distance"]["2-3"] == 0.5
    assert parts["by_distance"]["7-10"] == 0.5
    assert parts["by_distance"]["1"] is None
    assert parts["by_frequency"]["1-9"] == 0.5


def test_without_revealed_places_the_contrast_is_undefined():
    truth = Swaps(1, (swap(0, "ant", "bee"),))
    assert "--reveal" in contrastive()(truth, Scores((0.0,))).why


def test_only_words_that_were_shown_are_scored():
    truth = Flags(6, frozenset({1}), ((0, 3),))
    output = Scores((0.1, 0.9, 0.2, 0.99, 0.99, 0.99))
    assert best_f()(truth, output).value == 1.0


def test_a_person_is_scored_like_a_system():
    # the paper's second subject: 6 right, 4 wrong, 11 to be found
    truth = Flags(40, frozenset(range(11)))
    person = Flags(40, frozenset([*range(6), 20, 21, 22, 23]))
    for metric in (best_f(), f_at_dev_threshold()):
        assert metric(truth, person).value == pytest.approx(12 / 21)


def test_scores_of_another_length_are_refused():
    with pytest.raises(InputError, match="there must be one score for every token"):
        best_f()(flags(LABELS), Scores((0.1, 0.2)))


def test_intervals_are_by_passage():
    rng = np.random.default_rng(1)
    truth, output = {}, {}
    for k in range(12):
        labels = rng.random(200) < 0.05
        truth[f"p{k}"] = flags(labels.tolist())
        output[f"p{k}"] = Scores(tuple((rng.random(200) + labels * 0.3).tolist()), threshold=1.0)
    for metric in (best_f(), f_at_dev_threshold(), average_precision()):
        score = evaluate(metric, truth, output, resamples=200, seed=1)
        assert score.interval is not None
        assert score.interval.low < score.value <= score.interval.high + 0.05


def test_beta_weighs_recall_against_precision() -> None:
    # by hand: cuts after 1, 2, 3, 4 tokens have TP 1, 1, 2, 2 of 2 to be found
    truth, output = flags([1, 0, 1, 0]), Scores((0.9, 0.8, 0.7, 0.6))
    # F0.5 = 1.25 TP / (flagged + .25 * 2): 1.25/1.5, 1.25/2.5, 2.5/3.5, 2.5/4.5
    assert best_f(beta=0.5)(truth, output).value == pytest.approx(1.25 / 1.5)
    # F2 = 5 TP / (flagged + 4 * 2): 5/9, 5/10, 10/11, 10/12
    assert best_f(beta=2.0)(truth, output).value == pytest.approx(10 / 11)
    at_all = Scores(output.scores, threshold=0.6)
    assert f_at_dev_threshold(beta=2.0)(truth, at_all).value == pytest.approx(10 / 12)
    assert f_at_dev_threshold()(truth, at_all).value == pytest.approx(2 / 3)
    assert best_f(beta=0.5)(truth, output).parts["floor"] == pytest.approx(2.5 / 4.5)
    with pytest.raises(InputError, match="--beta must be > 0"):
        best_f(beta=0.0)


def test_beta_is_in_the_signature_and_in_the_resamples() -> None:
    metric = best_f(beta=0.5)
    assert metric.options["beta"] == 0.5
    counts = [
        metric.count(flags(row), Scores((0.9, 0.8, 0.7, 0.6)))
        for row in ([1, 0, 1, 0], [0, 1, 0, 0])
    ]
    (value,) = rater(metric, counts)(np.array([[1, 1]]))
    assert value == pytest.approx(metric.rate(counts[0] + counts[1]))
