"""Answers as three integer columns: which item, which person, which label.

Names are coded in sorted order and rows are kept sorted by item and person, so that no result can
depend on the order in which answers arrived.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    label: NDArray[np.int16]

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return len(self.person)

    @property
    def item(self) -> Ints:
        """The item of every answer."""
        return np.repeat(np.arange(len(self.items), dtype=np.int32), np.diff(self.starts))

    def votes(self) -> Floats:
        """How many chose each label, items by labels."""
        size = len(self.labels)
        cell = self.item.astype(np.int64) * size + self.label
        counted = np.bincount(cell, minlength=len(self.items) * size)
        return counted.reshape(len(self.items), size).astype(np.float64)

    def cells(self) -> Floats:
        """How often each person chose each label, people by labels."""
        size = len(self.labels)
        cell = self.person.astype(np.int64) * size + self.label
        counted = np.bincount(cell, minlength=len(self.people) * size)
        return counted.reshape(len(self.people), size).astype(np.float64)

    def kept(self, people: NDArray[np.bool_]) -> "Coded":
        """Only the answers of the chosen people; items without an answer stay, empty."""
        keep = people[self.person]
        counted = np.bincount(self.item[keep], minlength=len(self.items))
        starts = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
        return Coded(
            self.items, self.people, self.labels, starts, self.person[keep], self.label[keep]
        )


Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def coded(item: Any, person: Any, label: Any, *, names: Names) -> Coded:
    """Integer columns in any order, with (items, people, labels) as names, made canonical.

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
    chosen = np.asarray(label, dtype=np.int16)[order]
    return Coded(items, people, labels, starts, person[order], chosen)


def in_order(item: Ints, person: Ints, people: int) -> NDArray[np.int64]:
    """The rows sorted by item, then person; an error when a person answers an item twice."""
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


class Coder:
    """Gives names numbers while a file is read, and sorts the names afterwards."""

    __slots__ = ("codes", "numbers")

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.codes = array("i")

    def add(self, name: str) -> None:
        """One more row with this name."""
        self.codes.append(self.numbers.setdefault(name, len(self.numbers)))

    def done(self) -> tuple[tuple[str, ...], Ints]:
        """The names, sorted, and the rows coded by them."""
        names = sorted(self.numbers)
        rank = np.empty(len(names), dtype=np.int32)
        rank[[self.numbers[name] for name in names]] = np.arange(len(names), dtype=np.int32)
        return tuple(names), rank[np.frombuffer(self.codes, dtype=np.int32)]


def code_rows(rows: Iterable[tuple[str, str, str]]) -> Coded:
    """Rows of (item, person, label) as coded answers.

    Examples
    --------
    >>> code_rows([("b", "ann", "yes"), ("a", "bob", "no")]).items
    ('a', 'b')
    """
    item, person, label = Coder(), Coder(), Coder()
    for row in rows:
        item.add(row[0])
        person.add(row[1])
        label.add(row[2])
    if not item.codes:
        raise InputError("there must be at least one answer", fix="ask somebody first")
    coders = [coder.done() for coder in (item, person, label)]
    names = (coders[0][0], coders[1][0], coders[2][0])
    return coded(coders[0][1], coders[1][1], coders[2][1], names=names)
