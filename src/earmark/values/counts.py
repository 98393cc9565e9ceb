"""Tallies of one item. They add, and they lay themselves out as a row of numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable


@runtime_checkable
class Counts(Protocol):
    """Anything that adds. What also has `row` and `from_row` can be resampled by one product."""

    def __add__(self, other: Self, /) -> Self:
        """Return both tallies together."""
        ...


@runtime_checkable
class ManyCounts(Counts, Protocol):
    """Counts of which many are added faster at once than one after the other."""

    @classmethod
    def sum_of(cls, counts: Iterable[Self], /) -> Self:
        """Return all tallies together."""
        ...


@runtime_checkable
class RowCounts(Counts, Protocol):
    """Counts made of numbers: a row of them, and back."""

    def row(self) -> tuple[float, ...]:
        """Return the numbers, always in the same order and of the same length."""
        ...

    @classmethod
    def from_row(cls, row: tuple[float, ...]) -> Self:
        """Return the counts whose row this is."""
        ...


@dataclass(frozen=True, slots=True)
class Hits:
    """True positives, false negatives and false positives; they add.

    Examples
    --------
    >>> Hits(2, 1, 0) + Hits(1, 0, 4)
    Hits(true_positives=3, false_negatives=1, false_positives=4)
    """

    true_positives: float = 0
    false_negatives: float = 0
    false_positives: float = 0

    def __add__(self, other: "Hits") -> "Hits":
        return Hits(
            self.true_positives + other.true_positives,
            self.false_negatives + other.false_negatives,
            self.false_positives + other.false_positives,
        )

    def row(self) -> tuple[float, ...]:
        """Return the three numbers."""
        return (self.true_positives, self.false_negatives, self.false_positives)

    @classmethod
    def from_row(cls, row: tuple[float, ...]) -> "Hits":
        """Return the tallies of a row."""
        return cls(*row)


@dataclass(frozen=True, slots=True)
class Mean:
    """A sum and how many it sums; what was undefined is counted apart.

    Examples
    --------
    >>> Mean.of(0.25) + Mean.of(0.75) + Mean.of(float("nan"))
    Mean(total=1.0, size=2, undefined=1)
    """

    total: float = 0.0
    size: float = 0
    undefined: float = 0

    @classmethod
    def of(cls, value: float, weight: float = 1) -> "Mean":
        """Return the mean of one value; nan counts as undefined and does not enter the sum."""
        if value != value:
            return cls(0.0, 0, weight)
        return cls(value * weight, weight, 0)

    def __add__(self, other: "Mean") -> "Mean":
        return Mean(
            self.total + other.total,
            self.size + other.size,
            self.undefined + other.undefined,
        )

    def row(self) -> tuple[float, ...]:
        """Return the three numbers."""
        return (self.total, self.size, self.undefined)

    @classmethod
    def from_row(cls, row: tuple[float, ...]) -> "Mean":
        """Return the mean of a row."""
        return cls(*row)
