"""Where to cut probabilities: not at a number that was best elsewhere, but by what they promise."""

import numpy as np

from earmark.arrays import Floats


def promising_threshold(probabilities: Floats) -> float:
    """Return the probability from which on ends promise the best F1.

    With the k most probable words as ends, the expected hits are the sum of their probabilities,
    and the expected ends the sum of all: F1 is about 2 hits / (k + ends). Its best k cuts at half
    of the best F1 (Z. Lipton and others, 2014), so that a text on which the network is less sure
    is cut lower. The last word ends the text whatever the network says.

    Examples
    --------
    >>> promising_threshold(np.array([0.1, 0.9, 0.3, 0.5, 0.1]))
    0.5
    """
    if not len(probabilities):
        return 1.0
    known = probabilities.copy()
    known[-1] = 1.0
    ranked = np.sort(known)[::-1]  # (words,)
    marked = np.arange(1, len(ranked) + 1)
    f1 = 2 * np.cumsum(ranked) / (marked + ranked.sum())
    return float(ranked[np.argmax(f1)])
