"""The threshold that held-out texts choose."""

import math

import numpy as np

from earmark.tasks.boundaries.run.fitting import best_threshold


def test_the_threshold_is_the_probability_with_the_best_f1() -> None:
    probabilities = np.array([0.9, 0.8, 0.7, 0.1])
    ends = np.array([True, False, True, False])
    # Two ends within the first three: P 2/3, R 1; F1 .8.
    probability, f1 = best_threshold(probabilities, ends)
    assert probability == 0.7
    assert math.isclose(f1, 0.8)


def test_without_ends_there_is_no_f1() -> None:
    assert math.isnan(best_threshold(np.array([0.5]), np.array([False])).f1)
