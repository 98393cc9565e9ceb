"""How often n-grams around nouns were seen: in the training corpus, and in a document itself.

An n-gram is a hash of its words together with a salt for its kind. Counts are kept in sorted
arrays of hashes (`HashCounts`), so that the counts of a million n-grams are one binary search.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Ints
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.hashing import Hashes, combine

Counts = NDArray[np.float32]


class NgramKind(NamedTuple):
    """Which words around a noun an n-gram holds, by their offsets from it, and its salt.

    Salts are stored in model files as part of the hashes, so they do not change.
    """

    salt: int
    offsets: tuple[int, ...]


# Names: w is the noun itself, l and r are neighbours on the left and right, _ is a word that is
# passed over. N-grams hold the noun; contexts are the same places without it.
NGRAMS = {
    "w": NgramKind(1, (0,)),
    "lw": NgramKind(2, (-1, 0)),
    "wr": NgramKind(3, (0, 1)),
    "llw": NgramKind(4, (-2, -1, 0)),
    "wrr": NgramKind(5, (0, 1, 2)),
    "lwr": NgramKind(6, (-1, 0, 1)),
    "l_w": NgramKind(7, (-2, 0)),
    "w_r": NgramKind(8, (0, 2)),
}
CONTEXTS = {
    "l": NgramKind(11, (-1,)),
    "r": NgramKind(12, (1,)),
    "ll": NgramKind(13, (-2, -1)),
    "rr": NgramKind(14, (1, 2)),
    "l_r": NgramKind(15, (-1, 1)),
    "l2": NgramKind(16, (-2,)),
    "r2": NgramKind(17, (2,)),
}
KINDS = {**NGRAMS, **CONTEXTS}
# The context that is left of an n-gram without its noun.
CONTEXT_OF = {
    "lw": "l",
    "wr": "r",
    "llw": "ll",
    "wrr": "rr",
    "lwr": "l_r",
    "l_w": "l2",
    "w_r": "r2",
}
# The kinds whose counts within a document are asked for when the document is judged.
COUNTED_IN_DOCUMENT = ("w", "lw", "wr", "l", "r", "llw", "wrr", "ll", "rr")


@dataclass(frozen=True, slots=True)
class HashCounts:
    """Sorted hashes, and how often each was seen.

    Only the upper half of each hash is kept, which halves the model file. An n-gram that was never
    seen is then taken for one of the N that were with probability N / 2**32: 1 in 2,000 for two
    million.
    """

    keys: NDArray[np.uint32]  # (distinct,)
    counts: Counts  # (distinct,)

    @classmethod
    def of(cls, hashes: Hashes) -> "HashCounts":
        """Count hashes."""
        keys, counts = np.unique(_upper_half(hashes), return_counts=True)
        return cls(keys, counts.astype(np.float32))

    def look_up(self, hashes: Hashes) -> Counts:
        """Return how often each hash was seen; an array of any shape."""
        if not len(self.keys):
            return np.zeros(np.shape(hashes), np.float32)
        asked = _upper_half(hashes)
        index = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
        return np.where(self.keys[index] == asked, self.counts[index], np.float32(0))

    def plus(self, other: "HashCounts") -> "HashCounts":
        """Return the counts of both together."""
        keys, place = np.unique(np.concatenate([self.keys, other.keys]), return_inverse=True)
        counts = np.bincount(place, weights=np.concatenate([self.counts, other.counts]))
        return HashCounts(keys, counts.astype(np.float32))

    def arrays(self, name: str) -> dict[str, NDArray[np.uint32]]:
        """Return arrays for a model file: counts, and differences of hashes, which pack well."""
        steps = np.diff(self.keys, prepend=np.uint32(0))
        return {f"{name}.steps": steps, f"{name}.counts": self.counts.astype(np.uint32)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.uint32]], name: str) -> "HashCounts":
        """Return the counts that a model file holds."""
        keys = np.cumsum(arrays[f"{name}.steps"], dtype=np.uint32)
        return cls(keys, arrays[f"{name}.counts"].astype(np.float32))


def _upper_half(hashes: Hashes) -> NDArray[np.uint32]:
    return (np.asarray(hashes, np.uint64) >> np.uint64(32)).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Neighbourhoods:
    """The hashes of nouns and of the words around them, by offset from the noun; (nouns,) each."""

    by_offset: Mapping[int, Hashes]

    @classmethod
    def of(cls, corpus: CorpusArrays, tokens: Ints) -> "Neighbourhoods":
        """Return the neighbourhoods of some tokens."""
        return cls({offset: corpus.neighbours(tokens, offset) for offset in range(-2, 3)})

    def ngrams(self, name: str) -> Hashes:
        """Return the n-gram or context of that kind at each noun; (nouns,)."""
        kind = KINDS[name]
        return combine(np.uint64(kind.salt), *(self.by_offset[o] for o in kind.offsets))

    def with_nouns(self, nouns: Hashes) -> "Neighbourhoods":
        """Return the same places with several other nouns each: (nouns, others) instead."""
        around = {offset: hashes[:, None] for offset, hashes in self.by_offset.items()}
        return Neighbourhoods({**around, 0: nouns})


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """What a detector learns by counting.

    The n-grams and contexts of all nouns, the number of documents that each noun is in (by the
    hash of the word), and the number of nouns.
    """

    ngrams: HashCounts
    documents: HashCounts
    nouns: float

    @classmethod
    def of(cls, corpus: CorpusArrays) -> "CorpusCounts":
        """Count a corpus."""
        around = Neighbourhoods.of(corpus, corpus.nouns)
        hashes = np.concatenate([around.ngrams(name) for name in KINDS])
        words = corpus.hashes[corpus.nouns]
        in_document = combine(corpus.document[corpus.nouns], words)
        once_per_document = words[np.unique(in_document, return_index=True)[1]]
        return cls(
            HashCounts.of(hashes), HashCounts.of(once_per_document), float(len(corpus.nouns))
        )

    def plus(self, other: "CorpusCounts") -> "CorpusCounts":
        """Return the counts of both together; they count different documents."""
        return CorpusCounts(
            self.ngrams.plus(other.ngrams),
            self.documents.plus(other.documents),
            self.nouns + other.nouns,
        )


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """How often each document holds an n-gram, by the hash of both."""

    counts: HashCounts

    @classmethod
    def of(cls, corpus: CorpusArrays, kinds: Iterable[str]) -> "DocumentCounts":
        """Count the n-grams and contexts of these kinds in every document."""
        around = Neighbourhoods.of(corpus, corpus.nouns)
        document = corpus.document[corpus.nouns]
        hashes = [combine(document, around.ngrams(name)) for name in kinds]
        return cls(HashCounts.of(np.concatenate(hashes)))

    def look_up(self, document: Ints, ngrams: Hashes) -> Counts:
        """Return how often each document holds the n-gram beside it; shapes are broadcast."""
        return self.counts.look_up(combine(document, ngrams))


@dataclass(frozen=True, slots=True)
class ContextCounts:
    """The counts by which the nouns of some documents are judged: elsewhere, and in them.

    While a detector is trained, the documents that it judges are themselves part of the corpus
    that was counted; `to_subtract` then holds what each of them contributed, before it was
    corrupted. Otherwise every noun would seem well known at its own place.
    """

    corpus: CorpusCounts
    own: DocumentCounts
    to_subtract: DocumentCounts | None = None

    @classmethod
    def of(
        cls, counts: CorpusCounts, judged: CorpusArrays, counted: CorpusArrays | None = None
    ) -> "ContextCounts":
        """Return the counts to judge documents by; `counted` is what was counted of them."""
        own = DocumentCounts.of(judged, COUNTED_IN_DOCUMENT)
        return cls(counts, own, None if counted is None else DocumentCounts.of(counted, KINDS))

    def elsewhere(self, document: Ints, ngrams: Hashes) -> Counts:
        """Return how often other documents than the given ones hold the n-grams."""
        counts = self.corpus.ngrams.look_up(ngrams)
        if self.to_subtract is None:
            return counts
        others = counts - self.to_subtract.look_up(document, ngrams)
        return np.asarray(np.maximum(others, 0), np.float32)

    def other_documents(self, document: Ints, around: Neighbourhoods) -> Counts:
        """Return in how many other documents each noun is; (nouns,)."""
        documents = self.corpus.documents.look_up(around.by_offset[0])
        if self.to_subtract is None:
            return documents
        return documents - (self.to_subtract.look_up(document, around.ngrams("w")) > 0)
