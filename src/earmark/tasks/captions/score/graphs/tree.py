"""A dependency tree that can be asked: who does it, to whom, and whose attributes these are."""

from dataclasses import dataclass
from functools import cached_property

from earmark.tasks.captions.score.graphs.negation import NO_THING, NOBODY, NOT_SO, negated_directly
from earmark.text.parse import Sentence, Word

NOUNS = frozenset(("NOUN", "PROPN"))
SUBJECTS = frozenset(("nsubj", "nsubj:pass", "nsubj:outer"))
RELATIVE = frozenset(("that", "which", "who", "whom"))
PERSONAL = frozenset(("he", "she", "they"))  # "it" rains
# Verbs of captions that take an object: of these, "opens and closes a door" opens a door too,
# while "speaks and closes a door" speaks no door. Written by hand.
TRANSITIVE = frozenset(
    "adjust bang beat blow bounce break brush bump carry catch chew chop clean clear close crack "
    "crumple crush cut drag drop eat fill flip flush fold grab grind hammer hit hold jiggle kick "
    "knock lift load lock manipulate mix move open operate pick place play pluck pound pour press "
    "pull pump push raise rattle release ring roll rub rustle saw scrape scratch scrub shake shift "
    "shoot shuffle shut slam slap slide smash splash spray squeeze start stir stop strike strum "
    "sweep swing switch take tap tear throw toss touch turn twist unlock unwrap use wash wipe "
    "wrap".split()
)
DEEP = 12  # governors to climb for a shared subject; ends a cycle in a malformed tree


@dataclass(frozen=True)
class DependencyTree:
    """A parsed sentence. Words are given by their index; -1 is above the root."""

    words: Sentence

    @cached_property
    def dependents(self) -> dict[int, list[int]]:
        """The dependents of each word."""
        dependents: dict[int, list[int]] = {index: [] for index in range(-1, len(self.words))}
        for index, word in enumerate(self.words):
            dependents[word.head].append(index)
        return dependents

    def children(self, index: int, *relations: str) -> list[int]:
        """Return the dependents by one of these relations; `obl` includes `obl:agent`."""
        return [
            child
            for child in self.dependents[index]
            if self.words[child].relation in relations
            or self.words[child].relation.split(":")[0] in relations
        ]

    def is_thing(self, index: int) -> bool:
        """Return whether it is a noun, a pronoun such as someone, or a gerund used as a noun."""
        word = self.words[index]
        if word.pos in NOUNS:
            return word.relation not in {"obl:unmarked", "fixed", "compound"}
        if word.pos == "PRON":
            return word.tag == "NN"
        return self.is_gerund(index)

    def is_gerund(self, index: int) -> bool:
        """Return whether a sound is named by its verb, as in "typing on a keyboard"."""
        word = self.words[index]
        if word.tag != "VBG" or word.pos != "VERB" or self.children(index, "nsubj", "aux"):
            return False
        if word.relation in {"root", "obl", "nsubj", "obl:agent", "nmod", "obj", "parataxis"}:
            return True
        if word.relation == "conj":
            head = self.words[word.head]
            return head.pos in NOUNS or self.is_gerund(word.head)
        return False

    @cached_property
    def negated(self) -> frozenset[int]:
        """The words that a negation stands with."""
        return negated_directly(self.words)

    def name(self, index: int) -> str:
        """Return the lemma of a thing, after "no" where it is denied; a gerund keeps its form."""
        word = self.words[index]
        name = word.form.lower() if word.pos == "VERB" else NOBODY.get(word.lemma, word.lemma)
        return NO_THING + name if index in self.negated else name

    def quality(self, index: int) -> str:
        """Return the lemma of a verb or an adjective, after "not" where it is denied."""
        return NOT_SO * (index in self.negated) + self.words[index].lemma

    def objects(self, index: int) -> list[int]:
        """Return what it is done to: its own objects, or those of the verbs joined to it."""
        own = self.children(index, "obj")
        if own or self.words[index].lemma not in TRANSITIVE:
            return own
        later = [verb for verb in self.conjuncts(index)[1:] if self.words[verb].pos == "VERB"]
        return next((shared for verb in later if (shared := self.children(verb, "obj"))), [])

    def agents(self, index: int) -> list[int]:
        """Return by whom it is done, also where "opened and closed by a man" says it once."""
        joined = [verb for verb in self.conjuncts(index)[1:] if self.words[verb].tag == "VBN"]
        verbs = [index, *joined]
        return next((by for verb in verbs if (by := self.children(verb, "obl:agent"))), [])

    def conjuncts(self, index: int) -> list[int]:
        """Return the word and those joined to it: men and women."""
        joined = [index]
        for child in self.children(index, "conj"):
            joined.extend(self.conjuncts(child))
        return joined

    def bearers(self, index: int) -> list[int]:
        """Return what the attributes of a thing belong to: B in "A of B", else the thing itself."""
        inner = [
            child
            for child in self.children(index, "nmod")
            if self.is_thing(child) and self.preposition(child) == "of"
        ]
        if not inner:
            return [index]
        return [b for child in inner for one in self.conjuncts(child) for b in self.bearers(one)]

    def preposition(self, index: int) -> str:
        """Return `in` of "in the room", `next to` of "next to it"; "" without one."""
        parts = []
        for child in self.children(index, "case"):
            parts.append(self.words[child].form.lower())
            parts += [self.words[more].form.lower() for more in self.children(child, "fixed")]
        return " ".join(parts)

    def is_passive(self, index: int) -> bool:
        """Return whether it is done to the subject."""
        if self._has(index, "nsubj:pass") or self._has(index, "aux:pass") or self.agents(index):
            return True
        word = self.words[index]
        if word.tag != "VBN" or self._has(index, "aux"):
            return False
        if word.relation == "conj":
            return self.words[word.head].tag == "VBN" and self.is_passive(word.head)
        return word.relation in {"acl", "advcl"}

    def _has(self, index: int, relation: str) -> bool:
        return any(self.words[child].relation == relation for child in self.dependents[index])

    def subjects(self, index: int, depth: int = 0) -> list[int]:
        """Return who does it: its own subjects, or those it shares with its governor."""
        own = [child for child in self.dependents[index] if self.words[child].relation in SUBJECTS]
        if own:
            return [s for child in own for s in self._resolved(child, index)]
        word = self.words[index]
        if word.head < 0 or depth > DEEP:
            return []
        return self._shared(word, depth)

    def _shared(self, word: Word, depth: int) -> list[int]:
        kind = word.relation.split(":")[0]
        if kind == "acl":
            return self.conjuncts(word.head) if self._modifies_all(word) else [word.head]
        if kind == "xcomp":
            objects = self.children(word.head, "obj")
            return objects or self.subjects(word.head, depth + 1)
        if kind == "advcl" and self.is_thing(word.head):
            return [word.head]
        if kind in {"advcl", "conj"} and self.words[word.head].pos not in NOUNS:
            return self.subjects(word.head, depth + 1)
        return []

    def _modifies_all(self, acl: Word) -> bool:
        """Return whether a participle after "men and women" modifies both."""
        joined = self.conjuncts(acl.head)
        last = max(joined)
        follows = self.words.index(acl) > last
        return follows and not any(self.children(one, "det", "acl") for one in joined[1:])

    def _resolved(self, child: int, verb: int) -> list[int]:
        """Return the subject and its conjuncts, or what a pronoun in its place means."""
        form = self.words[child].form.lower()
        if form in RELATIVE and self.words[verb].relation == "acl:relcl":
            return [self.words[verb].head]
        if form in PERSONAL and self.words[child].pos == "PRON":
            return self._antecedent(child)
        return self.conjuncts(child)

    def _antecedent(self, pronoun: int) -> list[int]:
        """Return whom a pronoun means: the last subject before it that is a noun, else itself."""
        subjects = [
            index
            for index, word in enumerate(self.words[:pronoun])
            if word.relation in SUBJECTS and word.pos in NOUNS
        ]
        return self.conjuncts(subjects[-1]) if subjects else [pronoun]
