import numpy as np
import pytest

from earmark.tasks.context.run.hashing import word_hash
from earmark.tasks.context.run.trigram_model import InterpolatedTrigrams


def test_trigram_probabilities_sum_to_one_over_the_known_words():
    model = InterpolatedTrigrams.of([tuple("the dog saw the cat . the cat saw the dog .".split())])
    keys = np.array([word_hash(w) for w in model.words], np.uint64)
    the, saw = np.uint64(word_hash("the")), np.uint64(word_hash("saw"))
    total = model.probability(saw, the, keys, model.counts).sum()
    unseen = model.probability(saw, the, np.uint64(word_hash("x")), 0.0)
    assert total + unseen == pytest.approx(1.0)


def test_a_word_that_follows_often_surprises_less():
    model = InterpolatedTrigrams.of([tuple("the dog saw the cat . the dog saw the bird .".split())])
    row = model.surprisals(("the", "dog", "saw", "the", "zebra"))
    assert row[1] < row[4]
