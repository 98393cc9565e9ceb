import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.score.evaluate import evaluate, rater
from earmark.tasks.context import (
    Choice,
    Flags,
    Scores,
    Swap,
    Swaps,
    average_precision,
    best_f,
    contrastive,
    f_at_dev_threshold,
    perplexity,
)
from earmark.tasks.context.score.curve import best_threshold, curve_of
from earmark.tasks.context.score.kernel import best_f_resamples, precision_resamples
from earmark.values.errors import InputError

LABELS, SCORES = (0, 1, 0, 1, 0), (0.1, 0.9, 0.8, 0.7, 0.2)


def flags(labels):
    return Flags(len(labels), frozenset(k for k, label in enumerate(labels) if label))


def test_the_best_cut_of_the_worked_example():
    # cuts after 1, 2, 3 words: F = 2/3, 2/4, 4/5; then 4/6, 4/7
    best = curve_of(SCORES, LABELS).best()
    assert (best.threshold, best.f) == (0.7, 0.8)
    assert best_f()(flags(LABELS), Scores(SCORES)).value == 0.8


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


def test_the_chosen_threshold_lies_between_two_scores():
    assert best_threshold(SCORES, LABELS) == pytest.approx(0.45)


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
    assert score.parts["by_distance"]["2-3"] == 0.5
    assert score.parts["by_distance"]["7-10"] == 0.5
    assert score.parts["by_distance"]["1"] is None
    assert score.parts["by_frequency"]["1-9"] == 0.5


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


def test_a_score_must_be_a_number():
    with pytest.raises(InputError) as error:
        Scores((0.1, math.nan))
    assert str(error.value) == (
        "a score must be a finite number\n"
        "  at:   token 1\n"
        "  got:  nan\n"
        "  fix:  give a low score to a token that cannot be judged"
    )


def brute(scores, labels):
    cuts = sorted(set(scores))
    found = [
        2
        * sum(y for s, y in zip(scores, labels, strict=True) if s >= cut)
        / (sum(s >= cut for s in scores) + sum(labels))
        for cut in cuts
    ]
    return max(found)


CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TOKENS = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=40)


@CALM
@given(TOKENS)
def test_best_f_is_that_of_trying_every_cut(tokens):
    scores, labels = [float(s) for s, _ in tokens], [int(y) for _, y in tokens]
    if sum(labels):
        assert curve_of(scores, labels).best().f == pytest.approx(brute(scores, labels))


@CALM
@given(TOKENS, st.randoms())
def test_the_order_of_tokens_does_not_matter(tokens, rng):
    mixed = list(tokens)
    rng.shuffle(mixed)
    one, two = (curve_of([s for s, _ in t], [y for _, y in t]) for t in (tokens, mixed))
    if one.positives:
        assert one.best().f == pytest.approx(two.best().f)
        assert one.average_precision() == pytest.approx(two.average_precision())


@CALM
@given(TOKENS)
def test_average_precision_agrees_with_scikit_learn(tokens):
    from sklearn.metrics import average_precision_score

    scores, labels = [float(s) for s, _ in tokens], [int(y) for _, y in tokens]
    if sum(labels):
        ours = curve_of(scores, labels).average_precision()
        assert ours == pytest.approx(average_precision_score(labels, scores))


@settings(CALM, max_examples=30)
@given(st.lists(TOKENS, min_size=2, max_size=5), st.integers(0, 99))
def test_resamples_equal_counting_the_passages_again(passages, seed):
    for metric in (best_f(), average_precision()):
        counts = [
            metric.count(flags([y for _, y in p]), Scores(tuple(float(s) for s, _ in p)))
            for p in passages
        ]
        weights = np.random.default_rng(seed).integers(0, 3, (4, len(passages)))
        weights[:, 0] += weights.sum(axis=1) == 0
        fast = rater(metric, counts)(weights)
        for row, value in zip(weights, fast, strict=True):
            repeated = [c for c, n in zip(counts, row, strict=True) for _ in range(n)]
            total = repeated[0]
            for one in repeated[1:]:
                total = total + one
            assert value == pytest.approx(metric.rate(total), nan_ok=True)


def test_the_kernels_do_what_their_plain_versions_do():
    rng = np.random.default_rng(3)
    passage, labels = rng.integers(0, 4, 60), (rng.random(60) < 0.2).astype(np.int64)
    cuts, weights = rng.random(60) < 0.8, rng.integers(0, 3, (5, 4))
    cuts[-1] = True
    given = (passage, 1 + labels, labels, cuts, weights)
    for kernel in (best_f_resamples, precision_resamples):
        assert kernel(*given) == pytest.approx(kernel.py_func(*given), nan_ok=True)


def test_intervals_are_by_passage():
    rng = np.random.default_rng(1)
    truth, output = {}, {}
    for k in range(12):
        labels = rng.random(200) < 0.05
        truth[f"p{k}"] = flags(labels.tolist())
        output[f"p{k}"] = Scores(tuple((rng.random(200) + labels * 0.3).tolist()), threshold=1.0)
    for metric in (best_f(), f_at_dev_threshold(), average_precision()):
        score = evaluate(metric, truth, output, resamples=200, seed=1)
        assert score.interval.low < score.value <= score.interval.high + 0.05


@pytest.mark.shared
def test_the_survey_of_the_paper_comes_out_at_28_53_percent(shared):
    from earmark.tasks.context import survey
    from earmark.tasks.context.papers import papers

    found = survey(shared / "data" / "context" / "human_baseline.json")
    assert math.floor(found["macro"] * 10000) / 100 == 28.53
    assert found["micro"] == pytest.approx(0.2914, abs=5e-5)
    assert any("macro mean 28.536 %" in line for line in papers(shared / "data" / "context"))
