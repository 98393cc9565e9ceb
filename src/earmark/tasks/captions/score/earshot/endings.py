"""Captions that end too early: systems are cut off, and cutting a caption must not pay.

"A dog barks and a", "rain falls as a man": what comes after the last whole phrase says nothing, so
it is left out of what is compared, and such a caption counts as disfluent, however little is cut.
"""

from earmark.text.parse import Sentence, Word

# Parts of speech that wait for something after them.
WAITING = frozenset(("ADP", "AUX", "CCONJ", "DET", "PART", "SCONJ"))
WAITING_FORMS = frozenset("its his her their which".split())
# Determiners that may end a sentence: one after another, and a bell rings on each.
WHOLE_FORMS = frozenset("all another both each that this those".split())
FOLLOWED = frozenset(("accompanied", "followed"))  # they wait for "by" and what comes after it
MARKS = frozenset("as until when while".split())
# "as" that begins no clause: before these words, or after those.
AS_WELL, SUCH_AS = frozenset(("if", "though", "well")), frozenset("as same such well".split())
JOINING = frozenset(("and", "then"))
ARTICLES = frozenset(("a", "an", "the"))
# Words that no article stands before.
NO_NOUNS = ARTICLES | frozenset(
    "and are as at by followed in is of on or then there to while with".split()
)
FINITE = frozenset(("VBD", "VBP", "VBZ"))


def whole_words(sentence: Sentence) -> int:
    """Return how many words there are up to the end of the last whole phrase; at least one.

    Marks and words that wait for others are cut off at the end, and everything from where a phrase
    breaks off: "a dog barks and a in the background" is read as "a dog barks", so that nothing
    that is appended to an unfinished caption counts. Particles stay: a car drives by.
    """
    end = _first_break(sentence)
    while end > 1 and sentence[end - 1].pos == "PUNCT":
        end -= 1
    whole = end if end == len(sentence) or sentence[end].pos == "PUNCT" else end + 1
    while end > 1 and _waits(sentence, end - 1, cut=end < whole):
        end -= 1
    return end


def is_unfinished(sentence: Sentence) -> bool:
    """Return whether words are left after the last whole phrase, or the last clause has no verb."""
    end = whole_words(sentence)
    return any(word.pos != "PUNCT" for word in sentence[end:]) or _lacks_verb(sentence[:end])


def _first_break(sentence: Sentence) -> int:
    """Return the index of the first word that waits in vain, or the number of words."""
    forms = [word.form.lower() for word in sentence]
    triples = zip(["", *forms], forms, forms[1:], strict=False)
    return next((k for k, three in enumerate(triples) if k and _breaks_off(*three)), len(forms))


def _breaks_off(before: str, word: str, after: str) -> bool:
    """Return whether an article, or "followed by", has a word after it that cannot be there."""
    if before in FOLLOWED and word == "by":
        return after in NO_NOUNS - ARTICLES
    a_while = after == "while" and before in {"after", "for", "in"}
    return word in ARTICLES and after in NO_NOUNS and not a_while


def _waits(sentence: Sentence, index: int, *, cut: bool) -> bool:
    """Return whether a word waits for others; `cut` says that what was after it has been cut."""
    word = sentence[index]
    form = word.form.lower()
    before = sentence[index - 1].form.lower()
    if form == "by" and before in FOLLOWED:
        return True
    if form in FOLLOWED or form == "then":
        return cut
    if word.pos == "ADP" and sentence[index - 1].pos == "AUX":  # a radio is on
        return False
    if word.tag == "RP" or word.relation == "compound:prt" or form in WHOLE_FORMS:
        return False
    return word.pos in WAITING or form in WAITING_FORMS or (cut and word.pos == "PUNCT")


def _lacks_verb(words: Sentence) -> bool:
    """Return whether the clause after the last "as" or "while", or after "and", has no verb."""
    forms = [word.form.lower() for word in words]
    for k in range(len(words) - 1, 0, -1):
        if forms[k] in MARKS and _begins_clause(forms, k):
            return not any(map(_may_be_verb, words[k + 1 :]))
        if forms[k] in JOINING and k + 1 < len(words):
            return _is_bare_subject(words[k + 1 :]) and _ends_in_verb(words[:k])
    if len(words) < 3 or forms[-1] == "other":
        return False
    return words[-1].tag == "JJ" and words[-2].pos in {"ADP", "DET"}  # with a loud


def _begins_clause(forms: list[str], index: int) -> bool:
    if forms[index] == "as":
        after = forms[index + 1] if index + 1 < len(forms) else ""
        return after not in AS_WELL and forms[index - 1] not in SUCH_AS
    return forms[index - 1] != "a"  # for a while


def _may_be_verb(word: Word) -> bool:
    """Return whether a word could be a verb; the parser takes some verbs in -s for nouns."""
    return word.pos in {"AUX", "VERB"} or word.tag == "NNS" or word.form.lower().endswith("ing")


def _is_bare_subject(words: Sentence) -> bool:
    form = words[0].form.lower()
    starts = words[0].pos == "DET" or (words[0].tag == "NN" and not form.endswith("s"))
    return starts and not any(_may_be_verb(word) or word.pos == "ADV" for word in words)


def _ends_in_verb(words: Sentence) -> bool:
    """Return whether a clause ends in its verb, adverbs apart: nothing that "and" could join."""
    rest = list(words)
    while rest and (rest[-1].pos in {"ADV", "CCONJ", "PUNCT"} or rest[-1].tag == "RP"):
        rest.pop()
    return bool(rest) and rest[-1].pos == "VERB" and rest[-1].tag in FINITE
