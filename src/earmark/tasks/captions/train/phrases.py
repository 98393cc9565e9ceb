"""Phrases of made-up captions: nouns, verbs, places, manners, each a tree drawn at random."""

from collections.abc import Callable, Sequence
from types import ModuleType

import numpy as np

from earmark.tasks.captions.train import caption_words
from earmark.tasks.captions.train.tree_parts import AND, HEAD, OF, THE, Part, build, inflect, leaf
from earmark.text.treebank import Tree


class Phrases:
    """Draws phrases; each method gives one tree."""

    def __init__(self, rng: np.random.Generator, words: ModuleType = caption_words) -> None:
        self.rng = rng
        self.words = words

    def pick(self, choices: Sequence[str]) -> str:
        """Draw one of the self.words."""
        return choices[int(self.rng.integers(len(choices)))]

    def happens(self, probability: float) -> bool:
        """Return True with that probability."""
        return bool(self.rng.random() < probability)

    def any_of(self, *ways: tuple[float, Callable[[], Tree]]) -> Tree:
        """Draw one of the ways, by weight, and follow it."""
        weights = np.array([weight for weight, _ in ways])
        return ways[int(self.rng.choice(len(ways), p=weights / weights.sum()))][1]()

    def verb(self, tag: str, lemmas: Sequence[str] | None = None) -> Tree:
        """Draw a verb in a form; the usual ones more often."""
        usual = lemmas is None and self.happens(0.3)
        lemmas = lemmas or self.words.ACTS
        return leaf(
            inflect(self.pick(self.words.USUAL_ACTS if usual else lemmas), tag), "VERB", tag
        )

    def noun(self, *, plural: bool) -> Tree:
        """Draw a noun with its modifiers, without an article."""
        lemma = self.pick(self.words.USUAL_SOURCES if self.happens(0.35) else self.words.SOURCES)
        tag = "NNS" if plural else "NN"
        parts: list[Part] = []
        if self.happens(0.3):
            parts.append(("amod", self.quality()))
        if self.happens(0.22):
            parts.append(("compound", leaf(self.pick(self.words.MODIFIERS), "NOUN", "NN")))
        form = inflect(lemma, tag) if plural else lemma
        return build(*parts, (HEAD, leaf(form, "NOUN", tag)))

    def quality(self) -> Tree:
        """Draw an adjective, a participle in its place, or two of them."""
        if self.happens(0.25):
            return leaf(inflect(self.pick(self.words.ACTS), "VBG"), "VERB", "VBG")
        form = self.pick(self.words.QUALITIES)
        if form.endswith("ing"):
            return leaf(form, "VERB", "VBG")
        single = leaf(form, "ADJ", "JJ")
        if self.happens(0.1):
            return build(
                (HEAD, single),
                (
                    "conj",
                    build(("cc", AND), (HEAD, leaf(self.pick(self.words.QUALITIES), "ADJ", "JJ"))),
                ),
            )
        return single

    def thing(self) -> tuple[Tree, bool]:
        """Draw a noun phrase; return it and whether it is plural."""
        draw = self.rng.random()
        if draw < 0.05:
            form = self.pick(("someone", "something", "somebody"))
            return leaf(form, "PRON", "NN"), False
        if draw < 0.13:
            return self.part_of(), False
        if draw < 0.2:
            return leaf(self.pick(self.words.PLURAL_ONLY), "NOUN", "NNS"), True
        if draw < 0.3:
            return leaf(self.pick(self.words.MASS), "NOUN", "NN"), False
        if draw < 0.55:
            return self.counted(), True
        article: list[Part] = [] if draw > 0.92 else [("det", self.article())]
        return build(*article, (HEAD, self.noun(plural=False))), False

    def article(self) -> Tree:
        """Draw a, an, the or another."""
        return leaf(self.pick(("a", "a", "a", "an", "the", "another")), "DET", "DT")

    def counted(self) -> Tree:
        """Draw several things."""
        form = self.pick(("two", "three", "several", "many", "some", "multiple", "the", "", "", ""))
        before: list[Part] = []
        if form in {"two", "three"}:
            before = [("nummod", leaf(form, "NUM", "CD"))]
        elif form in {"several", "many", "multiple"}:
            before = [("amod", leaf(form, "ADJ", "JJ"))]
        elif form:
            before = [("det", leaf(form, "DET", "DT"))]
        return build(*before, (HEAD, self.noun(plural=True)))

    def part_of(self) -> Tree:
        """Draw a phrase such as "a group of people"."""
        whole = (
            self.counted() if self.happens(0.6) else leaf(self.pick(self.words.MASS), "NOUN", "NN")
        )
        head = leaf(self.pick(self.words.PARTS), "NOUN", "NN")
        return build(
            ("det", self.article()), (HEAD, head), ("nmod", build(("case", OF), (HEAD, whole)))
        )

    def plain_sound(self) -> Tree:
        """Draw a phrase such as "a loud noise; humming; rattling noises; loud barking"."""
        draw = self.rng.random()
        if draw < 0.4:
            gerund = leaf(inflect(self.pick(self.words.ACTS), "VBG"), "NOUN", "NN")
            before: list[Part] = [("amod", self.quality())] if self.happens(0.4) else []
            return build(*before, (HEAD, gerund))
        plural = self.happens(0.4)
        form = self.pick(("noise", "sound", "beep", "click", "bang", "thump", "tap"))
        tag = "NNS" if plural else "NN"
        head = leaf(inflect(form, tag) if plural else form, "NOUN", tag)
        article: list[Part] = [] if plural else [("det", self.article())]
        kind: Part = ("amod", self.quality())
        if self.happens(0.4):
            kind = ("compound", leaf(inflect(self.pick(self.words.ACTS), "VBG"), "NOUN", "NN"))
        return build(*article, kind, (HEAD, head))

    def place(self) -> Tree:
        """Draw a phrase such as "in the background"."""
        where = leaf(self.pick(self.words.PLACES), "NOUN", "NN")
        article: list[Part] = [("det", self.article())] if self.happens(0.75) else []
        before = leaf(self.pick(self.words.BEFORE_PLACES), "ADP", "IN")
        if self.happens(0.5):
            before = leaf("in", "ADP", "IN")
            where = leaf(self.pick(("background", "distance")), "NOUN", "NN")
            article = [("det", THE)] if self.happens(0.85) else []
        elif self.happens(0.4):
            where = self.noun(plural=self.happens(0.3))
        return build(("case", before), *article, (HEAD, where))

    def tails(self, *, deep: bool = True) -> list[Part]:
        """Draw what may follow a verb: adverbs, particles, places, times."""
        parts: list[Part] = []
        if self.happens(0.12):
            parts.append(("compound:prt", leaf(self.pick(self.words.PARTICLES), "ADP", "RP")))
        if self.happens(0.18):
            parts.append(self.manner())
        if self.happens(0.06):
            many = leaf(self.pick(("several", "multiple", "many", "few")), "ADJ", "JJ")
            times = build(("amod", many), (HEAD, leaf("times", "NOUN", "NNS")))
            parts.append(("obl:unmarked", times))
        if self.happens(0.03):
            other = build(
                ("case", leaf(self.pick(("to", "with")), "ADP", "IN")),
                ("det", leaf("each", "DET", "DT")),
                (HEAD, leaf("other", "ADJ", "JJ")),
            )
            parts.append(("obl", other))
        if deep and self.happens(0.3):
            parts.append(("obl", self.place()))
        return parts

    def manner(self) -> Part:
        """Draw a phrase such as "loudly"."""
        return ("advmod", leaf(self.pick(self.words.MANNERS), "ADV", "RB"))
