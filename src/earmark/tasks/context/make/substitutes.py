"""What may replace a noun: words about as frequent, or words that sound like it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from earmark.tasks.context.make.recipe import CorruptionRecipe
from earmark.text.frequency import WordFrequencies
from earmark.text.noun_forms import same_noun, written_like
from earmark.text.pronunciation import PronunciationIndex, starts_with_vowel

# Common nouns, which are capitalised only where a sentence begins.
COMMON_NOUNS = frozenset({"NN", "NNS", "NOUN"})
# Whether the word after the article begins with a vowel.
VOWEL_AFTER = {"a": False, "an": True}


@dataclass(frozen=True, slots=True)
class Substitute:
    """A word, its rank, and how it was found: in which frame of ranks, or how far by sound."""

    word: str
    rank: int
    frame: int
    phonetic: float | None = None


class FittingWord(NamedTuple):
    """The rank of a word that fits, and its distance by sound where that was looked for."""

    rank: int
    phonetic: float | None = None


class Fitting(NamedTuple):
    """The words that fit, and the frame of ranks in which they were found (0 for sounds)."""

    frame: int
    words: Sequence[FittingWord]


@dataclass(frozen=True, slots=True)
class SubstituteFinder:
    """Finds substitutes in a vocabulary.

    An index of sounds is built for a tag when it is first needed, and the sound-alikes of a noun
    are looked up once.
    """

    vocabulary: WordFrequencies
    recipe: CorruptionRecipe
    _sounds: dict[str, PronunciationIndex] = field(default_factory=dict, init=False, repr=False)
    _alike: dict[tuple[str, str], list[tuple[float, str]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def draw(
        self, noun: str, tag: str, before: str, said: frozenset[str], rng: np.random.Generator
    ) -> Substitute | str:
        """Return a substitute drawn uniformly from what fits, or the reason why there is none.

        `before` is the word in front, `said` the words of the document in lower case.
        """
        known = self.known_form(noun, tag)
        if known not in self.vocabulary.rank:
            return "not_in_vocabulary"
        fits = self._fits(noun, before, said)
        by_sound = self.recipe.sound_alike
        fitting = (self._sound_alike if by_sound else self._as_frequent)(known, tag, fits)
        if fitting is None:
            return "no_sound_alike" if by_sound else "no_substitute"
        rank, phonetic = fitting.words[int(rng.integers(len(fitting.words)))]
        word = self.vocabulary.words[rank]
        if self.recipe.capitals and tag in COMMON_NOUNS:
            word = written_like(word, noun)
        return Substitute(word, rank, fitting.frame, phonetic)

    def known_form(self, noun: str, tag: str) -> str:
        """Return the form whose frequency counts: small letters for a capitalised common noun."""
        small = noun.lower()
        if self.recipe.capitals and tag in COMMON_NOUNS and small in self.vocabulary.rank:
            return small
        return noun

    def _as_frequent(self, noun: str, tag: str, fits: Callable[[str], bool]) -> Fitting | None:
        """Return words of the appearance window; the frame doubles until one fits (stage 4)."""
        vocabulary, frame = self.vocabulary, self.recipe.frame
        rank = vocabulary.rank[noun]
        for _ in range(self.recipe.tries):
            window = vocabulary.window(rank, frame, tag)
            ranks = [r for r in window if r != rank and fits(vocabulary.words[r])]
            if ranks:
                return Fitting(frame, [FittingWord(r) for r in ranks])
            frame *= 2
        return None

    def _sound_alike(self, noun: str, tag: str, fits: Callable[[str], bool]) -> Fitting | None:
        """Return words of the same tag that sound like the noun but not exactly like it."""
        near = self._near_by_sound(noun, tag)
        rank = self.vocabulary.rank
        words = [FittingWord(rank[w], distance) for distance, w in near if distance > 0 and fits(w)]
        return Fitting(0, words) if words else None

    def _near_by_sound(self, noun: str, tag: str) -> list[tuple[float, str]]:
        if (noun, tag) not in self._alike:
            if tag not in self._sounds:
                ranks = self.vocabulary.by_tag.get(tag, ())
                self._sounds[tag] = PronunciationIndex(
                    self.vocabulary.words[rank] for rank in ranks
                )
            near = self._sounds[tag].near(noun, farthest=self.recipe.farthest)
            self._alike[noun, tag] = near
        return self._alike[noun, tag]

    def _fits(self, noun: str, before: str, said: frozenset[str]) -> Callable[[str], bool]:
        """Return the rule by which the recipe accepts a word instead of a noun."""
        recipe = self.recipe
        vowel = VOWEL_AFTER.get(before.lower()) if recipe.articles else None

        def fits(word: str) -> bool:
            if recipe.unseen and word.lower() in said:
                return False
            if recipe.lemmas and same_noun(noun, word):
                return False
            return vowel is None or starts_with_vowel(word) == vowel

        return fits


def words_said(tokens: Sequence[str]) -> frozenset[str]:
    """Return the words of a document in lower case."""
    return frozenset(map(str.lower, set(tokens)))
