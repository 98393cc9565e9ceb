"""Entropy: how undecided a distribution is."""

import numpy as np

from earmark.arrays import Floats


def entropy(probabilities: Floats) -> Floats:
    """Return the entropy of each distribution along the last axis, in nats.

    0 log 0 counts as 0, so a row of zeros has entropy 0.

    Examples
    --------
    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).round(3).tolist()
    [0.693, 0.0]
    """
    safe = np.where(probabilities > 0, probabilities, 1.0)
    # the absolute value turns -0.0 into 0.0, and a rounding error below zero into one above
    return np.asarray(np.abs(-(safe * np.log(safe)).sum(axis=-1)))


def binary_entropy(probability: Floats) -> Floats:
    """Return the entropy of a yes-or-no with that probability of yes, in bits from 0 to 1.

    Examples
    --------
    >>> binary_entropy(np.array([0.0, 0.5, 1.0])).round(6).tolist()
    [0.0, 1.0, 0.0]
    """
    safe = np.clip(probability, 1e-12, 1 - 1e-12)
    bits = -(safe * np.log2(safe) + (1 - safe) * np.log2(1 - safe))
    return np.clip(bits, 0.0, 1.0)
