import math

import numpy as np
import pytest

from earmark.tasks.context.run.discourse.corpus import corpus_arrays
from earmark.tasks.context.run.discourse.mentions import NEVER, mention_features


def test_mentions_are_counted_and_their_distances_are_in_nouns():
    words = ("dog", "cat", "dogs", "bird", "dog")
    corpus = corpus_arrays([words, ("dog",)], [("NN",) * 5, ("NN",)])
    features = mention_features(corpus, np.arange(6))
    assert np.exp(features["word said"]) == pytest.approx([2, 1, 1, 1, 2, 1])
    assert np.exp(features["word after"]) == pytest.approx([4, NEVER, NEVER, NEVER, NEVER, NEVER])
    assert np.exp(features["word before"]) == pytest.approx([NEVER, NEVER, NEVER, NEVER, 4, NEVER])
    # dog, dogs and dog are three mentions of one stem
    assert np.exp(features["stem said"]) == pytest.approx([3, 1, 3, 1, 3, 1])
    assert np.exp(features["stem near"]) == pytest.approx([2, NEVER, 2, NEVER, 2, NEVER])


def test_the_same_pair_elsewhere_in_the_document_is_counted():
    words = ("the", "dog", "the", "dog", "the", "cat", "a", "cat")
    corpus = corpus_arrays([words], [("DT", "NN") * 4])
    features = mention_features(corpus, np.arange(4))
    assert features["own lw"].tolist() == [1, 1, 0, 0]
    assert features["own lw other"].tolist() == [1, 1, 2, 0]
    assert features["length"][0] == pytest.approx(math.log(8))
