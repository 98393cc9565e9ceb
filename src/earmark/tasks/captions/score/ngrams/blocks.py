"""Captions as arrays of word keys, some thousand items at a time.

BLEU, CIDEr and ROUGE-L are computed on arrays instead of dictionaries. Both sides are cut into
blocks of items; in a block, all reference captions lie one after another in one flat array of
words, and so do all candidate captions. A word is a 64-bit key, the hash of its text, so that
blocks need no common vocabulary and can be read one after another in bounded memory.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Ints
from earmark.tasks.captions.score.ngrams.tokens import tokenise
from earmark.tasks.captions.values import Captions, single_caption
from earmark.text.hashing import text_number

# Two of a hundred thousand different words share a 64-bit key with a probability of 3e-10.
Keys = NDArray[np.uint64]
# Items per block: with five references of ten words, the arrays of a block take about 50 MB.
BLOCK = 5_000


@dataclass(frozen=True, slots=True, eq=False)
class CaptionWords:
    """Captions one after another: the keys of all their words, and the length of each caption."""

    keys: Keys  # (words,)
    lengths: Ints  # (captions,), sums to the number of words

    def __len__(self) -> int:
        return len(self.lengths)

    def lists(self) -> Iterator[list[int]]:
        """Yield each caption as a list of word keys."""
        keys, start = self.keys.tolist(), 0
        for length in self.lengths.tolist():
            yield keys[start : start + length]
            start += length


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some items in a fixed order, with the words of their references and of their candidates.

    Candidate `k` belongs to item `k`; reference `r` belongs to item `item_of[r]`. The references
    of an item are neighbours, so `item_of` never decreases.
    """

    items: Sequence[str]
    references: CaptionWords
    item_of: Ints  # (references,)
    candidates: CaptionWords


class Blocks:
    """Both sides in blocks of items; can be iterated more than once.

    A single block is kept, because several passes over small data should tokenise it once. Several
    blocks are read anew in each pass, so that memory does not grow with the number of captions.
    """

    def __init__(self, references: Mapping[str, Captions], outputs: Mapping[str, Captions]) -> None:
        self.items = list(references)
        self._references, self._outputs = references, outputs
        self._single: Block | None = None

    def __iter__(self) -> Iterator[Block]:
        if len(self.items) <= BLOCK:
            if self._single is None:
                self._single = self._read(self.items)
            yield self._single
            return
        for first in range(0, len(self.items), BLOCK):
            yield self._read(self.items[first : first + BLOCK])

    def _read(self, items: Sequence[str]) -> Block:
        key_of = _WordKeys().__getitem__
        references = [self._references[item].texts for item in items]
        candidates = (single_caption(self._outputs[item], item) for item in items)
        return Block(
            items=items,
            references=_words(chain.from_iterable(references), key_of),
            item_of=np.repeat(np.arange(len(items)), [len(texts) for texts in references]),
            candidates=_words(candidates, key_of),
        )


def _words(captions: Iterable[str], key_of: Callable[[str], int]) -> CaptionWords:
    keys, lengths = array("Q"), array("q")
    for caption in captions:
        tokens = tokenise(caption)
        keys.extend(map(key_of, tokens))
        lengths.append(len(tokens))
    return CaptionWords(np.frombuffer(keys, np.uint64), np.frombuffer(lengths, np.int64))


class _WordKeys(dict[str, int]):
    """Keys of the words of one block, each hashed once."""

    def __missing__(self, word: str) -> int:
        key = self[word] = text_number(word)
        return key
