"""Detectors that look at nouns only."""

import numpy as np

from earmark.arrays import Floats
from earmark.tasks.context.values import Passage
from earmark.text.tagger import shipped

# Tags of nouns in the Penn Treebank's and in the universal set.
NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS", "NOUN", "PROPN")


def only_nouns(passage: Passage, scores: Floats) -> Floats:
    """Return the scores of nouns, and for every other token a score below all of them."""
    tags = passage.tags or shipped().tag(passage.tokens)
    lowest = float(scores.min()) - 1 if len(scores) else 0.0
    return np.where([tag in NOUN_TAGS for tag in tags], scores, min(lowest, -1.0))
