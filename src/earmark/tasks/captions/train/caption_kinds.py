"""Kinds of made-up captions: people and data sets write captions in different ways.

A parser that has seen one way alone reads the others badly, so several are mixed; how much each is
needed is measured by leaving it out (README).
"""

from collections.abc import Callable, Collection, Iterator, Mapping

import numpy as np

from earmark.stats.draw import stream
from earmark.tasks.captions.train import wider_words as words
from earmark.tasks.captions.train.caption_trees import Writer
from earmark.tasks.captions.train.phrases import Phrases
from earmark.tasks.captions.train.scenes import SceneWriter, by_agent
from earmark.tasks.captions.train.tree_parts import (
    AND,
    COMMA,
    HEAD,
    OF,
    Part,
    build,
    inflect,
    leaf,
)
from earmark.tasks.captions.train.wider_phrases import WiderPhrases
from earmark.text.treebank import Tree, TreeWord
from earmark.values.errors import InputError

USUAL = "events"  # as most captions of AudioCaps are; what the shipped parser learned


def caption_trees(count: int, *, seed: int, kinds: Collection[str] = (USUAL,)) -> Iterator[Tree]:
    """Yield `count` made-up captions of these kinds, each drawn from a generator of its own.

    Raise InputError for a kind that there is not.
    """
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown or not kinds:
        got = ", ".join(unknown) or "none"
        raise InputError("there is no such kind of caption", got=got, want=", ".join(KINDS))
    names = [kind for kind in KINDS if kind in kinds]
    total = sum(KINDS[kind][0] for kind in names)
    shares = [KINDS[kind][0] / total for kind in names]
    for index in range(count):
        chosen = stream(seed, "caption kind", index).choice(len(names), p=shares)
        yield _draw(names[int(chosen)], stream(seed, "caption tree", index))


def _draw(kind: str, rng: np.random.Generator) -> Tree:
    if kind == USUAL:
        return Writer(Phrases(rng)).caption()
    writer = KindWriter(WiderPhrases(rng))
    return writer.finished(KINDS[kind][1](writer))


class KindWriter(SceneWriter):
    """Writes captions of several kinds."""

    def __init__(self, say: WiderPhrases) -> None:
        super().__init__(say)
        self.noises = say

    # Lists and headlines

    def tags(self) -> Tree:
        """Draw a list: dog barking, speech, traffic noise."""
        size = int(self.say.rng.integers(1, 6))
        entries = [self.tag() for _ in range(size)]
        parts: list[Part] = [(HEAD, entries[0])]
        for number, entry in enumerate(entries[1:], 1):
            last = number == size - 1
            joins: list[Part] = [("cc", AND)] if last and self.say.happens(0.5) else []
            if not joins or self.say.happens(0.4):
                joins.insert(0, ("punct", COMMA))
            parts.append(("conj", build(*joins, (HEAD, entry))))
        return build(*parts)

    def tag(self) -> Tree:
        """Draw one entry of a list: speech; traffic noise; dog barking; loud bangs."""
        bare = self.say.noun(plural=self.say.happens(0.3))
        return self.say.any_of(
            (0.4, lambda: bare),
            (0.25, lambda: build((HEAD, bare), ("acl", self.say.verb("VBG")))),
            (0.2, self.named_noise),
            (0.15, lambda: leaf(self.say.pick(words.MASS), "NOUN", "NN")),
        )

    def headline(self) -> Tree:
        """Draw a caption without articles: man speaking to crowd."""
        tree = self.say.any_of((0.6, self.events), (0.2, self.clause), (0.2, self.named_with_place))
        return _without_articles(tree)

    def named_with_place(self) -> Tree:
        """Draw a phrase such as "church bells in the distance"."""
        return build((HEAD, self.say.thing()[0]), ("nmod", self.say.place()))

    # One thing after another

    def chain(self) -> Tree:
        """Draw a caption such as "a bang, then a dog barks, followed by laughter and a splash"."""
        is_clause = self.say.happens(0.6)
        tree = self.clause() if is_clause else self.named_noise()
        for _ in range(int(self.say.rng.integers(1, 4))):
            comma: list[Part] = [("punct", COMMA)] if self.say.happens(0.3) else []
            if self.say.happens(0.5):
                agent = self.named_noise() if self.say.happens(0.5) else self.named_event()
                followed = build(
                    (HEAD, leaf("followed", "VERB", "VBN")), ("obl:agent", by_agent(agent))
                )
                part = build(*comma, (HEAD, followed))
                tree = build((HEAD, tree), ("advcl" if is_clause else "acl", part))
                continue
            second = self.clause() if is_clause else self.named_noise()
            tree = build((HEAD, tree), ("conj", build(*self.joiner(), (HEAD, second))))
        return tree

    # Doings without a doer

    def gerunds(self) -> Tree:
        """Draw a caption such as "loud clicking and cracking; typing on a keyboard with a hum"."""
        tree = self.say.any_of((0.6, self.gerund_noun), (0.4, self.labour))
        is_noun = next(word.pos for word in tree if word.head < 0) == "NOUN"
        draw = self.say.rng.random()
        if draw < 0.4:
            second = self.gerund_noun() if is_noun else self.labour()
            return build((HEAD, tree), ("conj", build(*self.joiner(), (HEAD, second))))
        if draw < 0.6:
            followed = leaf("followed", "VERB", "VBN")
            agent = self.gerund_noun() if self.say.happens(0.6) else self.named_event()
            part = build((HEAD, followed), ("obl:agent", by_agent(agent)))
            return build((HEAD, tree), ("acl" if is_noun else "advcl", part))
        if draw < 0.8:
            case = ("case", leaf("with", "ADP", "IN"))
            other = build(case, (HEAD, self.gerund_noun()))
            return build((HEAD, tree), ("nmod" if is_noun else "obl", other))
        return tree

    def gerund_noun(self) -> Tree:
        """Draw a phrase such as "some light rustling; the barking of dogs; tapping on wood"."""
        before: list[Part] = []
        if self.say.happens(0.3):
            form = self.say.pick(("some", "the", "a"))
            before.append(("det", leaf(form, "DET", "DT")))
        if self.say.happens(0.4):
            before.append(("amod", self.say.quality()))
        elif self.say.happens(0.2):
            before.append(("compound", leaf(self.say.pick(words.MODIFIERS), "NOUN", "NN")))
        after: list[Part] = []
        if self.say.happens(0.2):
            after = [("nmod", build(("case", OF), (HEAD, self.say.thing()[0])))]
        elif self.say.happens(0.2):
            after = [("nmod", self.say.place())]
        gerund = leaf(inflect(self.say.pick(words.ACTS), "VBG"), "NOUN", "NN")
        return build(*before, (HEAD, gerund), *after)

    # Words that are nouns and verbs

    def noun_or_verb(self) -> Tree:
        """Draw a caption such as "a pop occurs and balloons pop; a crow crows"."""
        tree = self.named_or_done()
        for _ in range(int(self.say.rng.integers(0, 3))):
            if self.say.happens(0.3):
                mark = ("mark", leaf(self.say.pick(("as", "while", "as")), "SCONJ", "IN"))
                tree = build((HEAD, tree), ("advcl", build(mark, (HEAD, self.named_or_done()))))
                continue
            second = self.named_or_done()
            tree = build((HEAD, tree), ("conj", build(*self.joiner(), (HEAD, second))))
        return tree

    def named_or_done(self) -> Tree:
        """Draw a clause whose subject, verb or both could be the other."""
        plural = self.say.happens(0.4)
        tag = "VBP" if plural else "VBZ"
        if self.say.happens(0.45):
            subject = self.noises.noise(plural=plural)
            verb = self.say.verb(tag, words.HAPPENING)
        else:
            subject, plural = self.say.thing()
            verb = self.say.verb("VBP" if plural else "VBZ", words.NOUN_OR_VERB)
        parts: list[Part] = [("nsubj", subject), (HEAD, verb), *self.say.tails()]
        if self.say.happens(0.25):
            again = self.say.verb("VBP" if plural else "VBZ", words.NOUN_OR_VERB)
            second = build(*self.joiner(), (HEAD, again), *self.say.tails())
            parts.append(("conj", second))
        return build(*parts)

    def named_noise(self) -> Tree:
        """Draw a noise named by its noun: a loud pop; several clicks; a dog bark."""
        return self.noises.noise(plural=self.say.happens(0.35))


def _without_articles(tree: Tree) -> Tree:
    """Return the tree without a, an and the."""
    rest = [k for k, word in enumerate(tree) if word.form not in {"a", "an", "the"}]
    if not rest or any(tree[k].head >= 0 and tree[k].head not in rest for k in rest):
        return tree
    new = {old: index for index, old in enumerate(rest)}
    return tuple(
        TreeWord(w.form, w.pos, w.tag, new.get(w.head, -1), w.relation)
        for w in (tree[k] for k in rest)
    )


# How often each kind is drawn, by hand: more than a third as most captions of AudioCaps are.
KINDS: Mapping[str, tuple[float, Callable[[KindWriter], Tree]]] = {
    USUAL: (0.18, KindWriter.events),
    "wider": (0.18, KindWriter.events),
    "description": (0.16, KindWriter.description),
    "tags": (0.06, KindWriter.tags),
    "headline": (0.08, KindWriter.headline),
    "chain": (0.09, KindWriter.chain),
    "passives": (0.07, KindWriter.passives),
    "gerunds": (0.08, KindWriter.gerunds),
    "noun or verb": (0.10, KindWriter.noun_or_verb),
}
