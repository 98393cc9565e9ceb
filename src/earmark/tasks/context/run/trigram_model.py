"""An interpolated trigram model: the probability of a word after the two words before it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats
from earmark.tasks.context.run.hashing import Hashes, combine, word_hash, word_hashes
from earmark.text.penn_tokens import sentences

# Stands before the first word of a sentence.
SENTENCE_START = word_hash("<s>")
# One salt per kind of n-gram, so that all kinds share one table of counts. The first two count
# what comes before a word: how often a word, or a pair of words, was followed by anything.
ONE_BEFORE, TWO_BEFORE, BIGRAM, TRIGRAM = (np.uint64(salt) for salt in range(1, 5))
# Weights of the interpolation, set by hand and not tuned: the model is a floor. What is left, .25,
# goes to the unigram; so does the weight of an n-gram whose beginning was never seen.
BIGRAM_WEIGHT = 0.45
TRIGRAM_WEIGHT = 0.3
# Added to the count of every word, and of one unknown word (Lidstone smoothing with 1/2).
PSEUDO_COUNT = 0.5


class Histories(NamedTuple):
    """Hashes of every word, of the word before, and of the one before that; (tokens,) each."""

    words: Hashes
    one_before: Hashes
    two_before: Hashes


@dataclass(frozen=True)
class InterpolatedTrigrams:
    """Counts of words, and of n-grams by hash.

    `words` are sorted and `counts` theirs; `keys` are the sorted hashes of the n-grams and `times`
    how often each was seen; `tokens` is the sum of the counts.
    """

    words: tuple[str, ...]
    counts: Floats  # (words,)
    keys: Hashes  # (n-grams,)
    times: NDArray[np.float32]  # (n-grams,)
    tokens: float

    @classmethod
    def of(cls, documents: Sequence[Sequence[str]]) -> "InterpolatedTrigrams":
        """Count the n-grams of documents; none crosses the border of a sentence."""
        seen: Counter[str] = Counter()
        hashes: list[Hashes] = []
        for tokens in documents:
            seen.update(tokens)
            words, one, two = histories(tokens)
            hashes += [combine(ONE_BEFORE, one), combine(TWO_BEFORE, two, one)]
            hashes += [combine(BIGRAM, one, words), combine(TRIGRAM, two, one, words)]
        keys, times = np.unique(np.concatenate(hashes), return_counts=True)
        vocabulary = sorted(seen)
        counts = np.array([seen[word] for word in vocabulary], np.float64)
        total = float(counts.sum())
        return cls(tuple(vocabulary), counts, keys, times.astype(np.float32), total)

    def probability(
        self,
        two_before: Hashes | np.uint64,
        one_before: Hashes | np.uint64,
        words: Hashes | np.uint64,
        counts: Floats | float,
    ) -> Floats:
        """Return P(word | two words before); `counts` are those of the words themselves."""
        smoothed = self.tokens + PSEUDO_COUNT * (len(self.words) + 1)
        unigram = (counts + PSEUDO_COUNT) / smoothed
        one_seen = self._times(combine(ONE_BEFORE, one_before))
        two_seen = self._times(combine(TWO_BEFORE, two_before, one_before))
        bigram = _relative(self._times(combine(BIGRAM, one_before, words)), one_seen)
        trigram = _relative(self._times(combine(TRIGRAM, two_before, one_before, words)), two_seen)
        weight2, weight3 = BIGRAM_WEIGHT * (one_seen > 0), TRIGRAM_WEIGHT * (two_seen > 0)
        return np.asarray((1 - weight2 - weight3) * unigram + weight2 * bigram + weight3 * trigram)

    def distribution(self, two_before: np.uint64, one_before: np.uint64) -> Floats:
        """Return P(word | two words before) for every word of the vocabulary; (words,)."""
        return self.probability(two_before, one_before, self._word_hashes, self.counts)

    def word_probability(self, two_before: np.uint64, one_before: np.uint64, word: str) -> float:
        """Return P(word | two words before) for one word, known or not."""
        count = float(self.word_counts([word])[0])
        return float(self.probability(two_before, one_before, np.uint64(word_hash(word)), count))

    def surprisals(self, tokens: Sequence[str]) -> Floats:
        """Return -log P of each token, in nats; (tokens,)."""
        words, one, two = histories(tokens)
        return np.asarray(-np.log(self.probability(two, one, words, self.word_counts(tokens))))

    def word_counts(self, tokens: Sequence[str]) -> Floats:
        """Return how often each token was seen in training; (tokens,)."""
        words = np.array(self.words)
        asked = np.array(tokens, dtype=words.dtype if len(words) else str)
        index = np.minimum(np.searchsorted(words, asked), len(words) - 1)
        return np.where(words[index] == np.array(tokens), self.counts[index], 0.0)

    @cached_property
    def _word_hashes(self) -> Hashes:
        return word_hashes(self.words)

    def _times(self, keys: Hashes) -> Floats:
        index = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[index] == keys, self.times[index], 0.0)


def histories(tokens: Sequence[str]) -> Histories:
    """Return the hashes of every token and of the two before it within its sentence."""
    words = word_hashes(tokens)
    one, two = np.roll(words, 1), np.roll(words, 2)
    for low, high in sentences(tuple(tokens)):
        one[low] = two[low] = SENTENCE_START
        if low + 1 < high:
            two[low + 1] = SENTENCE_START
    return Histories(words, one, two)


def _relative(times: Floats, of: Floats) -> Floats:
    """Return relative frequencies; 0 where the beginning of the n-gram was never seen."""
    return np.where(of > 0, times / np.maximum(of, 1), 0.0)
