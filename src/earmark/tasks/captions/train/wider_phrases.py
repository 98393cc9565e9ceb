"""Phrases with more words and more ways: two adverbs, a few things, noises by their nouns."""

import numpy as np

from earmark.tasks.captions.train import wider_words as words
from earmark.tasks.captions.train.phrases import Phrases
from earmark.tasks.captions.train.tree_parts import AND, HEAD, Part, build, inflect, leaf
from earmark.text.treebank import Tree


class WiderPhrases(Phrases):
    """Draws phrases with more words, and more ways of putting them."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng, words)

    def manner(self) -> Part:
        """Draw a phrase such as "loudly; loudly and quickly; back and forth"."""
        draw = self.rng.random()
        if draw < 0.08:
            first, _, second = self.pick(words.SET_ADVERBS).split()
            return _two_adverbs(first, second)
        if draw < 0.16:
            return _two_adverbs(self.pick(words.MANNERS), self.pick(words.MANNERS))
        return super().manner()

    def counted(self) -> Tree:
        """Draw several things, or a few."""
        if self.happens(0.9):
            return super().counted()
        few = ("amod", leaf("few", "ADJ", "JJ"))
        return build(("det", leaf("a", "DET", "DT")), few, (HEAD, self.noun(plural=True)))

    def plain_sound(self) -> Tree:
        """Draw a noise as its verb or its noun names it: humming; loud clicks; a bang."""
        if self.happens(0.75):
            return super().plain_sound()
        return self.noise(plural=self.happens(0.4))

    def noise(self, *, plural: bool) -> Tree:
        """Draw a phrase such as "a loud pop; several clicks; a dog bark"."""
        tag = "NNS" if plural else "NN"
        before: list[Part] = []
        if not plural:
            before.append(("det", leaf(self.pick(("a", "a", "the", "another")), "DET", "DT")))
        elif self.happens(0.5):
            many = leaf(self.pick(("several", "many", "multiple")), "ADJ", "JJ")
            before.append(("amod", many))
        if self.happens(0.4):
            before.append(("amod", self.quality()))
        if not plural and self.happens(0.25):
            before.append(("compound", leaf(self.pick(words.MODIFIERS), "NOUN", "NN")))
        head = inflect(self.pick(words.NOUN_OR_VERB), tag)
        return build(*before, (HEAD, leaf(head, "NOUN", tag)))


def _two_adverbs(first: str, second: str) -> Part:
    other = build(("cc", AND), (HEAD, leaf(second, "ADV", "RB")))
    return ("advmod", build((HEAD, leaf(first, "ADV", "RB")), ("conj", other)))
