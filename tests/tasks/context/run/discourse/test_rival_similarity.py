import numpy as np
import pytest

from earmark.tasks.context.run.discourse.rival_similarity import RIVAL_SPAN, rival_similarity

SEA, SHIP, TAX = np.eye(3, dtype=np.float32)


def features(vectors, stems, nouns=None):
    own = np.array(vectors)
    nouns = np.arange(len(own)) * 2 if nouns is None else np.array(nouns)
    near = np.abs(nouns[:, None] - nouns[None, :]) <= RIVAL_SPAN
    around = near.astype(np.float32) @ own - own
    return rival_similarity(nouns, np.array(stems, np.uint64), own, around)


def test_a_noun_said_before_that_is_nearer_to_the_words_around_is_ahead():
    at_sea = (SEA + SHIP) / np.sqrt(2)
    found = features([at_sea, SEA, TAX, SHIP], [1, 2, 3, 4])
    assert found["fits"][2] == pytest.approx(0)  # a tax has nothing to do with the sea
    assert found["back fits"][2] > 0.7
    assert found["ahead fits"][2] > 0.3
    assert np.isnan(found["back fits"][0])
    assert np.isnan(found["ahead fits"][3])


def test_a_rival_that_is_said_around_the_place_does_not_speak_for_itself():
    # around the last noun only the sea is said, twice: nothing is left to compare the sea with
    found = features([SEA, SEA, TAX], [1, 1, 2])
    assert found["back fits"][2] == pytest.approx(0)
    # beyond the span it is not around the place
    far = features([SHIP, SEA, TAX], [1, 2, 3], [0, 100, 101])
    assert far["back fits"][2] == pytest.approx(0)


def test_a_noun_is_no_rival_of_itself():
    found = features([SEA, SEA], [1, 1])
    assert np.isnan(found["back fits"]).all()
