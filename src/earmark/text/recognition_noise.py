"""Words as a recogniser would get them wrong: taken for others that sound alike, lost, split ...

The process is made up, not learnt from any recogniser's output: a developer who has such output can
measure on it and be sure that nothing was chosen by it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from earmark.text.pronunciation import Phones, PronunciationIndex, phones
from earmark.values.errors import InputError

HIGHEST_RATE = 0.5  # of words wrong; beyond it hardly a sentence is left
# Chosen by hand, none of them tuned. Errors come in groups: the correlation of a word's error with
# the error of the word before it.
CORRELATION = 0.25
# Talks differ: a passage's rate is drawn from a gamma distribution of this shape around the rate.
SHAPE = 4.0
# How far a word may be from what it is taken for (edits of phones over the longer length); words of
# few phones have no neighbour nearer than a half.
FARTHEST, FARTHEST_SHORT, SHORT = 0.34, 0.5, 3
# What happens to a word that is wrong; where it cannot, the word is taken for another.
KINDS = ("replace", "delete", "insert", "split", "join")
KIND_LIMITS = (0.62, 0.79, 0.9, 0.95, 1.0)  # cumulative: 62, 17, 11, 5 and 5 %
# Words that are lost or added: the commonest ones, if short.
COMMONEST, MOST_LETTERS = 100, 4
FEWEST_PHONES = 4  # of a word that is split: two of each part


class NoisyWords(NamedTuple):
    """Words with errors; `carrier[k]` is the word that stands where original word k ended.

    That is the word itself or what it was taken for, and for a lost word the one before it.
    """

    words: list[str]
    carrier: list[int]


class Drawn(NamedTuple):
    """Words to draw from, and their cumulative probabilities."""

    words: tuple[str, ...]
    cumulative: tuple[float, ...]

    def draw(self, rng: np.random.Generator) -> str:
        """Return one of the words."""
        place = int(np.searchsorted(self.cumulative, rng.random(), side="right"))
        return self.words[min(place, len(self.words) - 1)]


class RecognitionNoise:
    """Errors of a recogniser whose vocabulary is `counts`: lower-case words, and how frequent.

    A word is taken for one that sounds alike: near and frequent words more often. Words that
    CMUdict does not know stay right, and the next word is wrong in their place. What was looked up
    is stored, so that further texts cost less.

    Examples
    --------
    >>> noise = RecognitionNoise({"their": 3, "there": 5, "was": 4, "a": 9, "forest": 2})
    >>> rng = np.random.default_rng(1)
    >>> noise.corrupt(["their", "forest"], marked=[False, True], rate=0.5, rng=rng).carrier
    [0, 1]
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        self.counts = counts
        self.index = PronunciationIndex(ranked)
        self._words: dict[Phones, str] = {}
        self._similar: dict[tuple[Phones, str], Drawn | None] = {}
        self._parts: dict[str, tuple[str, str] | None] = {}
        for word in ranked:
            spoken = phones(word)
            if spoken:
                self._words.setdefault(spoken, word)  # of homophones the most frequent
        short = [word for word in ranked[:COMMONEST] if len(word) <= MOST_LETTERS and phones(word)]
        self._short = _drawn({word: float(counts[word]) for word in short})

    def draw_rate(self, rate: float, rng: np.random.Generator) -> float:
        """Return the rate of one passage, around the rate of all."""
        return min(float(rng.gamma(SHAPE, rate / SHAPE)), HIGHEST_RATE)

    def corrupt(
        self, words: Sequence[str], *, marked: Sequence[bool], rate: float, rng: np.random.Generator
    ) -> NoisyWords:
        """Return the words with about `rate` errors per word.

        No two words that are `marked` come together: a lost word's mark would have no place of its
        own. Splitting and joining are two errors each, as an alignment counts them.
        """
        require_rate(rate)
        passage = _Passage(self, words, marked, rng)
        due = 0
        for position, is_wrong in enumerate(_errors(len(words), rate, rng)):
            due += is_wrong
            if position < passage.next_word:
                continue  # joined to the word before it
            due -= passage.add(position, is_wrong=due > 0)
        return NoisyWords(passage.noisy, passage.carrier)

    def similar(self, spoken: Phones, *, but: str = "") -> Drawn | None:
        """Return what phones may be taken for, other than one word; None when nothing is near."""
        key = spoken, but
        if key not in self._similar:
            farthest = FARTHEST_SHORT if len(spoken) <= SHORT else FARTHEST
            near = self.index.near_phones(spoken, farthest=farthest)
            # a word as far again is e times less probable for every tenth; frequent words win by
            # the root of their count
            weights = {
                word: float(np.sqrt(self.counts[word]) * np.exp(-10 * far))
                for far, word in near
                if word != but
            }
            self._similar[key] = _drawn(weights) if weights else None
        return self._similar[key]

    def parts(self, word: str) -> tuple[str, str] | None:
        """Return two words that together sound like one; None when there are none."""
        if word not in self._parts:
            spoken = phones(word) or ()
            cuts = range(2, len(spoken) - 1) if len(spoken) >= FEWEST_PHONES else ()
            pairs = [
                (self._words[spoken[:cut]], self._words[spoken[cut:]])
                for cut in cuts
                if spoken[:cut] in self._words and spoken[cut:] in self._words
            ]
            self._parts[word] = max(pairs, key=self._rarer_count, default=None)
        return self._parts[word]

    def _rarer_count(self, pair: tuple[str, str]) -> int:
        return min(self.counts[word] for word in pair)

    def is_short(self, word: str) -> bool:
        """Return whether a word may be lost."""
        return word in self._short.words

    def short_word(self, rng: np.random.Generator) -> str:
        """Return a word that a recogniser may add; "" when there is none."""
        return self._short.draw(rng) if self._short.words else ""


def require_rate(rate: float) -> None:
    """Raise InputError unless this can be a rate of errors per word."""
    if not 0 <= rate <= HIGHEST_RATE:
        raise InputError(
            "noise is a word error rate", got=rate, want=f"a number from 0 to {HIGHEST_RATE}"
        )


class _Passage:
    """A text on its way from right words to noisy ones."""

    def __init__(
        self,
        noise: RecognitionNoise,
        words: Sequence[str],
        marked: Sequence[bool],
        rng: np.random.Generator,
    ) -> None:
        self.noise, self.words, self.marked, self.rng = noise, words, marked, rng
        self.noisy: list[str] = []
        self.carrier: list[int] = []
        self.next_word = 0
        self.carries_mark = False  # the last noisy word does

    def add(self, position: int, *, is_wrong: bool) -> int:
        """Add what becomes of a word; return how many errors that is."""
        errors = self._add_wrong(position) if is_wrong else 0
        if not errors:
            self._put(position, self.words[position])
        return errors

    def _add_wrong(self, position: int) -> int:
        kind = KINDS[int(np.searchsorted(KIND_LIMITS, self.rng.random(), side="right"))]
        ways = {
            "replace": self._replace,
            "delete": self._delete,
            "insert": self._insert,
            "split": self._split,
            "join": self._join,
        }
        return ways[kind](position) or self._replace(position)

    def _put(self, position: int, *words: str, originals: int = 1) -> None:
        """Let words stand for one original word or several, the last of which may be marked."""
        self.noisy += words
        self.carrier += [len(self.noisy) - 1] * originals
        self.next_word = position + originals
        self.carries_mark = self.marked[self.next_word - 1]

    def _replace(self, position: int) -> int:
        word = self.words[position].lower()
        spoken = phones(word)
        similar = self.noise.similar(spoken, but=word) if spoken else None
        if similar is None:
            return 0
        self._put(position, similar.draw(self.rng))
        return 1

    def _delete(self, position: int) -> int:
        both_marked = self.carries_mark and self.marked[position]
        if not self.noisy or both_marked or not self.noise.is_short(self.words[position].lower()):
            return 0
        self.carrier.append(len(self.noisy) - 1)
        self.next_word = position + 1
        self.carries_mark = self.carries_mark or self.marked[position]
        return 1

    def _insert(self, position: int) -> int:
        word = self.noise.short_word(self.rng)
        if not word:
            return 0
        self._put(position, word, self.words[position])
        return 1

    def _split(self, position: int) -> int:
        parts = self.noise.parts(self.words[position].lower())
        if parts is None:
            return 0
        self._put(position, *parts)
        return 2

    def _join(self, position: int) -> int:
        if position + 1 == len(self.words) or self.marked[position]:
            return 0
        spoken = [phones(word.lower()) for word in self.words[position : position + 2]]
        if spoken[0] is None or spoken[1] is None:
            return 0
        similar = self.noise.similar(spoken[0] + spoken[1])
        if similar is None:
            return 0
        self._put(position, similar.draw(self.rng), originals=2)
        return 2


def _errors(length: int, rate: float, rng: np.random.Generator) -> list[bool]:
    """Return which words are wrong: a chain in which errors follow errors."""
    drawn = rng.random(length).tolist()
    after_right, after_wrong = rate * (1 - CORRELATION), rate + CORRELATION * (1 - rate)
    wrong: list[bool] = []
    limit = rate
    for number in drawn:
        wrong.append(number < limit)
        limit = after_wrong if wrong[-1] else after_right
    return wrong if rate else [False] * length


def _drawn(weights: Mapping[str, float]) -> Drawn:
    """Return words to draw with these weights."""
    total = np.cumsum(list(weights.values()))
    return Drawn(tuple(weights), tuple((total / total[-1]).tolist()) if weights else ())
