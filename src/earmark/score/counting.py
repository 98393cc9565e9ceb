"""Counts of many items: one array for all of them, and what metrics of one call share."""

import copy
import functools
import math
import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from earmark.values.counts import ManyCounts, RowCounts

C = TypeVar("C")
P = TypeVar("P")
Sides = Mapping[str, Any]


class CountTable(Mapping[str, C], Generic[C]):
    """Counts of many items as rows of one array; a record is made when one item is looked at.

    `record(row)` makes the counts of a row of numbers, which may also be a sum of rows.

    Examples
    --------
    >>> from earmark.values.counts import Hits
    >>> table = CountTable(("a", "b"), np.array([[1, 0, 2], [3, 1, 0]]), lambda row: Hits(*row))
    >>> table["b"], table.total()
    (Hits(true_positives=3, false_negatives=1, false_positives=0), \
Hits(true_positives=4, false_negatives=1, false_positives=2))
    """

    def __init__(
        self, items: Sequence[str], rows: NDArray[Any], record: Callable[[Sequence[Any]], C]
    ) -> None:
        self.items_in_order = tuple(items)
        self.rows = rows  # (items, columns), integers or floats
        self.record = record
        self._places: dict[str, int] = {}

    def __getitem__(self, item: str) -> C:
        if not self._places:
            self._places = {name: row for row, name in enumerate(self.items_in_order)}
        return self.record(self.rows[self._places[item]].tolist())

    def __iter__(self) -> Iterator[str]:
        return iter(self.items_in_order)

    def __len__(self) -> int:
        return len(self.items_in_order)

    def total(self) -> C:
        """Return the counts of all items together; the sums are exact."""
        if np.issubdtype(self.rows.dtype, np.integer):
            return self.record(self.rows.sum(axis=0).tolist())
        return self.record([math.fsum(column) for column in self.rows.T.tolist()])

    def in_order(self, items: Sequence[str]) -> Self:
        """Return the table with its items in this order; they must be the same items."""
        if self.items_in_order == tuple(items):
            return self
        places = {name: row for row, name in enumerate(self.items_in_order)}
        return self._with(items, self.rows[[places[item] for item in items]])

    def chosen(self, rows: Sequence[int]) -> Self:
        """Return the table of some of the rows."""
        return self._with([self.items_in_order[row] for row in rows], self.rows[list(rows)])

    def joined(self, other: Self) -> Self:
        """Return a table of the rows of both, for items that both may have.

        A table whose columns depend on its content overrides this, to give both the same columns.
        """
        names = (*self.items_in_order, *other.items_in_order)
        return self._with(names, np.vstack([self.rows, other.rows]))

    def _with(self, items: Sequence[str], rows: NDArray[Any]) -> Self:
        table = copy.copy(self)
        table.items_in_order, table.rows, table._places = tuple(items), rows, {}
        return table


@runtime_checkable
class Columnar(Protocol):
    """A side that is kept by column and can be read in another order without looking at items."""

    def in_order(self, items: Sequence[str]) -> Mapping[str, Any]:
        """Return the same side with its items in this order."""
        ...


class InOrder(Mapping[str, Any]):
    """A mapping read in a given order, without a copy of what it holds."""

    def __init__(self, values: Mapping[str, Any], items: Sequence[str]) -> None:
        self._values, self._items = values, items

    def __getitem__(self, item: str) -> Any:
        return self._values[item]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


def in_order(side: Mapping[str, Any], items: Sequence[str]) -> Mapping[str, Any]:
    """Return a side whose items come in this order."""
    return side.in_order(items) if isinstance(side, Columnar) else InOrder(side, items)


class Prepared:
    """Both sides of one call, and what its metrics prepared from them.

    Metrics that lay the sides out in the same way (as arrays, as parsed graphs) name the same
    function as their `prepare`; it is called once for all of them. Whoever evaluates several
    metrics makes one of these and lets it go afterwards.
    """

    def __init__(self, reference: Sides, output: Sides, items: Sequence[str]) -> None:
        self.reference, self.output = in_order(reference, items), in_order(output, items)
        self.items = items
        self._made: dict[Hashable, Any] = {}

    def of(self, prepare: Callable[[Sides, Sides], P]) -> P:
        """Return what `prepare(reference, output)` gives, made once."""
        if prepare not in self._made:
            self._made[prepare] = prepare(self.reference, self.output)
        result: P = self._made[prepare]
        return result


def add(counts: Sequence[Any] | CountTable[Any]) -> Any:
    """Return all counts together; sums of numbers are exact, whatever the order of items."""
    if isinstance(counts, CountTable):
        return counts.total()
    first = counts[0]
    if isinstance(first, RowCounts):
        rows = [tally.row() for tally in counts]
        return type(first).from_row(tuple(map(math.fsum, zip(*rows, strict=True))))
    if isinstance(first, ManyCounts):
        return type(first).sum_of(counts)
    return functools.reduce(operator.add, counts)
