"""Word vectors that a network begins with."""

import numpy as np
import pytest
from tests.text import tiny_llama

from earmark.text.causal_model import load_causal_model

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")

WORDS = ["we", "sat", "down", "it", "left"]


@pytest.fixture
def model(tmp_path):
    return load_causal_model(tiny_llama.write(tmp_path / "tiny.gguf", tiny_llama.weights()))


def test_vectors_are_as_far_apart_as_those_of_the_model(model):
    from earmark.tasks.boundaries.run.language_vectors import language_vectors

    pieces = model.network.output.numpy()
    own = np.stack([pieces[model.pieces(f" {word}")].mean(axis=0) for word in WORDS])
    vectors = language_vectors(model, WORDS, 12)
    assert vectors.shape == (5, 12)

    def distances(rows):
        return np.linalg.norm(rows[:, None] - rows[None], axis=-1)

    assert distances(vectors) == pytest.approx(distances(own), abs=1e-4)
    first = language_vectors(model, WORDS, 2)
    assert (distances(first) <= distances(own) + 1e-4).all()


def test_a_network_that_begins_with_them_has_them_with_the_spread_of_drawn_ones():
    from earmark.tasks.boundaries.run.networks import WORD_SPREAD, WordVectors
    from earmark.tasks.boundaries.run.vocabulary import AFFIXES, SPECIAL

    network = WordVectors(SPECIAL + 3, 16, 4, dropout=0.0)
    start = torch.tensor([[1.0, 2, 3, 4], [-4, -3, -2, -1], [0, 0, 0, 5]])
    network.start_from(start)
    rows = torch.zeros(1, 3, 1 + AFFIXES, dtype=torch.int64)
    rows[0, :, 0] = torch.arange(SPECIAL, SPECIAL + 3)
    vectors = network(rows)[0].detach()
    assert float(vectors.std()) == pytest.approx(WORD_SPREAD, rel=1e-5)
    assert torch.allclose(vectors / vectors[0, 0], start, atol=1e-5)
