"""Vectors of words: the sentence encoder's static ones, and those of the corpus itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.tasks.context.run.discourse.corpus import Flat, word_key
from earmark.text.static import static_vectors

Array = Any
WINDOW = 15
RARE = 5
MOST = 12_000
DIMENSIONS = 100


@dataclass(frozen=True, slots=True)
class Topics:
    """Vectors of the corpus's content words, by hash (PPMI of near words, then SVD)."""

    keys: Array
    vectors: Array

    def of(self, keys: Array) -> Array:
        """One unit vector a hash; zeros for a word that was not learnt."""
        found = np.zeros((len(keys), self.vectors.shape[1]), np.float32)
        if len(self.keys):
            index = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            known = self.keys[index] == keys
            found[known] = self.vectors[index[known]]
        return found


def learn_topics(flat: Flat, *, chosen: Array | None = None, seed: int = 0) -> Topics:
    """Vectors from the words that stand near each other in the chosen documents."""
    from scipy import sparse
    from sklearn.utils.extmath import randomized_svd

    inside = flat.content if chosen is None else flat.content & chosen[flat.document]
    places = np.flatnonzero(inside)
    counts = np.bincount(flat.types[places], minlength=len(flat.words))
    order = np.lexsort((np.arange(len(counts)), -counts))
    kept = order[: min(MOST, int(np.sum(counts >= RARE)))]
    if len(kept) <= DIMENSIONS:
        return Topics(np.empty(0, np.uint64), np.zeros((0, DIMENSIONS), np.float32))
    number = np.full(len(flat.words), -1)
    number[kept] = np.arange(len(kept))
    row = number[flat.types[places]]
    places, row = places[row >= 0], row[row >= 0]
    near = sparse.csr_matrix((len(kept), len(kept)), dtype=np.float32)
    for gap in range(1, WINDOW + 1):
        same = flat.document[places[gap:]] == flat.document[places[:-gap]]
        one, two = row[gap:][same], row[:-gap][same]
        near = near + sparse.coo_matrix((np.ones(len(one), np.float32), (one, two)), near.shape)
    near = (near + near.T).tocoo()
    sums = np.asarray(near.sum(axis=1)).ravel() + 1e-9
    share = sums**0.75 / np.sum(sums**0.75)
    gain = np.log(near.data / (sums[near.row] * share[near.col]))
    kept_gain = gain > 0
    cells = (near.row[kept_gain], near.col[kept_gain])
    ppmi = sparse.csr_matrix((gain[kept_gain], cells), near.shape)
    left, size, _ = randomized_svd(ppmi, DIMENSIONS, n_iter=3, random_state=seed)
    vectors = unit(left * np.sqrt(size)).astype(np.float32)
    keys = np.array([word_key(flat.words[k]) for k in kept], np.uint64)
    order = np.argsort(keys)
    return Topics(keys[order], vectors[order])


def piece_vectors(flat: Flat) -> Array:
    """The encoder's static vector of every word type; zeros for light words."""
    found = static_vectors(flat.words)
    return np.nan_to_num(found, nan=0.0)


def unit(rows: Array) -> Array:
    """The rows at length 1; zeros stay zeros."""
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)
