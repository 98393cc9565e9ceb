"""Words as the n-gram metrics count them: Penn Treebank tokens in lower case, no punctuation.

The published metrics send captions through the Stanford tokeniser (Java) and then drop marks of
punctuation. This module gives the same words without Java: on every caption of AudioCaps and of
the benchmark, and, apart from rarities such as bare addresses, on ordinary text.
"""

import re

DROPPED = frozenset("'' ' `` ` . ? ! , : - -- ... ;".split())
QUOTES = frozenset('"“”„«»')
BRACKETS = {"(": "-lrb-", ")": "-rrb-", "{": "-lcb-", "}": "-rcb-", "[": "-lsb-", "]": "-rsb-"}
JOINED = {
    "cannot": ("can", "not"),
    "gonna": ("gon", "na"),
    "gotta": ("got", "ta"),
    "lemme": ("lem", "me"),
    "gimme": ("gim", "me"),
    "wanna": ("wan", "na"),
}
SHORT = (
    "mr|mrs|ms|dr|prof|sr|jr|st|vs|etc|inc|ltd|co|corp|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|"
    "dec|mt|ft|gen|gov|sen|rep|rev|hon|capt|col|lt|sgt|maj|ave|blvd|rd|dept|univ|est|bros|[a-z]"
)
ENDING = r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))(?![^\W_])"
PLAIN = r"[^\W_]+"
STEM = r"(?:[^\W_]+[-&])*[^\W_]"
TOKEN = re.compile(
    rf"""
    (?P<address>(?:https?://|www\.)[^\s<>"]*[^\s<>".,;:!?)]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
  | (?P<smile>[:;=]-?[()dp](?![^\W_]))
  | (?P<ending>(?<=[^\W_]){ENDING})
  | (?P<number>\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th|s)?(?![^\W_]|[-./][^\W_])|\.\d+)
  | (?P<initials>(?:[^\W\d_]\.){{2,}})
  | (?P<short>(?<![^\W_])(?:{SHORT})\.(?=\s*[^\W]|\s*,))
  | (?P<etc>(?<![^\W_])(?:etc|inc|ltd|jr|sr)\.)
  | (?P<amount>\d+(?:,\d+)+(?:-[^\W_]+)+)
  | (?P<word>{STEM}+?(?={ENDING})|(?:[odl]['’])?{PLAIN}(?:[-_&./]{PLAIN})*)
  | (?P<dots>\.\.+)
  | (?P<dashes>--{{1,4}}(?!-))
  | (?P<run>[!?]{{2,}}|\*+|_+|-{{6,}})
  | (?P<bracket>[(){{}}\[\]])
  | (?P<mark>\S)
    """,
    re.VERBOSE,
)

# Most captions are letters, spaces and commas: for these, cutting at spaces is the same thing.
EASY = re.compile(r"[a-z ]*(?:, [a-z ]*)*(?:[a-z]{4}\.)?")


def tokenise(caption: str) -> tuple[str, ...]:
    """The words that BLEU, ROUGE and CIDEr compare.

    Examples
    --------
    >>> tokenise("A high-pitched bird doesn't stop (twice), then sings.")
    ('a', 'high-pitched', 'bird', 'does', "n't", 'stop', '-lrb-', 'twice', '-rrb-', 'then', 'sings')
    """
    text = caption.lower()
    if EASY.fullmatch(text):
        words = text.replace(",", " ").removesuffix(".").split()
        if JOINED.keys().isdisjoint(words):
            return tuple(words)
    found: list[str] = []
    for match in TOKEN.finditer(text):
        found.extend(_words(match[0].replace("’", "'"), str(match.lastgroup)))
    return tuple(found)


def _words(text: str, kind: str) -> tuple[str, ...]:
    if kind == "bracket":
        return (BRACKETS[text],)
    if kind == "smile":
        return ("".join(BRACKETS.get(sign, sign) for sign in text),)
    if kind in {"dots", "dashes"} or text in DROPPED or text in QUOTES:
        return ()
    return JOINED.get(text) or (text,)
