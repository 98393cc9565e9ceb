"""Counts of several systems summed by group, and many sums rated at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.score.counting import CountTable
from earmark.score.metric import Metric
from earmark.score.resampling import Counts
from earmark.values.counts import RowCounts

# Rows on which rating columns is compared with rating one row; they agree to this share.
TRIED = 5
AGREE = 1e-9

Record = Callable[[Sequence[Any]], Any]


@dataclass(frozen=True, slots=True, eq=False)
class GroupSums:
    """Each system's counts as rows of numbers, summed by group, and how a row is rated."""

    metric: Metric
    rows: Floats  # (systems, groups, columns)
    record: Record

    @classmethod
    def of(cls, metric: Metric, counts: Sequence[Counts], places: Ints) -> "GroupSums | None":
        """Return the sums, or None where counts are no rows of numbers.

        `counts` are those of each system, items in the same order; `places` has the number of each
        item's group.
        """
        if metric.rate_resamples:
            return None
        laid_out = _laid_out(counts)
        if laid_out is None:
            return None
        rows, record = laid_out
        by_item = rows.reshape(len(counts), len(places), -1)
        sums = np.zeros((int(places.max()) + 1, len(counts), by_item.shape[2]))
        np.add.at(sums, places, by_item.swapaxes(0, 1))
        return cls(metric, np.ascontiguousarray(sums.swapaxes(0, 1)), record)

    def rate(self, sums: Floats) -> Floats:
        """Return the value of each row of sums, (rows, columns).

        Most rates are arithmetic that whole columns go through at once; the others, and what does
        not agree with single rows, are rated row by row, equal rows once.
        """
        if len(sums) > TRIED:
            values = self._rate_columns(sums)
            if values is not None:
                return values
        different, where = np.unique(sums, axis=0, return_inverse=True)
        return self._rate_each(different)[where.ravel()]

    def _rate_columns(self, sums: Floats) -> Floats | None:
        try:
            with np.errstate(all="ignore"):
                rated: Any = self.metric.rate(self.record(tuple(sums.T)))
                values: Floats = np.asarray(rated, dtype=np.float64)
        except (TypeError, ValueError):  # a condition, or a function of one number
            return None
        if values.shape != (len(sums),):
            return None
        some = np.linspace(0, len(sums) - 1, TRIED).astype(int)
        one_by_one = self._rate_each(sums[some])
        agree = np.allclose(values[some], one_by_one, rtol=AGREE, atol=0, equal_nan=True)
        return values if agree else None

    def _rate_each(self, sums: Floats) -> Floats:
        return np.array([self.metric.rate(self.record(row)) for row in sums.tolist()], dtype=float)


def _laid_out(counts: Sequence[Counts]) -> tuple[Floats, Record] | None:
    """Return all counts as rows, system after system, and what makes a record of a row."""
    first = counts[0]
    if isinstance(first, CountTable):
        joined: CountTable[Any] = reduce(lambda a, b: a.joined(b), counts)  # type: ignore[arg-type]
        return joined.rows.astype(float), joined.record
    if not isinstance(first[0], RowCounts):
        return None
    listed: Any = counts
    rows = [tally.row() for own in listed for tally in own]
    kind = type(first[0])
    return np.array(rows, dtype=float), lambda row: kind.from_row(tuple(row))
