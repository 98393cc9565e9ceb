"""Words as numbers: an index in a vocabulary, and hashed prefixes and suffixes."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from earmark.arrays import Ints

PAD, END, UNKNOWN = 0, 1, 2
SPECIAL = 3
# How many letters the suffixes and prefixes have. Chosen by hand; not tuned.
SUFFIX_SIZES, PREFIX_SIZES = (1, 2, 3, 4), (2, 3, 4)
AFFIXES = len(SUFFIX_SIZES) + len(PREFIX_SIZES)
CONTRACTED = re.compile(r"(n['’]t|['’].*)", re.DOTALL)
DIGIT = re.compile(r"\d")


def join_contractions(words: Sequence[str]) -> tuple[list[str], Ints]:
    """Join contractions that are written apart; return the words and each one's last part.

    Examples
    --------
    >>> joined, last = join_contractions(["we", "'re", "here"])
    >>> joined, last.tolist()
    (["we're", 'here'], [1, 2])
    """
    joined: list[str] = []
    last: list[int] = []
    for index, word in enumerate(words):
        if joined and CONTRACTED.fullmatch(word) and len(word) > 1:
            joined[-1] += word
            last[-1] = index
        else:
            joined.append(word)
            last.append(index)
    return joined, np.array(last, dtype=np.int64)  # (joined words,)


def simplified(word: str) -> str:
    """Return the word as a network reads it: lower case, one apostrophe, every digit a 0."""
    return DIGIT.sub("0", word.lower().replace("’", "'"))


@dataclass(frozen=True, slots=True)
class NetworkVocabulary:
    """The words a network knows, most frequent first; affixes are hashed into `buckets`."""

    words: tuple[str, ...]
    buckets: int = 8192  # chosen by hand; not tuned

    @classmethod
    def of(
        cls, words: Iterable[str], *, least: int = 2, most: int = 100_000
    ) -> "NetworkVocabulary":
        """Return the commonest `most` words among those that occur at least `least` times."""
        counts = Counter(simplified(word) for word in words)
        ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return cls(tuple(word for word, times in ranked[:most] if times >= least))

    def encode(self, words: Sequence[str]) -> Ints:
        """Return one row per word and one for the end of the text: its index, then its affixes'."""
        known = {word: index for index, word in enumerate(self.words, start=SPECIAL)}
        cache: dict[str, list[int]] = {}
        rows = []
        for word in map(simplified, words):
            if word not in cache:
                cache[word] = [known.get(word, UNKNOWN), *self._affixes(word)]
            rows.append(cache[word])
        rows.append([END] + [PAD] * AFFIXES)
        return np.array(rows, dtype=np.int64)  # (words + 1, 1 + AFFIXES)

    def _affixes(self, word: str) -> list[int]:
        suffixes = [f"-{word[-size:]}" for size in SUFFIX_SIZES]
        prefixes = [f"{word[:size]}-" for size in PREFIX_SIZES]
        return [1 + crc32(affix.encode()) % (self.buckets - 1) for affix in (*suffixes, *prefixes)]
