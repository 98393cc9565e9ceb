"""Made-up captions with their dependency trees, after the shapes that audio captions take.

General treebanks hold few sentences such as "a dog barking followed by a man speaking with wind
blowing in the background"; a parser trained on them alone reads such captions badly. The
annotation follows UD English EWT.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from earmark.stats.draw import stream
from earmark.tasks.captions.run import caption_words as words
from earmark.text.treebank import Tree, TreeWord

Part = tuple[str, Tree]
HEAD = "head"


def caption_trees(count: int, *, seed: int) -> Iterator[Tree]:
    """`count` made-up captions, each drawn from a generator of its own."""
    for at in range(count):
        yield Writer(stream(seed, "caption tree", at)).caption()


def build(*parts: Part) -> Tree:
    """One tree from several, in this order; all hang on the one whose relation is `head`."""
    starts = np.cumsum([0] + [len(tree) for _, tree in parts]).tolist()
    roots = [
        start + next(at for at, word in enumerate(tree) if word.head < 0)
        for start, (_, tree) in zip(starts, parts, strict=False)
    ]
    head = roots[next(at for at, (relation, _) in enumerate(parts) if relation == HEAD)]
    made: list[TreeWord] = []
    for start, (relation, tree) in zip(starts, parts, strict=False):
        for word in tree:
            made.append(_moved(word, start, relation, head))
    return tuple(made)


def _moved(word: TreeWord, start: int, relation: str, head: int) -> TreeWord:
    if word.head >= 0:
        return TreeWord(word.form, word.pos, word.tag, word.head + start, word.relation)
    if relation == HEAD:
        return word
    return TreeWord(word.form, word.pos, word.tag, head, relation)


def leaf(form: str, pos: str, tag: str) -> Tree:
    """A tree of one word."""
    return (TreeWord(form, pos, tag, -1, "root"),)


@cache
def inflect(lemma: str, tag: str) -> str:
    """The form of a word, e.g. VBZ of `fly` is `flies`."""
    from lemminflect import getInflection

    forms = getInflection(lemma, tag=tag)
    return str(forms[0]) if forms else lemma


THE, OF, AND, COMMA = (
    leaf("the", "DET", "DT"),
    leaf("of", "ADP", "IN"),
    leaf("and", "CCONJ", "CC"),
    leaf(",", "PUNCT", ","),
)


class Writer:
    """Draws phrases; each method gives one tree."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def pick(self, choices: Sequence[str]) -> str:
        """One of the words."""
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, share: float) -> bool:
        """True in that share of cases."""
        return bool(self.rng.random() < share)

    def any_of(self, *ways: tuple[float, Callable[[], Tree]]) -> Tree:
        """One of the ways, by weight."""
        weights = np.array([weight for weight, _ in ways])
        return ways[int(self.rng.choice(len(ways), p=weights / weights.sum()))][1]()

    def verb(self, tag: str, lemmas: Sequence[str] = words.ACTS) -> Tree:
        """One verb in a form; the usual ones more often."""
        usual = lemmas is words.ACTS and self.chance(0.3)
        return leaf(inflect(self.pick(words.USUAL_ACTS if usual else lemmas), tag), "VERB", tag)

    def noun(self, *, plural: bool) -> Tree:
        """A noun with what may stand before it, but no article."""
        lemma = self.pick(words.USUAL_SOURCES if self.chance(0.35) else words.SOURCES)
        tag = "NNS" if plural else "NN"
        parts: list[Part] = []
        if self.chance(0.3):
            parts.append(("amod", self.quality()))
        if self.chance(0.22):
            parts.append(("compound", leaf(self.pick(words.MODIFIERS), "NOUN", "NN")))
        form = inflect(lemma, tag) if plural else lemma
        return build(*parts, (HEAD, leaf(form, "NOUN", tag)))

    def quality(self) -> Tree:
        """An adjective, a participle in its place, or two of them."""
        if self.chance(0.25):
            return leaf(inflect(self.pick(words.ACTS), "VBG"), "VERB", "VBG")
        form = self.pick(words.QUALITIES)
        if form.endswith("ing"):
            return leaf(form, "VERB", "VBG")
        single = leaf(form, "ADJ", "JJ")
        if self.chance(0.1):
            return build(
                (HEAD, single),
                ("conj", build(("cc", AND), (HEAD, leaf(self.pick(words.QUALITIES), "ADJ", "JJ")))),
            )
        return single

    def thing(self) -> tuple[Tree, bool]:
        """A noun phrase, and whether it is plural."""
        draw = self.rng.random()
        if draw < 0.05:
            form = self.pick(("someone", "something", "somebody"))
            return leaf(form, "PRON", "NN"), False
        if draw < 0.13:
            return self.part_of(), False
        if draw < 0.2:
            return leaf(self.pick(words.PLURAL_ONLY), "NOUN", "NNS"), True
        if draw < 0.3:
            return leaf(self.pick(words.MASS), "NOUN", "NN"), False
        if draw < 0.55:
            return self.counted(), True
        article: list[Part] = [] if draw > 0.92 else [("det", self.article())]
        return build(*article, (HEAD, self.noun(plural=False))), False

    def article(self) -> Tree:
        """A, an, the or another."""
        return leaf(self.pick(("a", "a", "a", "an", "the", "another")), "DET", "DT")

    def counted(self) -> Tree:
        """Several things."""
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
        """A group of people."""
        whole = self.counted() if self.chance(0.6) else leaf(self.pick(words.MASS), "NOUN", "NN")
        head = leaf(self.pick(words.PARTS), "NOUN", "NN")
        return build(
            ("det", self.article()), (HEAD, head), ("nmod", build(("case", OF), (HEAD, whole)))
        )

    def sound_of(self) -> Tree:
        """The sound of rain falling."""
        what = self.thing()[0] if self.chance(0.5) else self.doing_noun()
        before: list[Part] = [("det", self.article())] if self.chance(0.7) else []
        if self.chance(0.3):
            before.append(("amod", self.quality()))
        head = leaf(self.pick(words.SOUND_WORDS), "NOUN", "NN")
        return build(*before, (HEAD, head), ("nmod", build(("case", OF), (HEAD, what))))

    def plain_sound(self) -> Tree:
        """A loud noise; humming; rattling noises; loud barking."""
        draw = self.rng.random()
        if draw < 0.4:
            gerund = leaf(inflect(self.pick(words.ACTS), "VBG"), "NOUN", "NN")
            before: list[Part] = [("amod", self.quality())] if self.chance(0.4) else []
            return build(*before, (HEAD, gerund))
        plural = self.chance(0.4)
        form = self.pick(("noise", "sound", "beep", "click", "bang", "thump", "tap"))
        tag = "NNS" if plural else "NN"
        head = leaf(inflect(form, tag) if plural else form, "NOUN", tag)
        article: list[Part] = [] if plural else [("det", self.article())]
        kind: Part = ("amod", self.quality())
        if self.chance(0.4):
            kind = ("compound", leaf(inflect(self.pick(words.ACTS), "VBG"), "NOUN", "NN"))
        return build(*article, kind, (HEAD, head))

    def place(self) -> Tree:
        """In the background."""
        where = leaf(self.pick(words.PLACES), "NOUN", "NN")
        article: list[Part] = [("det", self.article())] if self.chance(0.75) else []
        before = leaf(self.pick(words.BEFORE_PLACES), "ADP", "IN")
        if self.chance(0.5):
            before = leaf("in", "ADP", "IN")
            where = leaf(self.pick(("background", "distance")), "NOUN", "NN")
            article = [("det", THE)] if self.chance(0.85) else []
        elif self.chance(0.4):
            where = self.noun(plural=self.chance(0.3))
        return build(("case", before), *article, (HEAD, where))

    def tails(self, *, deep: bool = True) -> list[Part]:
        """What may follow a verb: adverbs, particles, places, times."""
        parts: list[Part] = []
        if self.chance(0.12):
            parts.append(("compound:prt", leaf(self.pick(words.PARTICLES), "ADP", "RP")))
        if self.chance(0.18):
            parts.append(self.manner())
        if self.chance(0.06):
            many = leaf(self.pick(("several", "multiple", "many", "few")), "ADJ", "JJ")
            times = build(("amod", many), (HEAD, leaf("times", "NOUN", "NNS")))
            parts.append(("obl:unmarked", times))
        if self.chance(0.03):
            other = build(
                ("case", leaf(self.pick(("to", "with")), "ADP", "IN")),
                ("det", leaf("each", "DET", "DT")),
                (HEAD, leaf("other", "ADJ", "JJ")),
            )
            parts.append(("obl", other))
        if deep and self.chance(0.3):
            parts.append(("obl", self.place()))
        return parts

    def manner(self) -> Part:
        """Loudly."""
        return ("advmod", leaf(self.pick(words.MANNERS), "ADV", "RB"))

    def predicate(self, tag: str) -> Tree:
        """A verb with what belongs to it: objects, complements, places."""
        return self.any_of(
            (0.6, lambda: build((HEAD, self.verb(tag)), *self.tails())),
            (0.06, lambda: build(self.manner(), (HEAD, self.verb(tag)), *self.tails())),
            (0.16, lambda: self.with_object(tag)),
            (0.08, lambda: self.starting(tag)),
            (0.1, lambda: self.both(tag)),
        )

    def with_object(self, tag: str) -> Tree:
        """Uses a drill."""
        verb = self.verb(tag, words.DOINGS)
        return build((HEAD, verb), ("obj", self.thing()[0]), *self.tails())

    def starting(self, tag: str) -> Tree:
        """Continues to pour; starts barking."""
        verb = self.verb(tag, words.STARTING)
        if self.chance(0.55):
            to = leaf("to", "PART", "TO")
            follow = build(("mark", to), (HEAD, self.verb("VB")), *self.tails())
        else:
            follow = build((HEAD, self.verb("VBG")), *self.tails())
        return build((HEAD, verb), ("xcomp", follow))

    def both(self, tag: str) -> Tree:
        """Talks and laughs; talks then laughs."""
        second = build(*self.joiner(), (HEAD, self.verb(tag)), *self.tails())
        return build((HEAD, self.verb(tag)), *self.tails(deep=False), ("conj", second))

    def joiner(self) -> list[Part]:
        """And; and then; then; a comma."""
        then: Part = ("advmod", leaf("then", "ADV", "RB"))
        draw = self.rng.random()
        if draw < 0.6:
            return [("cc", AND)]
        if draw < 0.75:
            return [("cc", AND), then]
        if draw < 0.85:
            return [("punct", COMMA), ("cc", AND)]
        return [then] if draw < 0.93 else [("punct", COMMA), then]

    def passive(self) -> Tree:
        """A radio is being played."""
        subject, plural = self.thing()
        be = leaf("are" if plural else "is", "AUX", "VBP" if plural else "VBZ")
        parts: list[Part] = [("nsubj:pass", subject)]
        if self.chance(0.5):
            parts += [("aux", be), ("aux:pass", leaf("being", "AUX", "VBG"))]
        else:
            parts.append(("aux:pass", be))
        parts.append((HEAD, self.verb("VBN", words.DONE)))
        if self.chance(0.25):
            by = leaf("by", "ADP", "IN")
            parts.append(("obl:agent", build(("case", by), (HEAD, self.thing()[0]))))
        return build(*parts, *self.tails())

    def clause(self) -> Tree:
        """A dog barks; a dog is barking; a radio is being played; there is a dog barking."""
        return self.any_of(
            (0.5, self.simple), (0.28, self.ongoing), (0.12, self.passive), (0.1, self.there)
        )

    def subject(self) -> tuple[Tree, bool]:
        """Who does it: one thing, or two joined by and."""
        subject, plural = self.thing()
        if not self.chance(0.12):
            return subject, plural
        other = build(("cc", AND), (HEAD, self.thing()[0]))
        return build((HEAD, subject), ("conj", other)), True

    def simple(self) -> Tree:
        """A dog barks."""
        subject, plural = self.subject()
        return build(("nsubj", subject), (HEAD, self.predicate("VBP" if plural else "VBZ")))

    def ongoing(self) -> Tree:
        """A dog is barking."""
        subject, plural = self.subject()
        be = leaf("are" if plural else "is", "AUX", "VBP" if plural else "VBZ")
        return build(("nsubj", subject), ("aux", be), (HEAD, self.predicate("VBG")))

    def there(self) -> Tree:
        """There is a dog barking."""
        be = leaf("is", "VERB", "VBZ")
        there = leaf("there", "PRON", "EX")
        return build(("expl", there), (HEAD, be), ("nsubj", self.doing_noun()))

    def doing_noun(self) -> Tree:
        """A dog barking; a dog that barks; a radio being played."""
        subject, plural = self.thing()
        draw = self.rng.random()
        if draw < 0.86:
            return build((HEAD, subject), ("acl", self.predicate("VBG")))
        if draw < 0.93:
            being = ("aux:pass", leaf("being", "AUX", "VBG"))
            return build(
                (HEAD, subject), ("acl", build(being, (HEAD, self.verb("VBN", words.DONE))))
            )
        that = ("nsubj", leaf(self.pick(("that", "which")), "PRON", "WDT"))
        verb = self.predicate("VBP" if plural else "VBZ")
        return build((HEAD, subject), ("acl:relcl", build(that, (HEAD, verb))))

    def labour(self) -> Tree:
        """Typing on a keyboard."""
        verb = self.verb("VBG")
        if self.chance(0.5):
            return build((HEAD, verb), ("obl", self.place()), *self.tails(deep=False))
        return self.with_object("VBG")

    def event(self) -> Tree:
        """One thing that is heard."""
        return self.any_of(
            (0.4, self.clause),
            (0.36, self.doing_noun),
            (0.12, self.plain_sound),
            (0.07, self.sound_of),
            (0.05, self.labour),
        )

    def named_event(self) -> Tree:
        """One thing that is heard, as a noun phrase."""
        return self.any_of((0.75, self.doing_noun), (0.15, self.plain_sound), (0.1, self.sound_of))

    def while_clause(self) -> Tree:
        """While a dog barks; as a dog barks; with birds chirping; while sleeping."""
        if self.chance(0.35):
            with_ = leaf("with", "SCONJ", "IN")
            subject = self.subject()[0]
            return build(("mark", with_), ("nsubj", subject), (HEAD, self.predicate("VBG")))
        form = self.pick(("while", "while", "as", "as", "before", "after", "when", "until"))
        mark = ("mark", leaf(form, "SCONJ", "WRB" if form == "when" else "IN"))
        if form in {"before", "after"} or self.chance(0.08):
            return build(mark, (HEAD, self.predicate("VBG")))
        return build(mark, (HEAD, self.clause()))

    def followed(self) -> Tree:
        """Followed by a dog barking."""
        by = leaf("by", "ADP", "IN")
        form = self.pick(("followed", "followed", "followed", "accompanied"))
        agent = build(("case", by), (HEAD, self.named_event()))
        return build((HEAD, leaf(form, "VERB", "VBN")), ("obl:agent", agent))

    def with_thing(self) -> Tree:
        """With a humming noise in the background."""
        noun = self.plain_sound() if self.chance(0.6) else self.thing()[0]
        return build(("case", leaf("with", "ADP", "IN")), (HEAD, noun))

    def caption(self) -> Tree:
        """One caption, capitalised in half of the cases and closed by a full stop in some."""
        tree = self.event()
        for _ in range(int(self.rng.choice(4, p=[0.3, 0.4, 0.22, 0.08]))):
            tree = self.longer(tree)
        if self.chance(0.03):
            comma: list[Part] = [("punct", COMMA)] if self.chance(0.6) else []
            tree = build(("obl", self.place()), *comma, (HEAD, tree))
        if self.chance(0.25):
            tree = build((HEAD, tree), ("punct", leaf(".", "PUNCT", ".")))
        if self.chance(0.5):
            first = tree[0]
            capital = first.form[:1].upper() + first.form[1:]
            tree = (TreeWord(capital, first.pos, first.tag, first.head, first.relation), *tree[1:])
        return tree

    def longer(self, tree: Tree) -> Tree:
        """The caption with one more part behind it."""
        is_clause = next(word.pos for word in tree if word.head < 0) in {"VERB", "AUX"}
        draw = self.rng.random()
        comma: list[Part] = [("punct", COMMA)] if self.chance(0.25) else []
        if draw < 0.36:
            second = self.clause() if is_clause else self.named_event()
            return build((HEAD, tree), ("conj", build(*self.joiner(), (HEAD, second))))
        if draw < 0.62:
            return hang(tree, build(*comma, (HEAD, self.while_clause())), "advcl")
        if draw < 0.82:
            relation = "advcl" if is_clause else "acl"
            return build((HEAD, tree), (relation, build(*comma, (HEAD, self.followed()))))
        return hang(tree, self.with_thing(), "obl")


def hang(tree: Tree, part: Tree, relation: str) -> Tree:
    """The part behind the tree: on its root, or on the participle that the root carries."""
    root = next(at for at, word in enumerate(tree) if word.head < 0)
    last = max((at for at, word in enumerate(tree) if word.head == root), default=root)
    on = last if tree[last].relation == "acl" and tree[last].tag == "VBG" else root
    if relation == "obl" and tree[on].pos == "NOUN":
        relation = "nmod"
    start = len(tree)
    moved = [_moved(word, start, relation, on) for word in part]
    return (*tree, *moved)
