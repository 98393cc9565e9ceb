"""What a caption says is not there: "no dog is barking", "it does not rain", "without music".

A metric that drops negation takes a sentence and its opposite for the same. Here every word has a
polarity, and a negated word or tuple never matches an affirmed one.
"""

from collections.abc import Sequence

from earmark.text.parse import Sentence, Word

NO = frozenset(("no", "neither"))
NOT = frozenset(("not", "n't", "never"))
# Pronouns that deny, and what they deny: "nobody speaks" is "no one speaks".
NOBODY = {"nobody": "one", "none": "one", "nothing": "thing"}
WITHOUT = "without"
SUBJECTS = ("nsubj", "nsubj:pass", "nsubj:outer")
# What begins a negated name in a graph.
NO_THING, NOT_SO = "no ", "not "


def negated_directly(sentence: Sentence) -> frozenset[int]:
    """Return the words that a negation stands with: "no dog", "not barking", "without music".

    Words that are joined to such a noun and have no determiner or preposition of their own share
    it: "no birds or dogs".
    """
    negated = {word.head for word in sentence if word.head >= 0 and _negates(word, sentence)}
    negated |= {index for index, word in enumerate(sentence) if word.form.lower() in NOBODY}
    for index, word in enumerate(sentence):
        own = {"det", "case"} & {w.relation for w in sentence if w.head == index}
        if word.relation == "conj" and word.head in negated and not own and _is_noun(word):
            negated.add(index)
    return frozenset(negated)


def negated_words(sentence: Sentence) -> frozenset[int]:
    """Return all words that are denied: with "no dog", also what the dog would do.

    Examples
    --------
    >>> dog = Word("dog", "dog", "NOUN", "NN", 3, "nsubj", 3, 6)
    >>> no, bark = Word("no", "no", "DET", "DT", 1, "det", 0, 2), Word(
    ...     "barking", "bark", "VERB", "VBG", -1, "root", 10, 17)
    >>> be = Word("is", "be", "AUX", "VBZ", 3, "aux", 7, 9)
    >>> sorted(negated_words((no, dog, be, bark)))
    [1, 3]
    """
    direct = negated_directly(sentence)
    denied = set(direct)
    for index in direct:
        word = sentence[index]
        if word.relation in SUBJECTS and word.head >= 0:
            denied.add(word.head)
        if _is_noun(word):
            denied |= {k for k, w in enumerate(sentence) if w.head == index and w.relation == "acl"}
    return frozenset(denied)


def is_negative(row: Sequence[str]) -> bool:
    """Return whether a tuple of a graph denies something.

    Examples
    --------
    >>> is_negative(("no dog", "bark")), is_negative(("dog", "not bark")), is_negative(("noise",))
    (True, True, False)
    """
    return sum(part.startswith((NO_THING, NOT_SO)) for part in row) % 2 == 1


def _negates(word: Word, sentence: Sentence) -> bool:
    form = word.form.lower()
    if form in NO or form == WITHOUT:
        return _is_noun(sentence[word.head])
    return form in NOT and word.relation in {"advmod", "cc", "det"}


def _is_noun(word: Word) -> bool:
    return word.pos in {"NOUN", "PROPN", "PRON"} or word.tag == "VBG"
