"""Counts by label, and how they become micro and macro rates."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from earmark.stats import rates
from earmark.values.counts import Hits

Average = Literal["micro", "macro"]
Rate = Callable[[Hits], float]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ByLabel:
    """Found, missed and made up, label after label, in one row.

    `substituted` counts misses that another label's false alarm explains. Recordings counted
    together share their labels, so that adding them is adding numbers.

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
        """The same from hits by label."""
        labels = tuple(sorted(hits))
        return cls(labels, tuple(number for label in labels for number in hits[label].row()))

    @property
    def hits(self) -> dict[str, Hits]:
        """The hits of each label that was expected or put out."""
        found = {k: Hits(*self.row[3 * n : 3 * n + 3]) for n, k in enumerate(self.labels)}
        return {label: hits for label, hits in found.items() if any(hits.row())}

    def __add__(self, other: "ByLabel") -> "ByLabel":
        substituted = self.substituted + other.substituted
        if self.labels == other.labels:
            return ByLabel(self.labels, tuple(map(add, self.row, other.row)), substituted)
        labels = tuple(sorted({*self.labels, *other.labels}))
        rows = zip(self.laid_out(labels), other.laid_out(labels), strict=True)
        return ByLabel(labels, tuple(a + b for a, b in rows), substituted)

    def laid_out(self, labels: Sequence[str]) -> tuple[float, ...]:
        """The row for other labels, of which its own are some."""
        if self.labels == labels:
            return self.row
        own = {k: self.row[3 * n : 3 * n + 3] for n, k in enumerate(self.labels)}
        return tuple(number for label in labels for number in own.get(label, (0, 0, 0)))

    @property
    def total(self) -> Hits:
        """The hits of all labels together."""
        return Hits(sum(self.row[0::3]), sum(self.row[1::3]), sum(self.row[2::3]))


def rated(rate: Rate, average: Average) -> Callable[[ByLabel], float]:
    """A rate of pooled counts (`micro`) or the mean of labels' own rates (`macro`).

    Labels whose own rate is undefined are left out of the mean.
    """
    if average == "micro":
        return lambda counts: rate(counts.total)
    return lambda counts: mean_defined([rate(hits) for hits in counts.hits.values()])


def mean_defined(values: Sequence[float]) -> float:
    """The mean of what is not nan; nan when nothing is."""
    defined = [value for value in values if not math.isnan(value)]
    return rates.proportion(math.fsum(defined), of=len(defined))


def parts(rate: Rate) -> Callable[[ByLabel], dict[str, object]]:
    """Each label's own rate and the counts, for `details`."""

    def tell(counts: ByLabel) -> dict[str, object]:
        by_label = {k: rates_json(rate(hits)) for k, hits in sorted(counts.hits.items())}
        total = counts.total
        found = {"found": total.true_positives, "missed": total.false_negatives, "made_up": total.false_positives}
        return {"by_label": by_label, **found}

    return tell


def rates_json(value: float) -> float | None:
    """None for nan, which JSON cannot say."""
    return None if math.isnan(value) else value


def resampler(
    rate: Callable[[ByLabel], float],
) -> Callable[[Sequence[ByLabel], NDArray[np.int64]], Floats]:
    """The rate of every resample: one matrix product, then one rate for each that differs."""

    def values(counts: Sequence[ByLabel], weights: NDArray[np.int64]) -> Floats:
        labels = tuple(sorted({label for tally in counts for label in tally.labels}))
        rows = np.array([[*tally.laid_out(labels), tally.substituted] for tally in counts])
        drawn, where = np.unique(weights, axis=0, return_inverse=True)
        sums = (drawn.astype(float) @ rows).tolist()
        found = [rate(ByLabel(labels, tuple(row[:-1]), row[-1])) for row in sums]
        return np.array(found)[where.ravel()]

    return values
