"""Long descriptions of scenes, and what is done and heard: two kinds of made-up captions."""

from earmark.tasks.captions.train import wider_words as words
from earmark.tasks.captions.train.caption_trees import Writer
from earmark.tasks.captions.train.tree_parts import AND, COMMA, HEAD, OF, THE, Part, build, leaf
from earmark.text.treebank import Tree


class SceneWriter(Writer):
    """Writes long descriptions, and captions in the passive voice."""

    def description(self) -> Tree:
        """Draw a long sentence about a scene, as people write who have heard it several times."""
        tree = self.say.any_of(
            (0.5, self.narrated), (0.15, self.being), (0.15, self.growing), (0.2, self.clause)
        )
        for _ in range(int(self.say.rng.choice(3, p=[0.4, 0.4, 0.2]))):
            tree = build((HEAD, tree), ("obl", self.circumstance()))
        if self.say.happens(0.25):
            tree = build((HEAD, tree), ("advcl", self.while_clause()))
        elif self.say.happens(0.2):
            second = self.say.any_of((0.6, self.narrated), (0.4, self.being))
            tree = build((HEAD, tree), ("conj", build(*self.joiner(), (HEAD, second))))
        if self.say.happens(0.15):
            comma: list[Part] = [("punct", COMMA)] if self.say.happens(0.7) else []
            if self.say.happens(0.5):
                return build(("obl", self.circumstance()), *comma, (HEAD, tree))
            return build(("advcl", self.while_clause()), *comma, (HEAD, tree))
        return tree

    def with_thing(self) -> Tree:
        """Draw a phrase such as "with a humming noise in the background; along with a dog"."""
        noun = self.say.plain_sound() if self.say.happens(0.6) else self.say.thing()[0]
        where: list[Part] = [("nmod", self.say.place())] if self.say.happens(0.35) else []
        along: list[Part] = [("case", leaf("along", "ADP", "IN"))] if self.say.happens(0.1) else []
        return build(*along, ("case", leaf("with", "ADP", "IN")), (HEAD, noun), *where)

    def circumstance(self) -> Tree:
        """Draw a phrase such as "at a steady pace; with a hammer; along the shore of a lake"."""
        draw = self.say.rng.random()
        if draw < 0.2:
            case = ("case", leaf(self.say.pick(("at", "in", "with")), "ADP", "IN"))
            pace = leaf(self.say.pick(words.PACES), "NOUN", "NN")
            article = ("det", leaf("a", "DET", "DT"))
            return build(case, article, ("amod", self.say.quality()), (HEAD, pace))
        if draw < 0.32:
            return build(("case", leaf("with", "ADP", "IN")), (HEAD, self.say.thing()[0]))
        if draw < 0.5:
            case = ("case", leaf(self.say.pick(words.BEFORE_PLACES), "ADP", "IN"))
            return build(case, (HEAD, self.part_of_thing()))
        if draw < 0.58:  # "over water moving"
            case = ("case", leaf(self.say.pick(("over", "to", "near", "from", "by")), "ADP", "IN"))
            return build(case, (HEAD, self.doing_noun()))
        return self.say.place()

    def part_of_thing(self) -> Tree:
        """Draw a phrase such as "the roof of a car"."""
        whole = build(("case", OF), (HEAD, self.say.thing()[0]))
        part = leaf(self.say.pick(words.PLACES), "NOUN", "NN")
        return build(("det", THE), (HEAD, part), ("nmod", whole))

    def placed_subject(self) -> tuple[Tree, bool]:
        """Draw a subject, some with a place of their own: birds in the trees."""
        subject, plural = self.subject()
        if self.say.happens(0.15):
            return build((HEAD, subject), ("nmod", self.say.place())), plural
        return subject, plural

    def narrated(self) -> Tree:
        """Draw a phrase such as "a man was walking; birds in the trees sang"."""
        subject, plural = self.placed_subject()
        draw = self.say.rng.random()
        if draw < 0.15:
            return build(("nsubj", subject), (HEAD, self.predicate("VBD")))
        if draw < 0.4:
            be = leaf("were" if plural else "was", "AUX", "VBD")
        elif draw < 0.65:
            be = leaf("are" if plural else "is", "AUX", "VBP" if plural else "VBZ")
        else:
            return build(("nsubj", subject), (HEAD, self.predicate("VBP" if plural else "VBZ")))
        return build(("nsubj", subject), ("aux", be), (HEAD, self.predicate("VBG")))

    def being(self) -> Tree:
        """Draw a phrase such as "the wind is loud and constant"."""
        subject, plural = self.placed_subject()
        be = ("cop", leaf("are" if plural else "is", "AUX", "VBP" if plural else "VBZ"))
        quality = leaf(self.say.pick(words.QUALITIES[:20]), "ADJ", "JJ")
        if self.say.happens(0.25):
            other = leaf(self.say.pick(words.QUALITIES[:20]), "ADJ", "JJ")
            quality = build((HEAD, quality), ("conj", build(("cc", AND), (HEAD, other))))
        return build(("nsubj", subject), be, (HEAD, quality))

    def growing(self) -> Tree:
        """Draw a phrase such as "a siren gets louder and louder; it is getting closer"."""
        subject, plural = self.subject()
        before: list[Part] = [("nsubj", subject)]
        tag = "VBP" if plural else "VBZ"
        if self.say.happens(0.4):
            before.append(("aux", leaf("are" if plural else "is", "AUX", tag)))
            tag = "VBG"
        quality = leaf(more := self.say.pick(words.MORE), "ADJ", _degree(more))
        if self.say.happens(0.35):
            second = more if self.say.happens(0.5) else self.say.pick(words.MORE)
            other = build(*self.joiner(), (HEAD, leaf(second, "ADJ", _degree(second))))
            quality = build((HEAD, quality), ("conj", other))
        return build(*before, (HEAD, self.say.verb(tag, words.GROWING)), ("xcomp", quality))

    def passives(self) -> Tree:
        """Draw a caption such as "a door is opened and closed; sirens can be heard outside"."""
        tree = self.say.any_of((0.45, self.perceived), (0.3, self.passive), (0.25, self.done_twice))
        if self.say.happens(0.4):
            second = self.say.any_of((0.4, self.perceived), (0.3, self.passive), (0.3, self.clause))
            tree = build((HEAD, tree), ("conj", build(*self.joiner(), (HEAD, second))))
        elif self.say.happens(0.4):
            tree = build((HEAD, tree), ("advcl", self.while_clause()))
        return tree

    def perceived(self) -> Tree:
        """Draw a phrase such as "sirens can be heard; a dog is heard barking"."""
        subject, plural = self.say.thing()
        be = leaf("are" if plural else "is", "AUX", "VBP" if plural else "VBZ")
        helpers: list[Part] = [("aux:pass", be)]
        if self.say.happens(0.4):
            can = leaf("can", "AUX", "MD")
            helpers = [("aux", can), ("aux:pass", leaf("be", "AUX", "VB"))]
        parts: list[Part] = [("nsubj:pass", subject), *helpers]
        parts.append((HEAD, self.say.verb("VBN", words.PERCEIVED)))
        if self.say.happens(0.35):
            parts.append(("xcomp", build((HEAD, self.say.verb("VBG")), *self.say.tails())))
        return build(*parts, *self.say.tails())

    def done_twice(self) -> Tree:
        """Draw a phrase such as "a door is being opened and closed by a man"."""
        subject, plural = self.say.thing()
        be = leaf("are" if plural else "is", "AUX", "VBP" if plural else "VBZ")
        helpers: list[Part] = [("aux:pass", be)]
        if self.say.happens(0.5):
            helpers = [("aux", be), ("aux:pass", leaf("being", "AUX", "VBG"))]
        by: list[Part] = []
        if self.say.happens(0.3):
            by = [("obl:agent", by_agent(self.say.thing()[0]))]
        second = build(("cc", AND), (HEAD, self.say.verb("VBN", words.DONE)), *self.say.tails())
        verb = ((HEAD, self.say.verb("VBN", words.DONE)), ("conj", second))
        return build(("nsubj:pass", subject), *helpers, *verb, *by)


def by_agent(agent: Tree) -> Tree:
    """Return a phrase such as "by a man"."""
    return build(("case", leaf("by", "ADP", "IN")), (HEAD, agent))


def _degree(adjective: str) -> str:
    return "JJR" if adjective.endswith("er") else "JJ"
