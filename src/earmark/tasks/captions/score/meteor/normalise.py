"""Words as METEOR compares them: what its option `-norm` makes of a tokenised caption.

The rules are those of the tokeniser that the translation field shares: other symbols stand apart,
commas stay inside numbers, a dash between words splits them, 's leaves its word, and a full stop
stays on an abbreviation. Captions come tokenised, so that most of them pass unchanged.
"""

import re
from collections.abc import Mapping

LETTERS = "A-Za-zŠŽšžŸÀ-ÖØ-öø-žЀ-ӿԀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ"
WORD = f"0-9{LETTERS}"
# Stands for a dot of an ellipsis while single full stops are looked at: a private character.
DOT = "\ue000"
# Applied in this order. A match takes its neighbours with it, so that a-b-c becomes a b-c.
RULES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (rf"([^{WORD}\s.'`,\-‘’{DOT}])", r" \1 "),
        (r"([^0-9]),([^0-9])", r"\1 , \2"),
        (r"([0-9]),([^0-9])", r"\1 , \2"),
        (r"([^0-9]),([0-9])", r"\1 , \2"),
        (r"[`‘’]", "'"),
        (r"[“”]|''", ' " '),
        (r"–|--", "-"),
        (rf"([{WORD}.])-([{WORD}])", r"\1 \2"),
        (rf"([^{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([^{LETTERS}0-9])'([{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([{LETTERS}])", r"\1 '\2"),
        (r"([0-9])'(s)", r"\1 '\2"),
    )
)
PLAIN = re.compile(r"[a-z0-9 ]*")
LETTER = re.compile(f"[{LETTERS}]")

# How an abbreviation keeps its full stop: always, or before a number only ("no. 7").
ALWAYS, BEFORE_NUMBER = 1, 2


def normalise(text: str, abbreviations: Mapping[str, int]) -> tuple[str, ...]:
    """Return the words of a tokenised caption.

    Examples
    --------
    >>> normalise("a dog 's 2-tone bark , 1,000 times", {})
    ('a', 'dog', "'", 's', '2', 'tone', 'bark', ',', '1,000', 'times')
    """
    if PLAIN.fullmatch(text):
        return tuple(text.split())
    text = re.sub(r"\.{2,}", lambda dots: f" {DOT * len(dots[0])} ", f" {text} ")
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    words = text.split()
    followers = [*words[1:], ""]
    parts = [
        _full_stop(word, after, abbreviations) for word, after in zip(words, followers, strict=True)
    ]
    return tuple(" ".join(parts).replace(DOT, ".").lower().split())


def _full_stop(word: str, after: str, abbreviations: Mapping[str, int]) -> str:
    """Return the word with its last full stop kept, dropped (a.m. is am) or set apart."""
    if len(word) < 2 or not word.endswith("."):
        return word
    stem = word[:-1]
    if "." in stem and LETTER.search(stem):
        return word.replace(".", "")
    kind = abbreviations.get(stem)
    if kind == ALWAYS or "a" <= after[:1] <= "z":
        return word
    if kind == BEFORE_NUMBER and "0" <= after[:1] <= "9":
        return word
    return f"{stem} ."
