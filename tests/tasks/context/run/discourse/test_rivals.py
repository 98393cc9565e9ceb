import numpy as np

from earmark.tasks.context.run.discourse.corpus import corpus_arrays
from earmark.tasks.context.run.discourse.ngram_counts import ContextCounts, CorpusCounts
from earmark.tasks.context.run.discourse.rivals import rival_features


def test_a_noun_said_before_that_fits_better_is_ahead():
    known = corpus_arrays([("barking", "dog", "ran") * 20], [("JJ", "NN", "VBD") * 20])
    words = ("the", "dog", "slept", "barking", "piano", "ran")
    judged = corpus_arrays([words], [("DT", "NN", "VBD", "JJ", "NN", "VBD")])
    counts = ContextCounts.of(CorpusCounts.of(known), judged)
    features = rival_features(judged, counts, np.arange(2))
    # the first noun has no rival; between "barking" and "ran" dog fits better than piano
    assert np.isnan(features["back pair both"]).tolist() == [True, False]
    assert features["back pair left ahead"][1] > 1
    assert features["back pair right ahead"][1] > 1


def test_a_rival_has_the_same_tag_and_is_another_word_of_the_document():
    words = [("dogs", "dog", "dog"), ("cat",)]
    judged = corpus_arrays(words, [("NNS", "NN", "NN"), ("NN",)])
    counts = ContextCounts.of(CorpusCounts.of(judged), judged)
    assert np.isnan(rival_features(judged, counts, np.arange(4))["back pair left"]).all()
