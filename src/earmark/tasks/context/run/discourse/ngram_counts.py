"""How often things were seen: sorted hashes with their counts, own document left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.tasks.context.run.discourse.corpus import Flat, mix

Array = Any
WIDTHS = {"w": 1, "lw": 2, "wr": 3, "llw": 4, "wrr": 5, "lwr": 6, "l_w": 7, "w_r": 8}
CONTEXTS = {"l": 11, "r": 12, "ll": 13, "rr": 14, "l_r": 15, "l2": 16, "r2": 17}


@dataclass(frozen=True, slots=True)
class Table:
    """Hashes in order, and how often each was seen."""

    keys: Array
    counts: Array

    @classmethod
    def of(cls, keys: Array) -> "Table":
        """The table of many hashes; half of each hash is enough to tell them apart."""
        found, counts = np.unique(_half(keys), return_counts=True)
        return cls(found, counts.astype(np.float32))

    def look_up(self, keys: Array) -> Array:
        """How often each was seen; 0 for what is not there."""
        if not len(self.keys):
            return np.zeros(np.shape(keys), np.float32)
        asked = _half(keys)
        index = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
        return np.where(self.keys[index] == asked, self.counts[index], np.float32(0))

    def arrays(self, name: str) -> dict[str, Array]:
        """For a model file: steps between hashes, which pack well, and counts."""
        steps = np.diff(self.keys, prepend=np.uint32(0))
        return {f"{name}.steps": steps, f"{name}.counts": self.counts.astype(np.uint32)}

    @classmethod
    def from_arrays(cls, kept: dict[str, Array], name: str) -> "Table":
        """From a model file."""
        keys = np.cumsum(kept[f"{name}.steps"], dtype=np.uint32)
        return cls(keys, kept[f"{name}.counts"].astype(np.float32))


def _half(keys: Array) -> Array:
    return (np.asarray(keys, np.uint64) >> np.uint64(32)).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Around:
    """The hashes of the words around every token."""

    here: Array
    left: Array
    left2: Array
    right: Array
    right2: Array

    @classmethod
    def of(cls, flat: Flat, places: Array) -> "Around":
        """Neighbours of the tokens at those places."""
        beside = [flat.beside(places, by) for by in (-1, -2, 1, 2)]
        return cls(flat.keys[places], *beside)

    def grams(self) -> dict[str, Array]:
        """The n-grams that hold the word itself."""
        w, l1, l2, r1, r2 = self.here, self.left, self.left2, self.right, self.right2
        parts = {
            "w": (w,),
            "lw": (l1, w),
            "wr": (w, r1),
            "llw": (l2, l1, w),
            "wrr": (w, r1, r2),
            "lwr": (l1, w, r1),
            "l_w": (l2, w),
            "w_r": (w, r2),
        }
        return {name: mix(np.uint64(WIDTHS[name]), *keys) for name, keys in parts.items()}

    def contexts(self) -> dict[str, Array]:
        """The same without the word: what its place looks like."""
        l1, l2, r1, r2 = self.left, self.left2, self.right, self.right2
        parts = {
            "l": (l1,),
            "r": (r1,),
            "ll": (l2, l1),
            "rr": (r1, r2),
            "l_r": (l1, r1),
            "l2": (l2,),
            "r2": (r2,),
        }
        return {name: mix(np.uint64(CONTEXTS[name]), *keys) for name, keys in parts.items()}


@dataclass(frozen=True, slots=True)
class Seen:
    """The n-grams and contexts of a corpus's nouns, and in how many documents each noun was."""

    grams: Table
    documents: Table
    nouns: float

    @classmethod
    def of(cls, flat: Flat) -> "Seen":
        """What a corpus holds."""
        around = Around.of(flat, flat.nouns)
        keys = [*around.grams().values(), *around.contexts().values()]
        pair = mix(flat.document[flat.nouns].astype(np.uint64), around.here)
        once = around.here[np.unique(pair, return_index=True)[1]]
        return cls(Table.of(np.concatenate(keys)), Table.of(once), float(len(flat.nouns)))


@dataclass(frozen=True, slots=True)
class Own:
    """How often each document itself holds an n-gram or a context."""

    table: Table

    @classmethod
    def of(cls, flat: Flat, names: Sequence[str] = (*WIDTHS, *CONTEXTS)) -> "Own":
        """The named n-grams and contexts of every document."""
        around = Around.of(flat, flat.nouns)
        told = {**around.grams(), **around.contexts()}
        keys = np.concatenate([told[name] for name in names])
        where = np.tile(flat.document[flat.nouns].astype(np.uint64), len(names))
        return cls(Table.of(mix(where, keys)))

    def look_up(self, document: Array, keys: Array) -> Array:
        """How often the given documents hold these."""
        return self.table.look_up(mix(document.astype(np.uint64), keys))


@dataclass(frozen=True, slots=True)
class Known:
    """What a detector knows: other documents, these documents, and what it must forget again.

    `theirs` is set when these very documents, as they were, are among the others.
    """

    seen: Seen
    own: Own
    theirs: Own | None = None

    @classmethod
    def of(cls, seen: Seen, flat: Flat, originals: Flat | None = None) -> "Known":
        """What is known about these documents."""
        own = Own.of(flat, ("w", "lw", "wr", "l", "r"))
        return cls(seen, own, None if originals is None else Own.of(originals))

    def outside(self, document: Array, keys: Array) -> Array:
        """How often other documents hold these."""
        found = self.seen.grams.look_up(keys)
        if self.theirs is None:
            return found
        return np.maximum(found - self.theirs.look_up(document, keys), 0)
