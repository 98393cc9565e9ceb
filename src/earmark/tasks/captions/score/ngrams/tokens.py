"""Words as the n-gram metrics count them: Penn Treebank tokens in lower case, no punctuation.

The published metrics send captions through the Stanford tokeniser (Java) and then drop marks of
punctuation. This module gives the same words without Java: on every caption of AudioCaps and of
the benchmark, and, apart from rarities such as bare addresses, on ordinary text.
"""

import re

# What pycocoevalcap drops after tokenising (its PUNCTUATIONS).
DROPPED = frozenset("'' ' `` ` . ? ! , : - -- ... ;".split())
QUOTES = frozenset('"“”„«»')
BRACKETS = {"(": "-lrb-", ")": "-rrb-", "{": "-lcb-", "}": "-rcb-", "[": "-lsb-", "]": "-rsb-"}
# Words that the Penn Treebank splits in two.
SPLIT = {
    "cannot": ("can", "not"),
    "gonna": ("gon", "na"),
    "gotta": ("got", "ta"),
    "lemme": ("lem", "me"),
    "gimme": ("gim", "me"),
    "wanna": ("wan", "na"),
}
# Abbreviations that keep their full stop.
ABBREVIATIONS = (
    "mr|mrs|ms|dr|prof|sr|jr|st|vs|etc|inc|ltd|co|corp|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|"
    "dec|mt|ft|gen|gov|sen|rep|rev|hon|capt|col|lt|sgt|maj|ave|blvd|rd|dept|univ|est|bros|[a-z]"
)
# n't, 's, 'm, ...: tokens of their own, cut off the word before them.
CLITIC = r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))(?![^\W_])"
PLAIN = r"[^\W_]+"
STEM = r"(?:[^\W_]+[-&])*[^\W_]"
# Alternatives are tried in this order; the group's name says what matched, for `_words`.
TOKEN = re.compile(
    rf"""
    (?P<address>(?:https?://|www\.)[^\s<>"]*[^\s<>".,;:!?)]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
  | (?P<smiley>[:;=]-?[()dp](?![^\W_]))
  | (?P<clitic>(?<=[^\W_]){CLITIC})
  | (?P<number>\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th|s)?(?![^\W_]|[-./][^\W_])|\.\d+)
  | (?P<initials>(?:[^\W\d_]\.){{2,}})
  | (?P<abbreviation>(?<![^\W_])(?:{ABBREVIATIONS})\.(?=\s*[^\W]|\s*,))
  | (?P<etc>(?<![^\W_])(?:etc|inc|ltd|jr|sr)\.)
  | (?P<amount>\d+(?:,\d+)+(?:-[^\W_]+)+)
  | (?P<word>{STEM}+?(?={CLITIC})|(?:[odl]['’])?{PLAIN}(?:[-_&./]{PLAIN})*)
  | (?P<dots>\.\.+)
  | (?P<dashes>--{{1,4}}(?!-))
  | (?P<repeated>[!?]{{2,}}|\*+|_+|-{{6,}})
  | (?P<bracket>[(){{}}\[\]])
  | (?P<mark>\S)
    """,
    re.VERBOSE,
)

# Most captions are letters, spaces and commas. Splitting these at spaces gives the same tokens, ten
# times as fast; a full stop after fewer than four letters might belong to an abbreviation.
EASY = re.compile(r"[a-z ]*(?:, [a-z ]*)*(?:[a-z]{4}\.)?")


def tokenise(caption: str) -> tuple[str, ...]:
    """Return the words that BLEU, ROUGE and CIDEr compare.

    Examples
    --------
    >>> tokenise("A high-pitched bird doesn't stop (twice), then sings.")
    ('a', 'high-pitched', 'bird', 'does', "n't", 'stop', '-lrb-', 'twice', '-rrb-', 'then', 'sings')
    """
    text = caption.lower()
    if EASY.fullmatch(text):
        words = text.replace(",", " ").removesuffix(".").split()
        if SPLIT.keys().isdisjoint(words):
            return tuple(words)
    tokens: list[str] = []
    for match in TOKEN.finditer(text):
        tokens.extend(_words(match[0].replace("’", "'"), str(match.lastgroup)))
    return tuple(tokens)


def _words(text: str, kind: str) -> tuple[str, ...]:
    """Return the words of one match of `TOKEN`, none for what is dropped."""
    if kind == "bracket":
        return (BRACKETS[text],)
    if kind == "smiley":
        return ("".join(BRACKETS.get(character, character) for character in text),)
    if kind in {"dots", "dashes"} or text in DROPPED or text in QUOTES:
        return ()
    return SPLIT.get(text) or (text,)
