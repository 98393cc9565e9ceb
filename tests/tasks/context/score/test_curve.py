import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tasks.context.rankings import CALM, LABELS, SCORES, TOKENS, flags

from earmark.tasks.context.score.curve import PrecisionRecallCurve, best_threshold
from earmark.tasks.context.score.words import best_f
from earmark.tasks.context.values import Scores


def test_the_best_cut_of_the_worked_example():
    # cuts after 1, 2, 3 words: F = 2/3, 2/4, 4/5; then 4/6, 4/7
    best = PrecisionRecallCurve.of(SCORES, LABELS).best()
    assert (best.threshold, best.f) == (0.7, 0.8)
    assert best_f()(flags(LABELS), Scores(SCORES)).value == 0.8


def test_the_chosen_threshold_lies_between_two_scores():
    assert best_threshold(SCORES, LABELS) == pytest.approx(0.45)


def brute(scores, labels):
    cuts = sorted(set(scores))
    found = [
        2
        * sum(y for s, y in zip(scores, labels, strict=True) if s >= cut)
        / (sum(s >= cut for s in scores) + sum(labels))
        for cut in cuts
    ]
    return max(found)


@CALM
@given(TOKENS)
def test_best_f_is_that_of_trying_every_cut(tokens):
    scores, labels = [float(s) for s, _ in tokens], [int(y) for _, y in tokens]
    if sum(labels):
        assert PrecisionRecallCurve.of(scores, labels).best().f == pytest.approx(
            brute(scores, labels)
        )


@CALM
@given(TOKENS, st.randoms())
def test_the_order_of_tokens_does_not_matter(tokens, rng):
    mixed = list(tokens)
    rng.shuffle(mixed)
    one, two = (
        PrecisionRecallCurve.of([s for s, _ in t], [y for _, y in t]) for t in (tokens, mixed)
    )
    if one.positives:
        assert one.best().f == pytest.approx(two.best().f)
        assert one.average_precision() == pytest.approx(two.average_precision())


@CALM
@given(TOKENS)
def test_average_precision_agrees_with_scikit_learn(tokens):
    from sklearn.metrics import average_precision_score

    scores, labels = [float(s) for s, _ in tokens], [int(y) for _, y in tokens]
    if sum(labels):
        ours = PrecisionRecallCurve.of(scores, labels).average_precision()
        assert ours == pytest.approx(average_precision_score(labels, scores))
