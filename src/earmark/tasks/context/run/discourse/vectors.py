"""Vectors of words: the sentence encoder's static ones, and GloVe's of the commonest words."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.files.models import use_model
from earmark.files.npz import read_arrays
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.hashing import Hashes, word_hashes
from earmark.text.word_vectors import static_vectors

Vectors = NDArray[np.float32]
# What is shipped of GloVe: models/words-glove.md says how it was made.
SHIPPED_WORDS = Path(__file__).parents[2] / "models" / "words-glove.npz"
# Vectors are stored as signed bytes, which suffices for cosines: 127 stands for 1.
BYTE = 127


class CommonWords(NamedTuple):
    """Unit vectors of words, by sorted hash."""

    keys: Hashes  # (words,)
    vectors: Vectors  # (words, dimensions)

    def of(self, hashes: Hashes) -> Vectors:
        """Return a vector per hash; zeros for a word that has none."""
        rows = np.zeros((len(hashes), self.vectors.shape[1]), np.float32)
        index = np.minimum(np.searchsorted(self.keys, hashes), len(self.keys) - 1)
        known = self.keys[index] == hashes
        rows[known] = self.vectors[index[known]]
        return rows


@cache
def shipped_words() -> CommonWords:
    """Return GloVe's vectors of the commonest words."""
    arrays = read_arrays(SHIPPED_WORDS, what="the file holds no vectors of words")
    return CommonWords(arrays["keys"], np.asarray(arrays["vectors"] / BYTE, np.float32))


def common_vectors(corpus: CorpusArrays) -> Vectors:
    """Return GloVe's vector of every word type; zeros where it is not among the commonest."""
    use_model(SHIPPED_WORDS)
    return shipped_words().of(word_hashes(corpus.words))


def encoder_vectors(corpus: CorpusArrays) -> Vectors:
    """Return the encoder's static vector of every word type; zeros where it has none."""
    vectors: Vectors = np.nan_to_num(static_vectors(corpus.words), nan=0.0)
    return vectors
