"""Words split at spaces, normalised for comparison, and the punctuation after each."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

MARKS = ".,;:!?…"
QUOTES = "\"'`´‘’‚“”„«»‹›()[]{}<>*_"
WIDE = str.maketrans(
    {"。": ".", "！": "!", "？": "?", "；": ";", "，": ",", "：": ":", "؟": "?", "‽": "?"}
)
APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'"})
GLUED = re.compile(r"(?<=[a-zà-ÿ])([.!?;]+)(?=[A-ZÀ-Þ])")
TITLES = frozenset(
    "mr mrs ms messrs dr st prof gen sen rep gov col lt sgt capt hon rev maj pres jr sr vs etc no "
    "mt ft dept vol fig eq ref cf approx".split()
)
INITIALS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")


class Token(NamedTuple):
    """A word as it is compared, the marks after it, and the word as it was written."""

    word: str
    mark: str
    written: str

    @property
    def is_word(self) -> bool:
        """Whether it has a letter or a digit; a lone dash has none."""
        return any(sign.isalnum() for sign in self.word)


def fold(word: str) -> str:
    """Return the word in lower case, with one kind of apostrophe and one form of every letter.

    Examples
    --------
    >>> fold("’Re")
    "'re"
    """
    return unicodedata.normalize("NFKC", word.translate(APOSTROPHES)).lower()


@lru_cache(maxsize=1 << 16)
def normalise(word: str) -> str:
    """Return the word for comparison: folded, without marks or quotes around it.

    Examples
    --------
    >>> normalise("“Don’t,"), normalise("U.S."), normalise("3.5")
    ("don't", 'u.s', '3.5')
    """
    return fold(word).strip(MARKS + QUOTES)


def tokens(text: str) -> list[Token]:
    """Return the words of a text with the marks that follow each.

    Marks that appear alone belong to the word before them; marks before the first word are lost.
    The full stop of a title, of initials or of an abbreviation with inner stops is no mark unless
    the text ends there.

    Examples
    --------
    >>> [(t.word, t.mark) for t in tokens("Mr. Smith , come here !  Now?")]
    [('mr', ''), ('smith', ','), ('come', ''), ('here', '!'), ('now', '?')]
    """
    pieces = GLUED.sub(r"\1 ", text.translate(WIDE)).split()
    rows: list[Token] = []
    for place, piece in enumerate(pieces):
        word = normalise(piece)
        mark = trailing_marks(piece)
        if not word and rows:
            rows[-1] = rows[-1]._replace(mark=rows[-1].mark + mark)
        if word:
            following = pieces[place + 1] if place + 1 < len(pieces) else None
            rows.append(Token(word, _meant(piece, mark, following), piece))
    return rows


@lru_cache(maxsize=1 << 16)
def trailing_marks(piece: str) -> str:
    """Return the marks at the end of a piece of text, without quotes and brackets.

    Examples
    --------
    >>> trailing_marks('over."'), trailing_marks("3.5"), trailing_marks("what?!")
    ('.', '', '?!')
    """
    end = len(piece)
    while end and piece[end - 1] in MARKS + QUOTES:
        end -= 1
    return "".join(sign for sign in piece[end:] if sign in MARKS)


def _meant(piece: str, mark: str, following: str | None) -> str:
    """Return the mark without the full stop of an abbreviation."""
    if not mark.startswith(".") or following is None or not following[:1].isalnum():
        return mark
    bare = piece.strip(MARKS + QUOTES)
    initial = len(bare) == 1 and bare.isupper() and bare != "I" and following[:1].isupper()
    dotted = bool(INITIALS.fullmatch(bare)) and not following[:1].isupper()
    if bare.lower() in TITLES or initial or dotted:
        return mark[1:]
    return mark
