import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.context.rankings import CALM, TOKENS, flags

from earmark.score.resampling import rater
from earmark.tasks.context.score.kernel import best_f_resamples, precision_resamples
from earmark.tasks.context.score.words import average_precision, best_f
from earmark.tasks.context.values import Scores


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
