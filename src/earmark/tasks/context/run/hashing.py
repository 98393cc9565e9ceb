"""64-bit hashes of words and n-grams, the same on every machine.

Models count n-grams by hash instead of by text: an array of hashes is sorted, searched and stored
without a Python object per n-gram, and a model file does not hold the text it was trained on.
"""

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Hashes = NDArray[np.uint64]

# The increment and the first multiplier of SplitMix64 (Steele, Lea and Flood 2014), a mixer known
# to spread every input bit over all output bits.
SEED = np.uint64(0x9E3779B97F4A7C15)
MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9)
SHIFT = np.uint64(31)


def word_hash(word: str) -> int:
    """Return the hash of a word."""
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")


def word_hashes(words: Iterable[str]) -> Hashes:
    """Return the hashes of words, each distinct word hashed once."""
    known: dict[str, int] = {}
    hashes = []
    for word in words:
        if word not in known:
            known[word] = word_hash(word)
        hashes.append(known[word])
    return np.array(hashes, np.uint64)


def combine(*hashes: ArrayLike) -> Hashes:
    """Return one hash for several in their order, element by element; shapes are broadcast.

    The first of them is often a salt, a small number that keeps one kind of n-gram apart from
    another of the same words.
    """
    combined: Hashes = np.asarray(SEED)
    with np.errstate(over="ignore"):
        for part in hashes:
            combined = (combined ^ np.asarray(part, np.uint64)) * MULTIPLIER
            combined = combined ^ (combined >> SHIFT)
    return combined
