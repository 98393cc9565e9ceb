"""Words as numbers: a place in a vocabulary, and hashed beginnings and ends."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

PAD, END, UNKNOWN = 0, 1, 2
SPECIAL = 3
PIECES = 7
TAIL = re.compile(r"(n['’]t|['’].*)", re.DOTALL)
DIGIT = re.compile(r"\d")


def join_tails(words: Sequence[str]) -> tuple[list[str], Ints]:
    """Contractions written apart as one word, and the index of each joined word's last part.

    Examples
    --------
    >>> joined, last = join_tails(["we", "'re", "here"])
    >>> joined, last.tolist()
    (["we're", 'here'], [1, 2])
    """
    joined: list[str] = []
    last: list[int] = []
    for index, word in enumerate(words):
        if joined and TAIL.fullmatch(word) and len(word) > 1:
            joined[-1] += word
            last[-1] = index
        else:
            joined.append(word)
            last.append(index)
    return joined, np.array(last, dtype=np.int64)


def plain(word: str) -> str:
    """The word as a network reads it: lower case, one kind of apostrophe, every digit a 0."""
    return DIGIT.sub("0", word.lower().replace("’", "'"))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words a network knows, most frequent first; pieces are hashed into `places`."""

    words: tuple[str, ...]
    places: int = 8192

    @classmethod
    def of(cls, words: Iterable[str], *, least: int = 2, most: int = 100_000) -> "Vocabulary":
        """Every word that occurs at least `least` times, the commonest `most` of them."""
        counted = Counter(plain(word) for word in words)
        ranked = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        return cls(tuple(word for word, times in ranked[:most] if times >= least))

    def encode(self, words: Sequence[str]) -> Ints:
        """One row per word and one for the end of the text: its place, then its pieces' places."""
        known = {word: place for place, word in enumerate(self.words, start=SPECIAL)}
        cache: dict[str, list[int]] = {}
        rows = []
        for word in words:
            told = plain(word)
            if told not in cache:
                cache[told] = [known.get(told, UNKNOWN), *self._pieces(told)]
            rows.append(cache[told])
        rows.append([END] + [PAD] * PIECES)
        return np.array(rows, dtype=np.int64)

    def _pieces(self, word: str) -> list[int]:
        ends = [f"-{word[-size:]}" for size in (1, 2, 3, 4)]
        starts = [f"{word[:size]}-" for size in (2, 3, 4)]
        return [1 + crc32(piece.encode()) % (self.places - 1) for piece in (*ends, *starts)]
