"""Places where a study reveals both words, so that language models compare without a detector."""

from typing import Any, NamedTuple

import numpy as np

from earmark.arrays import Floats
from earmark.values.item import Item


class RevealedPlace(NamedTuple):
    """A token and the two words that may be there, in alphabetical order."""

    token: int
    first: str
    second: str


def revealed_places(item: Item) -> list[RevealedPlace]:
    """Return the places that the study reveals (`make --reveal`); none by default."""
    rows: Any = item.details.get("choices") or ()
    return [RevealedPlace(int(token), str(first), str(second)) for token, first, second in rows]


def rank_share(everything: Floats, one: float) -> float:
    """Return the share of a vocabulary that is less probable than a word; ties count half.

    Examples
    --------
    >>> rank_share(np.array([0.1, 0.2, 0.3, 0.4]), 0.4)
    0.875
    """
    below = float(np.mean(everything < one))
    return below + float(np.mean(everything == one)) / 2
