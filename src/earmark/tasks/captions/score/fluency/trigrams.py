"""How usual is a sequence of words? A trigram model of words and one of word shapes.

A shape keeps function words as they are and reduces every other word to its ending (`-ing`, `-s`,
`-ed`, `-ly` or `-`), so that sentences about things never seen before still look usual or not.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from earmark.text.hashing import text_number

START, END = "<s>", "</s>"
# Function words, and words that captions use like them; written by hand. The shipped detector was
# trained with this list: a change of it needs a new detector.
FUNCTION_WORDS = frozenset(
    (
        "a an the this that these those some several many multiple few more other another each "
        "all both two three four his her their its it he she they them there someone something "
        "and or but while as with by of in on at to from into onto over under through during "
        "before after when until for near against along around behind between inside outside up "
        "down off out away then followed is are was were be being been has have had can could "
        "which who what where not no very so too also background distance foreground times "
    ).split()
)
ENDINGS = ("ing", "ed", "ly", "s")
# Bytes of an n-gram's key: 40 bits keep the shipped model small, and two of its 100,000 n-grams
# share a key with a probability below 1 %.
KEY_BYTES = 5


@lru_cache(maxsize=100_000)
def shape(word: str) -> str:
    """Return the word itself if it is a function word, else its ending.

    Examples
    --------
    >>> [shape(word) for word in ("the", "dogs", "barking", "loudly", "rain")]
    ['the', '-s', '-ing', '-ly', '-']
    """
    if word in FUNCTION_WORDS:
        return word
    return "-" + next((end for end in ENDINGS if word.endswith(end) and len(word) > 3), "")


@dataclass(frozen=True, slots=True)
class TrigramModel:
    """Counts of n-grams of one to three words by key, with Witten-Bell smoothing.

    `times`: how often an n-gram occurs. `followers`: how many different words follow it. `total`
    counts the words of the texts, `vocabulary` the different ones, sentence marks included.
    """

    times: Mapping[int, int]
    followers: Mapping[int, int]
    total: int
    vocabulary: int

    @classmethod
    def count(cls, texts: Sequence[Sequence[str]]) -> "TrigramModel":
        """Return the model of these texts."""
        times: Counter[int] = Counter()
        followers: Counter[int] = Counter()
        for words in texts:
            for ngram in _ngrams((START, *words, END)):
                key = ngram_key(ngram)
                if len(ngram) > 1 and not times[key]:
                    followers[ngram_key(ngram[:-1])] += 1
                times[key] += 1
        total = sum(len(words) + 2 for words in texts)
        vocabulary = len({word for words in texts for word in words}) + 2
        return cls(dict(times), dict(followers), total, vocabulary)

    def log_probabilities(self, words: Sequence[str]) -> list[float]:
        """Return the log-probability of each word after the two before it, and of the end."""
        row = (START, *words, END)
        return [self._log_probability(row[max(0, i - 2) : i + 1]) for i in range(1, len(row))]

    def _log_probability(self, ngram: tuple[str, ...]) -> float:
        """Return the log-probability of the last word of an n-gram.

        Witten-Bell: the estimate from n words is a mean of the observed frequency and of the
        estimate from n - 1 words, in which the latter weighs as much as the context has different
        followers. Single words have half a count added each.
        """
        unigram = self.times.get(ngram_key(ngram[-1:]), 0)
        probability = (unigram + 0.5) / (self.total + 0.5 * self.vocabulary)
        for size in range(2, len(ngram) + 1):
            context = ngram_key(ngram[-size:-1])
            followers = self.followers.get(context, 0)
            if followers:
                seen = self.times.get(ngram_key(ngram[-size:]), 0)
                weight = self.times.get(context, 0) + followers
                probability = (seen + followers * probability) / weight
        return float(np.log(probability))

    def pruned(self, least: int) -> "TrigramModel":
        """Return the model without n-grams that occur fewer than `least` times."""
        times = {key: count for key, count in self.times.items() if count >= least}
        followers = {key: count for key, count in self.followers.items() if key in times}
        return TrigramModel(times, followers, self.total, self.vocabulary)


def _ngrams(row: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """Yield the n-grams of one to three words that begin at each word."""
    for first in range(len(row)):
        for end in range(first + 1, min(first + 3, len(row)) + 1):
            yield row[first:end]


@lru_cache(maxsize=50_000)
def ngram_key(ngram: tuple[str, ...]) -> int:
    """Return the key of an n-gram: 40 bits of the hash of its words."""
    return text_number(" ".join(ngram), size=KEY_BYTES)
