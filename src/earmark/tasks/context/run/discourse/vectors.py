"""Vectors of words: the sentence encoder's static ones, and those of the training corpus itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Bools, Ints
from earmark.stats.vectors import unit_rows
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.hashing import Hashes, word_hashes
from earmark.text.word_vectors import static_vectors

Vectors = NDArray[np.float32]

# Chosen by hand, not tuned: words are near each other up to so many content words apart; words
# seen more rarely than RAREST have too few neighbours for a vector; the rest bounds time and the
# size of the model file.
WINDOW = 15
RAREST = 5
MOST_WORDS = 12_000
DIMENSIONS = 100
# Frequent neighbours are smoothed by this power, as Levy, Goldberg and Dagan (2015) advise.
SMOOTHING_POWER = 0.75


@dataclass(frozen=True, slots=True)
class TopicVectors:
    """Unit vectors of a corpus's content words, by sorted hash (positive PMI, then SVD)."""

    keys: Hashes  # (words,)
    vectors: Vectors  # (words, DIMENSIONS)

    def of(self, hashes: Hashes) -> Vectors:
        """Return a vector per hash; zeros for a word that was not learnt."""
        rows = np.zeros((len(hashes), self.vectors.shape[1]), np.float32)
        if len(self.keys):
            index = np.minimum(np.searchsorted(self.keys, hashes), len(self.keys) - 1)
            known = self.keys[index] == hashes
            rows[known] = self.vectors[index[known]]
        return rows


def learn_topics(
    corpus: CorpusArrays, *, documents: Bools | None = None, seed: int = 0
) -> TopicVectors:
    """Learn vectors from the words near each other in the chosen documents (by default all).

    Returns no vectors where there are too few words to learn them from.
    """
    from sklearn.utils.extmath import randomized_svd

    content = corpus.content if documents is None else corpus.content & documents[corpus.document]
    tokens = np.flatnonzero(content)
    learnt = _frequent_types(corpus, tokens)
    if len(learnt) <= DIMENSIONS:
        return TopicVectors(np.empty(0, np.uint64), np.zeros((0, DIMENSIONS), np.float32))
    association = _positive_pmi(_near_counts(corpus, tokens, learnt))
    left, sizes, _ = randomized_svd(association, DIMENSIONS, n_iter=3, random_state=seed)
    vectors = unit_rows(left * np.sqrt(sizes)).astype(np.float32)
    keys = word_hashes(corpus.words[index] for index in learnt)
    order = np.argsort(keys)
    return TopicVectors(keys[order], vectors[order])


def _frequent_types(corpus: CorpusArrays, tokens: Ints) -> Ints:
    """Return the word types to learn, the most frequent first, ties in their own order."""
    counts = np.bincount(corpus.types[tokens], minlength=len(corpus.words))
    order = np.lexsort((np.arange(len(counts)), -counts))
    return order[: min(MOST_WORDS, int(np.sum(counts >= RAREST)))]


def _near_counts(corpus: CorpusArrays, tokens: Ints, learnt: Ints) -> Any:
    """Return how often two learnt words are near each other; sparse, (learnt, learnt)."""
    from scipy import sparse

    number = np.full(len(corpus.words), -1)
    number[learnt] = np.arange(len(learnt))
    row = number[corpus.types[tokens]]
    tokens, row = tokens[row >= 0], row[row >= 0]
    near = sparse.csr_matrix((len(learnt), len(learnt)), dtype=np.float32)
    for gap in range(1, WINDOW + 1):
        same = corpus.document[tokens[gap:]] == corpus.document[tokens[:-gap]]
        one, two = row[gap:][same], row[:-gap][same]
        near = near + sparse.coo_matrix((np.ones(len(one), np.float32), (one, two)), near.shape)
    return (near + near.T).tocoo()


def _positive_pmi(near: Any) -> Any:
    """Return the positive pointwise mutual information of words near each other; sparse."""
    from scipy import sparse

    sums = np.asarray(near.sum(axis=1)).ravel() + 1e-9
    share = sums**SMOOTHING_POWER / np.sum(sums**SMOOTHING_POWER)
    pmi = np.log(near.data / (sums[near.row] * share[near.col]))
    positive = pmi > 0
    cells = (near.row[positive], near.col[positive])
    return sparse.csr_matrix((pmi[positive], cells), near.shape)


def encoder_vectors(corpus: CorpusArrays) -> Vectors:
    """Return the encoder's static vector of every word type; zeros where it has none."""
    vectors: Vectors = np.nan_to_num(static_vectors(corpus.words), nan=0.0)
    return vectors
