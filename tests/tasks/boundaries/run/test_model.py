"""A model file keeps what is needed to predict the same."""

from pathlib import Path

import numpy as np
import pytest

from earmark.tasks.boundaries.run.model import read_model, write_model
from earmark.tasks.boundaries.run.systems import Kind, shipped

WORDS = "my fellow citizens we 're here today why is that so let us begin".split()


@pytest.mark.parametrize("kind", ["cnn", "gru"])
def test_a_model_that_is_written_and_read_predicts_the_same(kind: Kind, tmp_path: Path) -> None:
    model = shipped(kind)
    write_model(model, tmp_path / "model")
    again = read_model(tmp_path / "model")
    assert (again.shape, again.vocabulary, again.card) == (
        model.shape, model.vocabulary, model.card,
    )  # fmt: skip
    np.testing.assert_array_equal(again.probabilities(WORDS), model.probabilities(WORDS))


def test_a_contraction_that_is_written_apart_ends_nothing_inside() -> None:
    probabilities = shipped("cnn").probabilities(WORDS)
    assert len(probabilities) == len(WORDS)
    assert probabilities[WORDS.index("we")] == 0
    assert probabilities.max() <= 1
