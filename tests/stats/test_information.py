"""Entropy worked by hand."""

import math

import numpy as np
import pytest

from earmark.stats.information import binary_entropy, entropy


def test_an_even_choice_of_four_has_twice_the_entropy_of_one_of_two() -> None:
    four, two = entropy(np.array([[0.25] * 4, [0.5, 0.5, 0.0, 0.0]]))
    assert (four, two) == pytest.approx((2 * math.log(2), math.log(2)))


def test_certainty_has_no_entropy_and_no_minus_sign() -> None:
    assert str(entropy(np.array([[1.0, 0.0]])).tolist()) == "[0.0]"
    assert binary_entropy(np.array([0.0, 1.0])) == pytest.approx([0.0, 0.0], abs=1e-9)


def test_binary_entropy_is_that_of_two_labels_in_bits() -> None:
    yes = np.linspace(0.01, 0.99, 9)
    both = entropy(np.stack([yes, 1 - yes], axis=1)) / math.log(2)
    assert binary_entropy(yes) == pytest.approx(both)
