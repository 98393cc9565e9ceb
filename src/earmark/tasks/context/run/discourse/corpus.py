"""Many documents in one row of arrays, so that every feature is one sweep."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.text.nouns import noun_stems

Array = Any
NOUNS = ("NN", "NNS", "NNP", "NNPS", "NOUN", "PROPN")
CONTENT = (*NOUNS, "JJ", "JJR", "JJS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "ADJ", "VERB")
EDGE = np.uint64(0x5EED)
LIGHT = frozenset("be is are was were been being am have has had do does did 's 're 've".split())


@dataclass(frozen=True, slots=True)
class Flat:
    """Tokens of all documents in a row.

    `types` numbers the lower-case words of `words`; `keys` are 64-bit hashes of the words, `stems`
    of their singulars; `document` and `place` say where a token stands; `nouns` are the tokens
    that carry a noun's tag and `content` marks the words that carry meaning.
    """

    words: tuple[str, ...]
    types: Array
    keys: Array
    stems: Array
    document: Array
    place: Array
    starts: Array
    tags: Array
    upper: Array
    nouns: Array
    content: Array

    def beside(self, places: Array, by: int) -> Array:
        """The hash of the word `by` tokens away; beyond the document's edge, a mark."""
        index, document = places + by, self.document[places]
        inside = (index >= self.starts[document]) & (index < self.starts[document + 1])
        found = np.full(len(index), EDGE, np.uint64)
        found[inside] = self.keys[index[inside]]
        return found


def flatten(documents: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> Flat:
    """All documents with their tags as one row."""
    tokens = [token for document in documents for token in document]
    numbers: dict[str, int] = {}
    types = np.array([numbers.setdefault(token.lower(), len(numbers)) for token in tokens], int)
    words = tuple(numbers)
    sizes = [len(document) for document in documents]
    tagged = [tag for document in tags for tag in document]
    names = {tag: index for index, tag in enumerate(sorted(set(tagged)))}
    codes = np.array([names[tag] for tag in tagged], int)
    of_noun = np.array([tag in NOUNS for tag in sorted(names)], bool)
    of_content = np.array([tag in CONTENT for tag in sorted(names)], bool)
    light = np.array([word in LIGHT or len(word) < 3 for word in words], bool)
    hashed = np.array([word_key(word) for word in words], np.uint64)
    stems = np.array([word_key(min(noun_stems(w), key=_stem_order)) for w in words], np.uint64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    document = np.repeat(np.arange(len(documents)), sizes)
    return Flat(
        words=words,
        types=types,
        keys=hashed[types],
        stems=stems[types],
        document=document,
        place=np.arange(len(tokens)) - starts[document],
        starts=starts,
        tags=codes,
        upper=np.array([token[:1].isupper() for token in tokens], bool),
        nouns=np.flatnonzero(of_noun[codes]),
        content=of_content[codes] & ~light[types],
    )


def word_key(word: str) -> int:
    """A 64-bit hash that is the same on every machine."""
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")


def mix(*keys: Array) -> Array:
    """One hash for several, in order."""
    with np.errstate(over="ignore"):
        found: Array = np.uint64(0x9E3779B97F4A7C15)
        for key in keys:
            found = (found ^ np.asarray(key, np.uint64)) * np.uint64(0xBF58476D1CE4E5B9)
            found = found ^ (found >> np.uint64(31))
    return found


def _stem_order(stem: str) -> tuple[int, str]:
    return len(stem), stem
