"""A dependency tree that can be asked: who does it, to whom, and whose attributes these are."""

from dataclasses import dataclass
from functools import cached_property

from earmark.tasks.captions.score.graphs.lexicon import (
    AWAY,
    FOLLOWED,
    HIGH_OR_LOW,
    MAKING,
    NOUNS,
    PARTITIVE,
    PEOPLE,
    PERSONAL,
    PITCHED,
    POSSESSIVE,
    RELATIVE,
    SOUNDS,
    SUBJECTS,
    TIMES,
    TRANSITIVE,
    WITH,
)
from earmark.tasks.captions.score.graphs.negation import NO_THING, NOBODY, NOT_SO, negated_directly
from earmark.text.parse import Sentence, Word

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
            if word.relation == "obj" and word.lemma in TIMES:
                return False
            return word.relation not in {"obl:unmarked", "fixed", "compound", "amod"}
        if word.relation in SUBJECTS and word.tag in {"NN", "NNS"}:
            return True
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
        if self._is_clause_in_name_only(index):
            return True
        if word.relation == "conj":
            head = self.words[word.head]
            return head.pos in NOUNS or self.is_gerund(word.head)
        return False

    def _is_clause_in_name_only(self, index: int) -> bool:
        """Return whether it is a sound beside others: with banging, as tapping, there is beeping.

        "Birds coo with banging nearby" does not say that the birds bang.
        """
        word = self.words[index]
        if word.relation == "advcl":
            marks = {self.words[mark].form.lower() for mark in self.children(index, "mark")}
            return bool(marks & {"with", "as"})
        return word.relation == "xcomp" and bool(self.children(word.head, "expl"))

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
        """Return the lemma of a verb or an adjective, after "not" where it is denied.

        A meow that is high pitched does not pitch: such an adjective keeps both words.
        """
        name = self.words[index].lemma
        if self.words[index].form.lower() == PITCHED and self.is_degree(self._before(index)):
            name = f"{self.words[self._before(index)].lemma} {PITCHED}"
        return NOT_SO * (index in self.negated) + name

    def is_degree(self, index: int) -> bool:
        """Return whether it is "high" of "high pitched", which says nothing alone."""
        if index < 0 or self.words[index].form.lower() not in HIGH_OR_LOW:
            return False
        after = [
            word.form.lower() for word in self.words[index + 1 : index + 3] if word.form != "-"
        ]
        return after[:1] == [PITCHED]

    def _before(self, index: int) -> int:
        """Return the word before, hyphens apart; -1 at the start."""
        return index - (2 if index and self.words[index - 1].form == "-" else 1)

    def objects(self, index: int) -> list[int]:
        """Return what it is done to: its own objects, or those of the verbs joined to it."""
        own = [
            child
            for child in self.children(index, "obj")
            if not self._names_its_sound(child) and self.words[child].lemma not in TIMES
        ]
        if own or self.words[index].lemma not in TRANSITIVE:
            return own
        later = [verb for verb in self.conjuncts(index)[1:] if self.words[verb].pos == "VERB"]
        return next((shared for verb in later if (shared := self.children(verb, "obj"))), [])

    def _names_its_sound(self, index: int) -> bool:
        """Return whether an "object" is the noise that a verb before it describes."""
        verb = self.words[self.words[index].head]
        if self.words[index].lemma not in SOUNDS or verb.tag != "VBG" or verb.lemma in MAKING:
            return False
        return not self.children(index, "det", "amod")

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
        """Return what the attributes of a thing belong to: B in "group of B", else the thing."""
        inner = self._of(index)
        if not inner or self.words[index].lemma not in PARTITIVE:
            return [index]
        return [b for child in inner for one in self.conjuncts(child) for b in self.bearers(one)]

    def _of(self, index: int) -> list[int]:
        """Return B of "A of B"."""
        return [
            child
            for child in self.children(index, "nmod")
            if self.is_thing(child) and self.preposition(child) == "of"
        ]

    def owners(self, index: int) -> list[int]:
        """Return whose it is: a bird's wings, its wings, the wings of a bird."""
        owners = []
        for child in self.children(index, "nmod:poss"):
            own = self.words[child].form.lower() in POSSESSIVE
            owners += [one for one in self._antecedent(child) if one != child] if own else [child]
        if self.words[index].lemma not in PARTITIVE:
            owners += [one for child in self._of(index) for one in self.conjuncts(child)]
        return owners

    def preposition(self, index: int) -> str:
        """Return `in` of "in the room", `next to` of "next to it"; "" without one."""
        parts = []
        for child in self.children(index, "case"):
            parts.append(self.words[child].form.lower())
            parts += [self.words[more].form.lower() for more in self.children(child, "fixed")]
        return " ".join(parts)

    def companion(self, index: int) -> list[int]:
        """Return what is "in the background" if something that is there too stands before it."""
        word = self.words[index]
        if word.lemma not in AWAY:
            return []
        siblings = [k for k in self.children(word.head, "obl") if k < index]
        last = siblings[-1] if siblings else -1
        is_near = all(word.pos in {"ADP", "DET"} for word in self.words[last + 1 : index])
        return (
            self.conjuncts(last) if siblings and self.preposition(last) == WITH and is_near else []
        )

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
        if word.form.lower() == FOLLOWED:
            return self._last_before(word, depth)
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

    def _last_before(self, followed: Word, depth: int) -> list[int]:
        """Return what is followed: of several things that happen, the last; of bare nouns, all."""
        place, head = self.words.index(followed), followed.head
        earlier = [k for k in self.children(head, "acl", "advcl") if k < place]
        for one in reversed(
            earlier
        ):  # "followed by a beep followed by wind": wind follows the beep
            if self.words[one].form.lower() == FOLLOWED and self.agents(one):
                return self.agents(one)
        joined = [one for one in self.conjuncts(head) if one < place] or [head]
        last = max(joined)
        if not self.is_thing(last):
            return self.subjects(last, depth + 1)
        doing = [k for one in joined for k in self.children(one, "acl") if k != place]
        return [last] if doing else joined

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
        """Return whom a pronoun means, else itself.

        He and she mean the last man or woman before; the others, and where there is none, the last
        subject.
        """
        before = self.words[:pronoun]
        people = PEOPLE.get(self.words[pronoun].form.lower(), frozenset())
        persons = [index for index, word in enumerate(before) if word.lemma in people]
        if persons:
            return persons[-1:]
        subjects = [
            index
            for index, word in enumerate(before)
            if word.relation in SUBJECTS and word.pos in NOUNS
        ]
        return self.conjuncts(subjects[-1]) if subjects else [pronoun]
