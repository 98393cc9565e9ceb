"""Made-up captions with their dependency trees, after the shapes that audio captions take.

General treebanks hold few sentences such as "a dog barking followed by a man speaking with wind
blowing in the background"; a parser trained on them alone reads such captions badly. The
annotation follows UD English EWT.
"""

from earmark.tasks.captions.train.phrases import Phrases
from earmark.tasks.captions.train.tree_parts import (
    AND,
    COMMA,
    HEAD,
    OF,
    Part,
    build,
    hang,
    leaf,
)
from earmark.text.treebank import Tree, TreeWord


class Writer:
    """Puts phrases together to events, and events to captions; each method gives one tree."""

    def __init__(self, say: Phrases) -> None:
        self.say = say

    def sound_of(self) -> Tree:
        """Draw a phrase such as "the sound of rain falling"."""
        what = self.say.thing()[0] if self.say.happens(0.5) else self.doing_noun()
        before: list[Part] = [("det", self.say.article())] if self.say.happens(0.7) else []
        if self.say.happens(0.3):
            before.append(("amod", self.say.quality()))
        head = leaf(self.say.pick(self.say.words.SOUND_WORDS), "NOUN", "NN")
        return build(*before, (HEAD, head), ("nmod", build(("case", OF), (HEAD, what))))

    def predicate(self, tag: str) -> Tree:
        """Draw a verb with its objects, complements and places."""
        return self.say.any_of(
            (0.6, lambda: build((HEAD, self.say.verb(tag)), *self.say.tails())),
            (0.06, lambda: build(self.say.manner(), (HEAD, self.say.verb(tag)), *self.say.tails())),
            (0.16, lambda: self.with_object(tag)),
            (0.08, lambda: self.starting(tag)),
            (0.1, lambda: self.both(tag)),
        )

    def with_object(self, tag: str) -> Tree:
        """Draw a phrase such as "uses a drill"."""
        verb = self.say.verb(tag, self.say.words.DOINGS)
        return build((HEAD, verb), ("obj", self.say.thing()[0]), *self.say.tails())

    def starting(self, tag: str) -> Tree:
        """Draw a phrase such as "continues to pour; starts barking"."""
        verb = self.say.verb(tag, self.say.words.STARTING)
        if self.say.happens(0.55):
            to = leaf("to", "PART", "TO")
            follow = build(("mark", to), (HEAD, self.say.verb("VB")), *self.say.tails())
        else:
            follow = build((HEAD, self.say.verb("VBG")), *self.say.tails())
        return build((HEAD, verb), ("xcomp", follow))

    def both(self, tag: str) -> Tree:
        """Draw a phrase such as "talks and laughs; talks then laughs"."""
        second = build(*self.joiner(), (HEAD, self.say.verb(tag)), *self.say.tails())
        return build((HEAD, self.say.verb(tag)), *self.say.tails(deep=False), ("conj", second))

    def joiner(self) -> list[Part]:
        """Draw what joins two events: and; and then; then; a comma."""
        then: Part = ("advmod", leaf("then", "ADV", "RB"))
        draw = self.say.rng.random()
        if draw < 0.6:
            return [("cc", AND)]
        if draw < 0.75:
            return [("cc", AND), then]
        if draw < 0.85:
            return [("punct", COMMA), ("cc", AND)]
        return [then] if draw < 0.93 else [("punct", COMMA), then]

    def passive(self) -> Tree:
        """Draw a phrase such as "a radio is being played"."""
        subject, plural = self.say.thing()
        be = leaf("are" if plural else "is", "AUX", "VBP" if plural else "VBZ")
        parts: list[Part] = [("nsubj:pass", subject)]
        if self.say.happens(0.5):
            parts += [("aux", be), ("aux:pass", leaf("being", "AUX", "VBG"))]
        else:
            parts.append(("aux:pass", be))
        parts.append((HEAD, self.say.verb("VBN", self.say.words.DONE)))
        if self.say.happens(0.25):
            by = leaf("by", "ADP", "IN")
            parts.append(("obl:agent", build(("case", by), (HEAD, self.say.thing()[0]))))
        return build(*parts, *self.say.tails())

    def clause(self) -> Tree:
        """Draw a clause such as "a dog barks; a radio is being played; there is a dog barking"."""
        return self.say.any_of(
            (0.5, self.simple), (0.28, self.ongoing), (0.12, self.passive), (0.1, self.there)
        )

    def subject(self) -> tuple[Tree, bool]:
        """Draw a subject: one thing, or two joined by and; return whether it is plural."""
        subject, plural = self.say.thing()
        if not self.say.happens(0.12):
            return subject, plural
        other = build(("cc", AND), (HEAD, self.say.thing()[0]))
        return build((HEAD, subject), ("conj", other)), True

    def simple(self) -> Tree:
        """Draw a phrase such as "a dog barks"."""
        subject, plural = self.subject()
        return build(("nsubj", subject), (HEAD, self.predicate("VBP" if plural else "VBZ")))

    def ongoing(self) -> Tree:
        """Draw a phrase such as "a dog is barking"."""
        subject, plural = self.subject()
        be = leaf("are" if plural else "is", "AUX", "VBP" if plural else "VBZ")
        return build(("nsubj", subject), ("aux", be), (HEAD, self.predicate("VBG")))

    def there(self) -> Tree:
        """Draw a phrase such as "there is a dog barking"."""
        be = leaf("is", "VERB", "VBZ")
        there = leaf("there", "PRON", "EX")
        return build(("expl", there), (HEAD, be), ("nsubj", self.doing_noun()))

    def doing_noun(self) -> Tree:
        """Draw a phrase such as "a dog barking; a dog that barks; a radio being played"."""
        subject, plural = self.say.thing()
        draw = self.say.rng.random()
        if draw < 0.86:
            return build((HEAD, subject), ("acl", self.predicate("VBG")))
        if draw < 0.93:
            being = ("aux:pass", leaf("being", "AUX", "VBG"))
            return build(
                (HEAD, subject),
                ("acl", build(being, (HEAD, self.say.verb("VBN", self.say.words.DONE)))),
            )
        that = ("nsubj", leaf(self.say.pick(("that", "which")), "PRON", "WDT"))
        verb = self.predicate("VBP" if plural else "VBZ")
        return build((HEAD, subject), ("acl:relcl", build(that, (HEAD, verb))))

    def labour(self) -> Tree:
        """Draw a phrase such as "typing on a keyboard"."""
        verb = self.say.verb("VBG")
        if self.say.happens(0.5):
            return build((HEAD, verb), ("obl", self.say.place()), *self.say.tails(deep=False))
        return self.with_object("VBG")

    def event(self) -> Tree:
        """Draw one sound event."""
        return self.say.any_of(
            (0.4, self.clause),
            (0.36, self.doing_noun),
            (0.12, self.say.plain_sound),
            (0.07, self.sound_of),
            (0.05, self.labour),
        )

    def named_event(self) -> Tree:
        """Draw one sound event as a noun phrase."""
        return self.say.any_of(
            (0.75, self.doing_noun), (0.15, self.say.plain_sound), (0.1, self.sound_of)
        )

    def while_clause(self) -> Tree:
        """Draw a phrase such as "while a dog barks; with birds chirping; while sleeping"."""
        if self.say.happens(0.35):
            with_ = leaf("with", "SCONJ", "IN")
            subject = self.subject()[0]
            return build(("mark", with_), ("nsubj", subject), (HEAD, self.predicate("VBG")))
        form = self.say.pick(("while", "while", "as", "as", "before", "after", "when", "until"))
        mark = ("mark", leaf(form, "SCONJ", "WRB" if form == "when" else "IN"))
        if form in {"before", "after"} or self.say.happens(0.08):
            return build(mark, (HEAD, self.predicate("VBG")))
        return build(mark, (HEAD, self.clause()))

    def followed(self) -> Tree:
        """Draw a phrase such as "followed by a dog barking"."""
        by = leaf("by", "ADP", "IN")
        form = self.say.pick(("followed", "followed", "followed", "accompanied"))
        agent = build(("case", by), (HEAD, self.named_event()))
        return build((HEAD, leaf(form, "VERB", "VBN")), ("obl:agent", agent))

    def with_thing(self) -> Tree:
        """Draw a phrase such as "with a humming noise in the background"."""
        noun = self.say.plain_sound() if self.say.happens(0.6) else self.say.thing()[0]
        return build(("case", leaf("with", "ADP", "IN")), (HEAD, noun))

    def caption(self) -> Tree:
        """Draw a caption of one to four events, as it may be written."""
        return self.finished(self.events())

    def events(self) -> Tree:
        """Draw a caption of one to four events."""
        tree = self.event()
        for _ in range(int(self.say.rng.choice(4, p=[0.3, 0.4, 0.22, 0.08]))):
            tree = self.longer(tree)
        if self.say.happens(0.03):
            comma: list[Part] = [("punct", COMMA)] if self.say.happens(0.6) else []
            tree = build(("obl", self.say.place()), *comma, (HEAD, tree))
        return tree

    def finished(self, tree: Tree) -> Tree:
        """Return the caption, capitalised in half of the cases, with a full stop in some."""
        if self.say.happens(0.25):
            tree = build((HEAD, tree), ("punct", leaf(".", "PUNCT", ".")))
        if self.say.happens(0.5):
            first = tree[0]
            capital = first.form[:1].upper() + first.form[1:]
            tree = (TreeWord(capital, first.pos, first.tag, first.head, first.relation), *tree[1:])
        return tree

    def longer(self, tree: Tree) -> Tree:
        """Return the caption with one more part after it."""
        is_clause = next(word.pos for word in tree if word.head < 0) in {"VERB", "AUX"}
        draw = self.say.rng.random()
        comma: list[Part] = [("punct", COMMA)] if self.say.happens(0.25) else []
        if draw < 0.36:
            second = self.clause() if is_clause else self.named_event()
            return build((HEAD, tree), ("conj", build(*self.joiner(), (HEAD, second))))
        if draw < 0.62:
            return hang(tree, build(*comma, (HEAD, self.while_clause())), "advcl")
        if draw < 0.82:
            relation = "advcl" if is_clause else "acl"
            return build((HEAD, tree), (relation, build(*comma, (HEAD, self.followed()))))
        return hang(tree, self.with_thing(), "obl")
