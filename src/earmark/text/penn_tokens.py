"""Words of running text and where each stands, so that nothing has to be glued together again."""

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
    """The tokens of a text in the manner of the Penn Treebank, and where each stands.

    Contractions are parted, hyphenated words stay whole. Token k is
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
    """Where sentences start and end, as token indices; a closing quote stays with its sentence.

    Examples
    --------
    >>> sentences(("Why", "?", "He", "left", ".", '"', "So"))
    ((0, 2), (2, 6), (6, 7))
    """
    found: list[tuple[int, int]] = []
    start = 0
    ended = False
    for index, token in enumerate(tokens):
        if ended and token not in CLOSERS and token not in ENDS:
            found.append((start, index))
            start, ended = index, False
        ended = ended or token in ENDS
    if start < len(tokens):
        found.append((start, len(tokens)))
    return tuple(found)
