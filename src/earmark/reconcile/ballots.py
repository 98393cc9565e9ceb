"""Answers as three integer columns: which item, which person, which label.

Names are coded in sorted order and rows are kept sorted by item and person, so that no result can
depend on the order in which answers arrived.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.tables.columns import Coder
from earmark.values.errors import InputError

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Coded:
    """Answers sorted by item, then person; `starts[k]:starts[k+1]` are the answers to item k."""

    items: tuple[str, ...]
    people: tuple[str, ...]
    labels: tuple[str, ...]
    starts: NDArray[np.int64]
    person: Ints
    label: NDArray[np.int16] | NDArray[np.int32]

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return len(self.person)

    @property
    def item(self) -> Ints:
        """The item of every answer."""
        return np.repeat(np.arange(len(self.items), dtype=np.int32), np.diff(self.starts))

    def votes(self) -> Floats:
        """Return how many chose each label: (items, labels)."""
        size = len(self.labels)
        cell = self.item.astype(np.int64) * size + self.label
        counted = np.bincount(cell, minlength=len(self.items) * size)
        return counted.reshape(len(self.items), size).astype(np.float64)

    def cells(self) -> Floats:
        """Return how often each person chose each label: (people, labels)."""
        size = len(self.labels)
        cell = self.person.astype(np.int64) * size + self.label
        counted = np.bincount(cell, minlength=len(self.people) * size)
        return counted.reshape(len(self.people), size).astype(np.float64)

    def only(self, people: NDArray[np.bool_]) -> "Coded":
        """Return the answers of the chosen people alone; items without an answer stay, empty."""
        keep = people[self.person]
        counted = np.bincount(self.item[keep], minlength=len(self.items))
        starts = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
        return Coded(
            self.items, self.people, self.labels, starts, self.person[keep], self.label[keep]
        )


Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def coded(item: Any, person: Any, label: Any, *, names: Names) -> Coded:
    """Return answers from integer columns in any order; `names` are (items, people, labels).

    Examples
    --------
    >>> answers = coded([1, 0], [0, 0], [1, 0], names=(("a", "b"), ("ann",), ("no", "yes")))
    >>> answers.starts.tolist(), answers.label.tolist()
    ([0, 1, 2], [0, 1])
    """
    item, person = np.asarray(item, dtype=np.int32), np.asarray(person, dtype=np.int32)
    items, people, labels = names
    if not len(item):
        raise InputError("there must be at least one answer", fix="ask somebody first")
    order = in_order(item, person, len(people))
    counted = np.bincount(item, minlength=len(items))
    starts = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
    narrow = len(labels) <= np.iinfo(np.int16).max  # half the memory, for all but huge vocabularies
    chosen = np.asarray(label, dtype=np.int32)[order]
    return Coded(
        items, people, labels, starts, person[order], chosen.astype(np.int16) if narrow else chosen
    )


def in_order(item: Ints, person: Ints, people: int) -> NDArray[np.int64]:
    """Return the rows sorted by item, then person; raise TwiceError if a person answers twice."""
    key = item.astype(np.int64) * people + person
    order = np.argsort(key, kind="stable")
    ranked = key[order]
    twice = np.flatnonzero(ranked[1:] == ranked[:-1])
    if len(twice):
        raise TwiceError(int(order[twice[0]]), int(order[twice[0] + 1]))
    return order


class TwiceError(InputError):
    """Two rows hold the same person's answer to the same item; `first` and `again` name them."""

    def __init__(self, first: int, again: int, at: str | None = None, who: str = "") -> None:
        self.first, self.again = first, again
        super().__init__(
            "a person answers an item once",
            at=at or f"answers {first + 1} and {again + 1}",
            got=who,
            fix="keep one of the two answers",
        )


def code_rows(rows: Iterable[tuple[str, str, str]]) -> Coded:
    """Return rows of (item, person, label) as coded answers.

    Examples
    --------
    >>> code_rows([("b", "ann", "yes"), ("a", "bob", "no")]).items
    ('a', 'b')
    """
    coders = Coder(), Coder(), Coder()
    for row in rows:
        for coder, name in zip(coders, row, strict=True):
            coder.add(name)
    if not coders[0].codes:
        raise InputError("there must be at least one answer", fix="ask somebody first")
    item, person, label = (coder.done() for coder in coders)
    names = (item.names, person.names, label.names)
    return coded(item.codes, person.codes, label.codes, names=names)
