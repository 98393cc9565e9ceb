"""The two sides of a metric, laid out for arithmetic."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.captions.score.ngrams.tokens import tokenise
from earmark.tasks.captions.values import Captions
from earmark.text.vector_store import key_of
from earmark.values.errors import InputError

Keys = NDArray[np.uint64]
Whole = NDArray[np.int64]
BLOCK = 5_000


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Captions one after another: a number for each of their words, and how many each has.

    Two of a hundred thousand different words share a number with a chance of three in ten thousand
    million.
    """

    keys: Keys
    lengths: Whole

    def __len__(self) -> int:
        return len(self.lengths)

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

    items: Sequence[str]
    references: Words
    of: Whole
    candidates: Words


class Blocks:
    """Both sides, some thousand items at a time, as often as one asks.

    A single block is kept; several are cut into words anew each time, so that a million captions
    take no more room than the first.
    """

    def __init__(self, references: Mapping[str, Captions], outputs: Mapping[str, Captions]) -> None:
        self._sides = references, outputs
        self.items = list(references)
        self._only: Sides | None = None

    def __iter__(self) -> Iterator[Sides]:
        if len(self.items) <= BLOCK:
            self._only = self._only or lay_out(*self._sides, self.items)
            yield self._only
            return
        for first in range(0, len(self.items), BLOCK):
            yield lay_out(*self._sides, self.items[first : first + BLOCK])


def lay_out(
    references: Mapping[str, Captions], outputs: Mapping[str, Captions], items: Sequence[str]
) -> Sides:
    """Both sides of these items as words."""
    number = _Numbers().__getitem__
    texts = [references[item].texts for item in items]
    theirs = _words(chain.from_iterable(texts), number)
    ours = _words((only(outputs[item], item) for item in items), number)
    of = np.repeat(np.arange(len(items)), [len(each) for each in texts])
    return Sides(items, theirs, of, ours)


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
