"""Many documents as parallel arrays, one entry per token, so that features need no Python loop."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Bools, Ints
from earmark.tasks.context.run.hashing import Hashes, word_hashes
from earmark.tasks.context.run.nouns import NOUN_TAGS
from earmark.tasks.context.values import Passage
from earmark.text.noun_forms import noun_stems
from earmark.text.tagger import shipped

# Content words: nouns, adjectives and verbs, without auxiliaries (which are tagged as verbs) and
# without words of one or two letters (mostly initials and clitics).
VERB_TAGS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "VERB")
CONTENT_TAGS = (*NOUN_TAGS, "JJ", "JJR", "JJS", "ADJ", *VERB_TAGS)
AUXILIARIES = frozenset(
    "be is are was were been being am have has had do does did 's 're 've".split()
)
SHORTEST_CONTENT = 3
# Stands for the words before a document's first and after its last.
EDGE = np.uint64(0x5EED)


@dataclass(frozen=True, slots=True)
class CorpusArrays:
    """The tokens of several documents, one after another.

    `words` are the distinct words in lower case. Per token: the number of its word (`types`), the
    hash of the word (`hashes`) and of its singular (`stems`), the number of its document, its
    position in the document, the number of its tag among the tags of this corpus, whether it is
    `capitalised` and whether it is a `content` word. `starts[d]` is the first token of document d,
    and `nouns` are the indices of the tokens with a noun's tag.
    """

    words: tuple[str, ...]
    types: Ints  # (tokens,)
    hashes: Hashes  # (tokens,)
    stems: Hashes  # (tokens,)
    document: Ints  # (tokens,)
    position: Ints  # (tokens,)
    tags: Ints  # (tokens,)
    capitalised: Bools  # (tokens,)
    content: Bools  # (tokens,)
    starts: Ints  # (documents + 1,)
    nouns: Ints  # (nouns,)

    def neighbours(self, tokens: Ints, offset: int) -> Hashes:
        """Return the hash of the word `offset` tokens from each; `EDGE` beyond the document."""
        index, document = tokens + offset, self.document[tokens]
        inside = (index >= self.starts[document]) & (index < self.starts[document + 1])
        hashes = np.full(len(index), EDGE, np.uint64)
        hashes[inside] = self.hashes[index[inside]]
        return hashes

    @property
    def lengths(self) -> Ints:
        """The number of tokens of each document; (documents,)."""
        return np.diff(self.starts)


def passage_arrays(passages: Sequence[Passage]) -> CorpusArrays:
    """Return the arrays of passages as they are, tagged by us unless they have tags."""
    return tagged_arrays([p.tokens for p in passages], [p.tags for p in passages])


def tagged_arrays(
    documents: Sequence[Sequence[str]], tags: Sequence[Sequence[str] | None]
) -> CorpusArrays:
    """Return the arrays of documents; those without tags are tagged by the shipped tagger."""
    tagger = shipped()
    pairs = zip(documents, tags, strict=True)
    return corpus_arrays(documents, [tagger.tag(d) if t is None else t for d, t in pairs])


def corpus_arrays(
    documents: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
) -> CorpusArrays:
    """Return the arrays of documents with their tags."""
    tokens = [token for document in documents for token in document]
    words, types = _numbered(token.lower() for token in tokens)
    sizes = [len(document) for document in documents]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    document = np.repeat(np.arange(len(documents)), sizes)
    tag_names, codes = _coded([tag for document_tags in tags for tag in document_tags])
    too_light = np.array([w in AUXILIARIES or len(w) < SHORTEST_CONTENT for w in words], bool)
    return CorpusArrays(
        words=words,
        types=types,
        hashes=word_hashes(words)[types],
        stems=word_hashes(_stem(word) for word in words)[types],
        document=document,
        position=np.arange(len(tokens)) - starts[document],
        tags=codes,
        capitalised=np.array([token[:1].isupper() for token in tokens], bool),
        content=_among(tag_names, CONTENT_TAGS)[codes] & ~too_light[types],
        starts=starts,
        nouns=np.flatnonzero(_among(tag_names, NOUN_TAGS)[codes]),
    )


def _numbered(tokens: Iterable[str]) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct words in the order in which they appear, and each token's number."""
    numbers: dict[str, int] = {}
    types = np.array([numbers.setdefault(token, len(numbers)) for token in tokens], int)
    return tuple(numbers), types


def _coded(tags: Sequence[str]) -> tuple[list[str], Ints]:
    """Return the distinct tags in alphabetical order, and each token's number among them."""
    names = sorted(set(tags))
    code = {name: index for index, name in enumerate(names)}
    return names, np.array([code[tag] for tag in tags], int)


def _among(names: Sequence[str], wanted: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([name in wanted for name in names], bool)


def _stem(word: str) -> str:
    """Return the shortest singular that the word may have, the first of several as short."""
    return min(noun_stems(word), key=lambda stem: (len(stem), stem))
