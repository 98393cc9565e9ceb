"""Questions asked of a dependency tree: who does it, to whom, and what a thing is."""

from dataclasses import dataclass
from functools import cached_property

from earmark.text.parse import Sentence, Word

NOUNS = frozenset(("NOUN", "PROPN"))
SUBJECTS = frozenset(("nsubj", "nsubj:pass", "nsubj:outer"))
RELATIVE = frozenset(("that", "which", "who", "whom"))
DEEP = 12


@dataclass(frozen=True)
class Tree:
    """A sentence that can be asked."""

    words: Sentence

    @cached_property
    def below(self) -> dict[int, list[int]]:
        """The words that hang on each word."""
        found: dict[int, list[int]] = {at: [] for at in range(-1, len(self.words))}
        for at, word in enumerate(self.words):
            found[word.head].append(at)
        return found

    def children(self, at: int, *relations: str) -> list[int]:
        """What hangs on a word by one of these relations; subtypes count when not named."""
        return [
            child
            for child in self.below[at]
            if self.words[child].relation in relations
            or self.words[child].relation.split(":")[0] in relations
        ]

    def is_thing(self, at: int) -> bool:
        """A noun, a pronoun such as someone, or a doing that stands where a noun would."""
        word = self.words[at]
        if word.pos in NOUNS:
            return word.relation not in {"obl:unmarked", "fixed", "compound"}
        if word.pos == "PRON":
            return word.tag == "NN"
        return self.is_named_doing(at)

    def is_named_doing(self, at: int) -> bool:
        """`typing` in "typing on a keyboard": a sound named by its verb."""
        word = self.words[at]
        if word.tag != "VBG" or word.pos != "VERB" or self.children(at, "nsubj", "aux"):
            return False
        if word.relation in {"root", "obl", "nsubj", "obl:agent", "nmod", "obj", "parataxis"}:
            return True
        if word.relation == "conj":
            head = self.words[word.head]
            return head.pos in NOUNS or self.is_named_doing(word.head)
        return False

    def name(self, at: int) -> str:
        """The lemma of a thing; a named doing keeps its form."""
        word = self.words[at]
        return word.form.lower() if word.pos == "VERB" else word.lemma

    def together(self, at: int) -> list[int]:
        """The word and those joined to it: men and women."""
        joined = [at]
        for child in self.children(at, "conj"):
            joined.extend(self.together(child))
        return joined

    def bearers(self, at: int) -> list[int]:
        """Who bears what is said of a thing: B in "A of B", otherwise the thing itself."""
        inner = [
            child
            for child in self.children(at, "nmod")
            if self.is_thing(child) and self.preposition(child) == "of"
        ]
        if not inner:
            return [at]
        return [b for child in inner for one in self.together(child) for b in self.bearers(one)]

    def preposition(self, at: int) -> str:
        """`in` of "in the room", `next to` of "next to it"; empty without one."""
        parts = []
        for child in self.children(at, "case"):
            parts.append(self.words[child].form.lower())
            parts += [self.words[more].form.lower() for more in self.children(child, "fixed")]
        return " ".join(parts)

    def is_passive(self, at: int) -> bool:
        """Whether it is done to the subject."""
        if self.children(at, "nsubj:pass") or self._has(at, "aux:pass"):
            return True
        word = self.words[at]
        return word.tag == "VBN" and word.relation in {"acl", "advcl"} and not self._has(at, "aux")

    def _has(self, at: int, relation: str) -> bool:
        return any(self.words[child].relation == relation for child in self.below[at])

    def subjects(self, at: int, depth: int = 0) -> list[int]:
        """Who does it: its own subject, or the one it shares."""
        own = [child for child in self.below[at] if self.words[child].relation in SUBJECTS]
        if own:
            return [s for child in own for s in self._real(child, at)]
        word = self.words[at]
        if word.head < 0 or depth > DEEP:
            return []
        return self._shared(word, depth)

    def _shared(self, word: Word, depth: int) -> list[int]:
        kind = word.relation.split(":")[0]
        if kind == "acl":
            return self.together(word.head) if self._lone(word) else [word.head]
        if kind == "xcomp":
            given = self.children(word.head, "obj")
            return given or self.subjects(word.head, depth + 1)
        if kind == "advcl" and self.is_thing(word.head):
            return [word.head]
        if kind in {"advcl", "conj"} and self.words[word.head].pos not in NOUNS:
            return self.subjects(word.head, depth + 1)
        return []

    def _lone(self, acl: Word) -> bool:
        """Whether a participle behind "men and women" speaks of both."""
        joined = self.together(acl.head)
        last = max(joined)
        behind = self.words.index(acl) > last
        return behind and not any(self.children(one, "det", "acl") for one in joined[1:])

    def _real(self, child: int, verb: int) -> list[int]:
        """The subject and those joined to it; the noun itself behind "that"."""
        if self.words[child].form.lower() in RELATIVE and self.words[verb].relation == "acl:relcl":
            return [self.words[verb].head]
        return self.together(child)
