"""Places where a study offers two words, so that language models compare without a detector."""

from typing import Any

import numpy as np

from earmark.values.item import Item


def offered(item: Item) -> list[tuple[int, str, str]]:
    """The token and the two words of every place that the study reveals; none by default."""
    told: Any = item.details.get("choices") or ()
    return [(int(at), str(first), str(second)) for at, first, second in told]


def rank_share(everything: Any, one: float) -> float:
    """The share of the vocabulary that a model likes less than a word; ties count half.

    Examples
    --------
    >>> rank_share(np.array([0.1, 0.2, 0.3, 0.4]), 0.4)
    0.875
    """
    below = float(np.mean(everything < one))
    return below + float(np.mean(everything == one)) / 2
