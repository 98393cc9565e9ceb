"""Counts by label, and how they become micro and macro rates."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Literal

import numpy as np

from earmark.arrays import Bools, Ints
from earmark.score.counting import CountTable
from earmark.stats import rates
from earmark.values.counts import Hits
from earmark.values.score import number

Average = Literal["micro", "macro"]
Rate = Callable[[Hits], float]


@dataclass(frozen=True, slots=True)
class ByLabel:
    """True positives, false negatives and false positives, label after label, in one row.

    `substituted` counts false negatives that another label's false positive explains. Recordings
    counted together share their labels, so that adding them is adding numbers.

    Examples
    --------
    >>> (ByLabel.of({"dog": Hits(1, 0, 0)}) + ByLabel.of({"dog": Hits(0, 2, 0)})).total
    Hits(true_positives=1, false_negatives=2, false_positives=0)
    """

    labels: tuple[str, ...] = ()
    row: tuple[float, ...] = ()
    substituted: float = 0

    @classmethod
    def of(cls, hits: Mapping[str, Hits]) -> "ByLabel":
        """Return the counts of hits by label."""
        labels = tuple(sorted(hits))
        return cls(labels, tuple(number for label in labels for number in hits[label].row()))

    @property
    def every(self) -> dict[str, Hits]:
        """The hits of each label."""
        return {k: Hits(*self.row[3 * n : 3 * n + 3]) for n, k in enumerate(self.labels)}

    @property
    def hits(self) -> dict[str, Hits]:
        """The hits of each label that the reference or the output has."""
        return {label: hits for label, hits in self.every.items() if any(hits.row())}

    def __add__(self, other: "ByLabel") -> "ByLabel":
        substituted = self.substituted + other.substituted
        if self.labels == other.labels:
            return ByLabel(self.labels, tuple(map(add, self.row, other.row)), substituted)
        labels = tuple(sorted({*self.labels, *other.labels}))
        rows = zip(self.laid_out(labels), other.laid_out(labels), strict=True)
        return ByLabel(labels, tuple(a + b for a, b in rows), substituted)

    def laid_out(self, labels: Sequence[str]) -> tuple[float, ...]:
        """Return the row for other labels, of which its own are some."""
        if self.labels == labels:
            return self.row
        own = {k: self.row[3 * n : 3 * n + 3] for n, k in enumerate(self.labels)}
        return tuple(number for label in labels for number in own.get(label, (0, 0, 0)))

    @property
    def total(self) -> Hits:
        """The hits of all labels together."""
        return Hits(sum(self.row[0::3]), sum(self.row[1::3]), sum(self.row[2::3]))


def rated(rate: Rate, average: Average) -> Callable[[ByLabel], float]:
    """Return a rate of pooled counts (`micro`) or the mean of labels' own rates (`macro`).

    Labels whose own rate is undefined are left out of the mean, as are those that neither side has.
    """
    if average == "micro":
        return lambda counts: rate(counts.total)
    return lambda counts: rates.mean_defined([rate(hits) for hits in counts.every.values()])


def labels_in(
    rate: Rate, average: Average
) -> Callable[["LabelCounts"], tuple[list[str], Bools]] | None:
    """Return `Metric.labels` of a mean over labels: which recordings have which of them.

    A recording has a label that its reference has; for precision, one that its output has. Labels
    without a rate do not enter the mean and are left out.
    """
    if average == "micro":
        return None

    def labels(counts: "LabelCounts") -> tuple[list[str], Bools]:
        table = counts.rows[:, :-1].reshape(len(counts.rows), -1, 3)  # (recordings, labels, 3)
        own = table[..., 0] + table[..., 2 if rate is rates.precision else 1]
        totals = [Hits(*row) for row in table.sum(axis=0).tolist()]
        rated = [k for k, hits in enumerate(totals) if any(hits.row()) and rate(hits) == rate(hits)]
        return [counts.labels[k] for k in rated], np.asarray(own[:, rated] > 0)

    return labels


def parts(rate: Rate) -> Callable[[ByLabel], dict[str, object]]:
    """Return a function that gives each label's own rate and the counts, for `details`."""

    def details(counts: ByLabel) -> dict[str, object]:
        total = counts.total
        return {
            "by_label": {k: number(rate(hits)) for k, hits in sorted(counts.hits.items())},
            "found": total.true_positives,
            "missed": total.false_negatives,
            "made_up": total.false_positives,
        }

    return details


class LabelCounts(CountTable[ByLabel]):
    """Counts by label of many recordings: one row of a recording's counts, substitutions last."""

    def __init__(self, items: Sequence[str], labels: Sequence[str], rows: Ints) -> None:
        self.labels = tuple(labels)
        # rows: (recordings, 3 * labels + 1), in the order of `ByLabel.row`
        super().__init__(items, rows, self._record)

    def _record(self, row: Sequence[float]) -> ByLabel:
        return ByLabel(self.labels, tuple(row[:-1]), row[-1])

    def joined(self, other: "LabelCounts") -> "LabelCounts":
        """Return the rows of both; a label that one of them lacks counts nothing there."""
        labels = tuple(sorted({*self.labels, *other.labels}))
        rows = np.vstack([self._rows_for(labels), other._rows_for(labels)])
        return LabelCounts((*self.items_in_order, *other.items_in_order), labels, rows)

    def _rows_for(self, labels: tuple[str, ...]) -> Ints:
        rows = np.zeros((len(self.rows), 3 * len(labels) + 1), dtype=self.rows.dtype)
        rows[:, -1] = self.rows[:, -1]
        for k, label in enumerate(self.labels):
            place = 3 * labels.index(label)
            rows[:, place : place + 3] = self.rows[:, 3 * k : 3 * k + 3]
        return rows


def label_counts(
    items: Sequence[str], labels: Sequence[str], table: Ints, substituted: Ints | None = None
) -> LabelCounts:
    """Return counts from an array of recordings by labels by (TP, FN, FP)."""
    last = np.zeros(len(items), np.int64) if substituted is None else substituted
    rows = np.hstack([table.reshape(len(items), -1), last[:, None]])
    return LabelCounts(items, labels, rows)
