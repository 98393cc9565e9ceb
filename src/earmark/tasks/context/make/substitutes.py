"""What may stand in a noun's place: words about as frequent, or words that sound like it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from earmark.tasks.context.make.recipe import Recipe
from earmark.text.frequency import Vocabulary
from earmark.text.nouns import same_noun, written_like
from earmark.text.sounds import SoundIndex, starts_with_vowel

COMMON = frozenset({"NN", "NNS", "NOUN"})
ARTICLES = {"a": False, "an": True}
Fitting = tuple[int, Sequence[tuple[int, float | None]]]


@dataclass(frozen=True, slots=True)
class Substitute:
    """A word and how it was found: in which frame of the ranks, or how far by sound."""

    word: str
    rank: int
    frame: int
    phonetic: float | None = None


@dataclass
class Shelf:
    """Where substitutes are looked up: the vocabulary and, by need, an index of sounds a tag."""

    vocabulary: Vocabulary
    recipe: Recipe
    sounds: dict[str, SoundIndex] = field(default_factory=dict)
    heard: dict[tuple[str, str], list[tuple[float, str]]] = field(default_factory=dict)

    def pick(
        self, was: str, tag: str, before: str, said: frozenset[str], draw: Any
    ) -> Substitute | str:
        """A substitute drawn uniformly from what fits, or the reason why there is none.

        `before` is the word in front, `said` the words of the document in lower case.
        """
        known = self.known_form(was, tag)
        if known not in self.vocabulary.rank:
            return "not_in_vocabulary"
        fits = self._fits(was, before, said)
        alike = self.recipe.sound_alike
        found = (self._alike if alike else self._as_frequent)(known, tag, fits)
        if found is None:
            return "no_sound_alike" if self.recipe.sound_alike else "no_substitute"
        frame, fitting = found
        rank, apart = fitting[int(draw.integers(len(fitting)))]
        chosen = Substitute(self.vocabulary.words[rank], rank, frame, apart)
        if not self.recipe.capitals:
            return chosen
        word = written_like(chosen.word, was) if tag in COMMON else chosen.word
        return Substitute(word, chosen.rank, chosen.frame, chosen.phonetic)

    def known_form(self, word: str, tag: str) -> str:
        """The form whose frequency counts: a common noun at a sentence's start is a small one."""
        small = word.lower()
        if self.recipe.capitals and tag in COMMON and small in self.vocabulary.rank:
            return small
        return word

    def _as_frequent(self, was: str, tag: str, fits: Callable[[str], bool]) -> Fitting | None:
        """Words of the appearance window; the frame doubles until one fits (stage 4)."""
        vocabulary, frame = self.vocabulary, self.recipe.frame
        rank = vocabulary.rank[was]
        for _ in range(self.recipe.tries):
            near = vocabulary.window(rank, frame, tag)
            found = [r for r in near if r != rank and fits(vocabulary.words[r])]
            if found:
                return frame, [(r, None) for r in found]
            frame *= 2
        return None

    def _alike(self, was: str, tag: str, fits: Callable[[str], bool]) -> Fitting | None:
        rank = self.vocabulary.rank
        heard = self._heard(was, tag)
        found = [(rank[word], apart) for apart, word in heard if apart > 0 and fits(word)]
        return (0, found) if found else None

    def _heard(self, was: str, tag: str) -> list[tuple[float, str]]:
        if (was, tag) not in self.heard:
            if tag not in self.sounds:
                ranks = self.vocabulary.by_tag.get(tag, ())
                self.sounds[tag] = SoundIndex(self.vocabulary.words[rank] for rank in ranks)
            near = self.sounds[tag].near(was, farthest=self.recipe.farthest)
            self.heard[was, tag] = near
        return self.heard[was, tag]

    def _fits(self, was: str, before: str, said: frozenset[str]) -> Callable[[str], bool]:
        recipe = self.recipe
        article = ARTICLES.get(before.lower()) if recipe.articles else None

        def fits(word: str) -> bool:
            if recipe.unseen and word.lower() in said:
                return False
            if recipe.lemmas and same_noun(was, word):
                return False
            return article is None or starts_with_vowel(word) == article

        return fits


def words_said(tokens: Sequence[str]) -> frozenset[str]:
    """The words of a document in lower case."""
    return frozenset(map(str.lower, set(tokens)))
