"""The two sides of a metric, laid out for arithmetic."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.captions.score.tokens import tokenise
from earmark.tasks.captions.values import Captions
from earmark.text.vector_store import key_of
from earmark.values.errors import InputError

Keys = NDArray[np.uint64]
Whole = NDArray[np.int64]
BLOCK = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Captions one after another: a number for each of their words, and how many each has.

    Eight bytes a word, so that a million captions fit in a hundred megabytes. Two of a hundred
    thousand different words share a number with a chance of three in ten thousand million.
    """

    keys: Keys
    lengths: Whole

    def __len__(self) -> int:
        return len(self.lengths)

    def part(self, first: int, last: int) -> "Words":
        """The captions from `first` up to `last`."""
        before = int(self.lengths[:first].sum())
        size = int(self.lengths[first:last].sum())
        return Words(self.keys[before : before + size], self.lengths[first:last])

    def lists(self) -> Iterator[list[int]]:
        """Each caption as a list of numbers."""
        flat, at = self.keys.tolist(), 0
        for length in self.lengths.tolist():
            yield flat[at : at + length]
            at += length


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Items in a fixed order: the words of all references, whose they are, and the candidates'.

    `of` holds for each reference the place of its item, and never falls.
    """

    items: tuple[str, ...]
    references: Words
    of: Whole
    candidates: Words

    def blocks(self) -> Iterator["Sides"]:
        """The same, some thousand items at a time."""
        for first in range(0, len(self.items), BLOCK):
            last = min(first + BLOCK, len(self.items))
            begin, end = np.searchsorted(self.of, [first, last]).tolist()
            yield Sides(
                self.items[first:last],
                self.references.part(begin, end),
                self.of[begin:end] - first,
                self.candidates.part(first, last),
            )


def lay_out(references: Mapping[str, Captions], outputs: Mapping[str, Captions]) -> Sides:
    """Both sides as words, read one item after another."""
    numbers = _Numbers()
    items = tuple(references)
    sizes = array("q")

    def reference_texts() -> Iterator[str]:
        for item in items:
            texts = references[item].texts
            sizes.append(len(texts))
            yield from texts

    theirs = _words(reference_texts(), numbers.__getitem__)
    ours = _words((only(outputs[item], item) for item in items), numbers.__getitem__)
    return Sides(items, theirs, np.repeat(np.arange(len(items)), sizes), ours)


def _words(texts: Iterable[str], number: Callable[[str], int]) -> Words:
    keys, lengths = array("Q"), array("q")
    for text in texts:
        found = tokenise(text)
        keys.extend(map(number, found))
        lengths.append(len(found))
    return Words(np.frombuffer(keys, dtype=np.uint64), np.frombuffer(lengths, dtype=np.int64))


class _Numbers(dict[str, int]):
    """Word to number, worked out once."""

    def __missing__(self, word: str) -> int:
        number = self[word] = int.from_bytes(key_of(word)[:8], "little")
        return number


def only(captions: Captions, item: str) -> str:
    """The one caption of a system; n-gram metrics know no more than one."""
    if len(captions.texts) > 1:
        raise InputError(
            "this metric compares one caption with the references",
            at=f"item {item}",
            got=f"{len(captions.texts)} captions",
            fix="keep one caption an item, or use spice_plus or spice_plus_emb",
        )
    return captions.texts[0]
