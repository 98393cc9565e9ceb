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
# How often the frame may double beyond the recipe's tries to reach its `choices`.
WIDENINGS = 3
# A noun with fewer sound-alikes is swapped more rarely, so that no pair comes again and again.
ENOUGH_BY_SOUND = 5


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


@dataclass(slots=True)
class Taken:
    """What a substitute may not be: words of the document, and what was placed before.

    `said` are the words of the document and `placed` its substitutes so far, in lower case;
    `pairs` are all swaps of the corpus so far, a noun and its substitute each.
    """

    said: frozenset[str] = frozenset()
    placed: set[str] = field(default_factory=set)
    pairs: set[tuple[str, str]] = field(default_factory=set)

    def place(self, noun: str, word: str) -> None:
        """Note that a word was put in the place of a noun."""
        self.placed.add(word.lower())
        self.pairs.add((noun.lower(), word.lower()))


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
        self, noun: str, tag: str, before: str, taken: Taken, rng: np.random.Generator
    ) -> Substitute | str:
        """Return a substitute drawn uniformly from what fits, or the reason why there is none.

        `before` is the word in front.
        """
        known = self.known_form(noun, tag)
        if known not in self.vocabulary.rank:
            return "not_in_vocabulary"
        fitting = self._fitting(known, tag, self._fits(noun, before, taken), taken.said)
        if fitting is None:
            recipe = self.recipe
            return "no_sound_alike" if recipe.by_sound else "no_substitute"
        if self._too_few(fitting.words, rng):
            return "few_sound_alikes"
        rank, phonetic = fitting.words[self._drawn(fitting.words, rng)]
        word = self.vocabulary.words[rank]
        if self.recipe.capitals and tag in COMMON_NOUNS:
            word = written_like(word, noun)
        return Substitute(word, rank, fitting.frame, phonetic)

    def _fitting(
        self, noun: str, tag: str, fits: Callable[[str], bool], said: frozenset[str]
    ) -> Fitting | None:
        """Return the words that fit, from where the recipe takes them."""
        if self.recipe.same_talk:
            return self._of_talk(noun, tag, fits, said)
        if self.recipe.recogniser:
            return self._misheard(noun, fits)
        by_sound = self.recipe.sound_alike
        return (self._sound_alike if by_sound else self._as_frequent)(noun, tag, fits)

    def _too_few(self, words: Sequence[FittingWord], rng: np.random.Generator) -> bool:
        """Return, by a draw, whether a noun is passed over because it has few sound-alikes."""
        if not self.recipe.by_sound or len(words) >= min(self.recipe.choices, ENOUGH_BY_SOUND):
            return False
        return float(rng.random()) * ENOUGH_BY_SOUND > len(words)

    def _drawn(self, words: Sequence[FittingWord], rng: np.random.Generator) -> int:
        """Return the index of a word: uniformly drawn, or as a recogniser would err."""
        if not self.recipe.recogniser:
            return int(rng.integers(len(words)))
        counts = np.array([self.vocabulary.counts[word.rank] for word in words], float)
        distances = np.array([word.phonetic or 0.0 for word in words])
        # a word as far again is e times less probable for every tenth; frequent words win by the
        # root of their count. Chosen by hand.
        weights = np.sqrt(counts) * np.exp(-distances * 10)
        return int(rng.choice(len(words), p=weights / weights.sum()))

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
        best: Fitting | None = None
        # a frame that must hold many words may grow further: among the most frequent words
        # there are few nouns
        tries = self.recipe.tries + (WIDENINGS if self.recipe.choices > 1 else 0)
        for _ in range(tries):
            window = vocabulary.window(rank, frame, tag)
            ranks = [r for r in window if r != rank and fits(vocabulary.words[r])]
            if ranks:
                best = Fitting(frame, [FittingWord(r) for r in ranks])
            if len(ranks) >= self.recipe.choices:
                break
            frame *= 2
        return best

    def _of_talk(
        self, noun: str, tag: str, fits: Callable[[str], bool], said: frozenset[str]
    ) -> Fitting | None:
        """Return the other words of the document that have the same tag."""
        vocabulary = self.vocabulary
        ranks = (vocabulary.rank[word] for word in sorted(said) if word in vocabulary.rank)
        same = [r for r in ranks if vocabulary.tag_of.get(vocabulary.words[r]) == tag]
        listed = set(vocabulary.by_tag.get(tag, ()))
        words = [
            FittingWord(r)
            for r in same
            if r in listed and vocabulary.words[r] != noun and fits(vocabulary.words[r])
        ]
        return Fitting(0, words) if words else None

    def _misheard(self, noun: str, fits: Callable[[str], bool]) -> Fitting | None:
        """Return nouns of any tag that sound like the noun but not exactly like it."""
        rank = self.vocabulary.rank
        near = [pair for tag in self.recipe.nouns for pair in self._near_by_sound(noun, tag)]
        words = {w: FittingWord(rank[w], d) for d, w in near if d > 0 and fits(w)}
        return Fitting(0, [words[word] for word in sorted(words)]) if words else None

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

    def _fits(self, noun: str, before: str, taken: Taken) -> Callable[[str], bool]:
        """Return the rule by which the recipe accepts a word instead of a noun."""
        recipe = self.recipe
        vowel = VOWEL_AFTER.get(before.lower()) if recipe.articles else None
        refused = taken.said if recipe.unseen and not recipe.same_talk else frozenset()

        def fits(word: str) -> bool:
            small = word.lower()
            if small in refused or (recipe.once and small in taken.placed):
                return False
            if recipe.once and (noun.lower(), small) in taken.pairs:
                return False
            if recipe.lemmas and same_noun(noun, word):
                return False
            return vowel is None or starts_with_vowel(word) == vowel

        return fits


def words_said(tokens: Sequence[str]) -> frozenset[str]:
    """Return the words of a document in lower case."""
    return frozenset(map(str.lower, set(tokens)))
