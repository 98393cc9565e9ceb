"""Tokens in the manner of the Penn Treebank, with their positions in the text."""

import re

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.int32]

TOKEN = re.compile(
    r"""
      [^\W\d_]+(?=n['’]t\b)                    # do|n't
    | n['’]t\b
    | ['’](?:s|m|d|re|ve|ll)\b                 # she|'s
    | (?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs)\.
    | (?:[^\W\d_]\.){2,}                       # U.S.
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?\b    # 1,000 1990s
    | [Oo]['’][A-Z][a-z]+                      # O'Brien
    | \w+(?:-\w+)*                             # far-east
    | \.\.\.|--+|[^\w\s]
    """,
    re.VERBOSE,
)
ENDS = frozenset({".", "?", "!", "..."})
CLOSERS = frozenset({'"', "'", "”", "’", ")", "]", "''"})


def tokenise(text: str) -> tuple[tuple[str, ...], Offsets]:
    """Return the tokens of a text in the manner of the Penn Treebank, and their positions.

    Contractions are split, hyphenated words stay whole. Token k is
    `text[offsets[2 * k] : offsets[2 * k + 1]]`.

    Examples
    --------
    >>> tokens, offsets = tokenise("We don't go far-east.")
    >>> tokens
    ('We', 'do', "n't", 'go', 'far-east', '.')
    >>> offsets.tolist()
    [0, 2, 3, 5, 5, 8, 9, 11, 12, 20, 20, 21]
    """
    matches = list(TOKEN.finditer(text))
    flat = [place for match in matches for place in match.span()]
    return tuple([match.group() for match in matches]), np.array(flat, np.int32)


def sentences(tokens: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return where sentences start and end, as token indices; closing quotes stay with theirs.

    Examples
    --------
    >>> sentences(("Why", "?", "He", "left", ".", '"', "So"))
    ((0, 2), (2, 6), (6, 7))
    """
    spans: list[tuple[int, int]] = []
    start = 0
    ended = False
    for index, token in enumerate(tokens):
        if ended and token not in CLOSERS and token not in ENDS:
            spans.append((start, index))
            start, ended = index, False
        ended = ended or token in ENDS
    if start < len(tokens):
        spans.append((start, len(tokens)))
    return tuple(spans)
