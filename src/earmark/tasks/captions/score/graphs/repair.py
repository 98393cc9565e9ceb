"""Trees of captions that cannot be, mended before they are read.

A parser that has learned from letters and web pages takes some verbs of captions for nouns: "a
helicopter lands", "a pop occurs". Such a tree contradicts itself (a plural after "a", a
preposition that hangs on a noun as on a verb, a noun compounded with a verb), and the contradiction
says what is meant. Each rule looks at one word of a sentence and returns the words that change.
"""

from collections.abc import Callable
from dataclasses import replace

from earmark.text.parse import Sentence, Word, lemma

Changes = dict[int, Word]

# Verbs of captions that are never nouns.
VERBS_ONLY = frozenset("occur occurs begin begins continue continues happen happens".split())
# Nouns in -ly; other words in -ly that the parser takes for nouns are adverbs.
NOUNS_IN_LY = frozenset(
    "assembly belly bully butterfly dragonfly family firefly folly gully housefly jelly lily "
    "monopoly rally reply supply".split()
)
SHORTEST_ADVERB = 5  # letters: "fly" and "ally" are no adverbs
FINITE = frozenset(("VBZ", "VBP", "VBD"))
# What stands before a noun and belongs to it.
BEFORE_NOUN = frozenset(("det", "amod", "nummod", "compound", "nmod:poss"))
SUBJECT = "nsubj"


def repaired(sentence: Sentence) -> Sentence:
    """Return the sentence with its contradictions mended."""
    words = sentence
    for rule in RULES:
        for index in range(len(words)):
            changes = rule(words, index)
            if changes:
                words = tuple(changes.get(k, word) for k, word in enumerate(words))
    return words


def adverb(words: Sentence, index: int) -> Changes:
    """Make an adverb of a "noun" in -ly: softly and calmly."""
    word = words[index]
    form = word.form.lower()
    is_adverb = form.endswith("ly") and len(form) >= SHORTEST_ADVERB and form not in NOUNS_IN_LY
    own = [k for k in _children(words, index) if words[k].relation not in {"cc", "punct"}]
    if word.tag != "NN" or not is_adverb or own:
        return {}
    return {index: replace(word, pos="ADV", tag="RB", relation="advmod", lemma=form)}


def verb_taken_for_noun(words: Sentence, index: int) -> Changes:
    """Make a verb of a "noun" that has a subject before it: a helicopter lands, a pop occurs."""
    word = words[index]
    subject = index - 1
    if word.pos != "NOUN" or not _could_be_subject(words, subject, index):
        return {}
    if not (word.form.lower() in VERBS_ONLY or _is_verb_in_disguise(words, index)):
        return {}
    changes = _with_subject(words, index, subject)
    changes[index] = _as_verb(word)
    for child in _children(words, index):
        one = changes.get(child, words[child])
        after = {"nmod": "obl", "acl": "advcl"}.get(one.relation)
        if after and child > index:
            changes[child] = replace(one, relation=after)
        elif (
            one.relation == "conj" and one.tag == "NNS" and not _children(words, child, nouns=True)
        ):
            changes[child] = _as_verb(one)
    return changes


def verb_with_subject_or_particle(words: Sentence, index: int) -> Changes:
    """Make a verb of a "noun" that has a subject or a particle: a vehicle speeds closer; shuts off.

    Nouns that are said of a subject have a copula.
    """
    word = words[index]
    if word.pos != "NOUN" or _children(words, index, "cop"):
        return {}
    has_subject = bool(_children(words, index, SUBJECT)) and word.tag in FINITE | {"NNS"}
    has_particle = bool(_children(words, index, "compound:prt")) and word.tag == "NNS"
    if has_subject or (has_particle and not _children(words, index, nouns=True)):
        return {index: _as_verb(word)}
    return {}


def verb_taken_for_object(words: Sentence, index: int) -> Changes:
    """Turn "crackling occur" round, where the verb is taken for the object of its subject."""
    word = words[index]
    if word.form.lower() not in VERBS_ONLY or word.relation != "obj" or word.head != index - 1:
        return {}
    subject = word.head
    joined = words[subject].head
    if words[subject].relation == "conj" and joined >= 0 and words[joined].pos in {"NOUN", "VERB"}:
        if not _children(words, joined, SUBJECT):
            subject = joined
    first = words[subject]
    name = first.form.lower() if first.pos == "VERB" else first.lemma
    return {
        index: replace(_as_verb(word), head=first.head, relation=first.relation),
        subject: replace(first, pos="NOUN", tag="NN", relation=SUBJECT, head=index, lemma=name),
    }


def subject_in_compound(words: Sentence, index: int) -> Changes:
    """Make a subject of a noun that is compounded with a verb: a young child answers."""
    word = words[index]
    head = word.head
    if word.relation != "compound" or word.pos != "NOUN" or head != index + 1:
        return {}
    if words[head].pos != "VERB" or words[head].tag not in FINITE:
        return {}
    subjects = _children(words, head, SUBJECT)
    if not subjects:
        return _with_subject(words, head, index)
    cases = [k for k in _children(words, head, "case") if subjects[-1] < k < index]
    if not cases:  # "people in a crowd talk" has one
        return {}
    changes = _with_subject(words, head, index)
    changes[index] = replace(word, relation="nmod", head=subjects[-1])
    return changes | {k: replace(words[k], head=index) for k in cases}


def one_subject(words: Sentence, index: int) -> Changes:
    """Leave a verb the last of its subjects: wind and a voice before a boat goes past.

    Subjects that are joined by "and" hang on the first of them, so there is one at most.
    """
    subjects = _children(words, index, SUBJECT)
    return {k: replace(words[k], relation="dep") for k in subjects[:-1]}


def _is_verb_in_disguise(words: Sentence, index: int) -> bool:
    """Return whether a plural noun has "a" before it, or a particle or a place as verbs have."""
    word = words[index]
    singular = word.tag == "NN" and word.form.endswith("s") and not word.form.endswith("ss")
    if word.tag != "NNS" and not (singular and lemma(word.form.lower(), "VERB") != word.form):
        return False
    children = [words[k] for k in _children(words, index)]
    if any(child.relation == "det" and child.form.lower() in {"a", "an"} for child in children):
        return True
    return any(child.relation in {"compound:prt", "obl"} for child in children)


def _could_be_subject(words: Sentence, subject: int, verb: int) -> bool:
    if subject < 0 or words[subject].head != verb:
        return False
    word = words[subject]
    return word.relation in {"compound", "amod"} and (word.pos == "NOUN" or word.tag == "VBG")


def _with_subject(words: Sentence, verb: int, subject: int) -> Changes:
    """Return the subject, and what stood before it, which is its own now."""
    word = words[subject]
    name = word.form.lower() if word.pos == "VERB" else word.lemma
    changes = {
        subject: replace(word, pos="NOUN", tag="NN", relation=SUBJECT, head=verb, lemma=name)
    }
    for child in _children(words, verb):
        if child < subject and words[child].relation in BEFORE_NOUN:
            changes[child] = replace(words[child], head=subject)
    return changes


def _as_verb(word: Word) -> Word:
    form = word.form.lower()
    return replace(
        word, pos="VERB", tag="VBZ" if form.endswith("s") else "VBP", lemma=lemma(form, "VERB")
    )


def _children(
    words: Sentence, index: int, relation: str | None = None, *, nouns: bool = False
) -> list[int]:
    """Return the dependents, those of one relation, or those that stand before nouns."""
    children = [k for k, word in enumerate(words) if word.head == index]
    if nouns:
        return [k for k in children if words[k].relation in BEFORE_NOUN]
    return [k for k in children if relation is None or words[k].relation == relation]


RULES: tuple[Callable[[Sentence, int], Changes], ...] = (
    adverb,
    verb_taken_for_noun,
    verb_taken_for_object,
    subject_in_compound,
    one_subject,
    verb_with_subject_or_particle,
)
