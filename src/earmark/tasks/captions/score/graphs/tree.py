"""A dependency tree that can be asked: who does it, to whom, and whose attributes these are."""

from dataclasses import dataclass
from functools import cached_property

from earmark.text.parse import Sentence, Word

NOUNS = frozenset(("NOUN", "PROPN"))
SUBJECTS = frozenset(("nsubj", "nsubj:pass", "nsubj:outer"))
RELATIVE = frozenset(("that", "which", "who", "whom"))
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

    def name(self, index: int) -> str:
        """Return the lemma of a thing; a gerund keeps its form."""
        word = self.words[index]
        return word.form.lower() if word.pos == "VERB" else word.lemma

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
        if self.children(index, "nsubj:pass") or self._has(index, "aux:pass"):
            return True
        word = self.words[index]
        return (
            word.tag == "VBN" and word.relation in {"acl", "advcl"} and not self._has(index, "aux")
        )

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
        """Return the subject and its conjuncts; the modified noun for a relative "that"."""
        if self.words[child].form.lower() in RELATIVE and self.words[verb].relation == "acl:relcl":
            return [self.words[verb].head]
        return self.conjuncts(child)
