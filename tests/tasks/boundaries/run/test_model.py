"""A model file keeps what is needed to predict the same."""

import os
from pathlib import Path

import numpy as np
import pytest

from earmark.tasks.boundaries.run.model import read_model, write_model
from earmark.tasks.boundaries.run.systems import Kind, shipped
from earmark.values.errors import InputError

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


def test_a_model_that_cannot_be_written_is_wrong_input_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="the file cannot be written"):
        write_model(shipped("cnn"), tmp_path / "new" / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_contraction_that_is_written_apart_ends_nothing_inside() -> None:
    probabilities = shipped("cnn").probabilities(WORDS)
    assert len(probabilities) == len(WORDS)
    assert probabilities[WORDS.index("we")] == 0
    assert probabilities.max() <= 1
