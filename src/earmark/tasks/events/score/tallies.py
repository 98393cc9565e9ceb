"""Counts by label, and how they become micro and macro rates."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
    """Hits of each label; `substituted` counts misses that another label's false alarm explains.

    Examples
    --------
    >>> (ByLabel({"dog": Hits(1, 0, 0)}) + ByLabel({"dog": Hits(0, 2, 0)})).total
    Hits(found=1, missed=2, made_up=0)
    """

    hits: Mapping[str, Hits] = field(default_factory=dict)
    substituted: float = 0

    def __add__(self, other: "ByLabel") -> "ByLabel":
        labels = sorted({*self.hits, *other.hits})
        both = {k: self.hits.get(k, Hits()) + other.hits.get(k, Hits()) for k in labels}
        return ByLabel(both, self.substituted + other.substituted)

    @property
    def total(self) -> Hits:
        """The hits of all labels together."""
        rows = [hits.row() for hits in self.hits.values()]
        return Hits.from_row(tuple(map(sum, zip(*rows, strict=True)))) if rows else Hits()


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
    return rates.share(math.fsum(defined), of=len(defined))


def parts(rate: Rate) -> Callable[[ByLabel], dict[str, object]]:
    """Each label's own rate and the counts, for `details`."""

    def tell(counts: ByLabel) -> dict[str, object]:
        by_label = {k: rates_json(rate(hits)) for k, hits in sorted(counts.hits.items())}
        total = counts.total
        found = {"found": total.found, "missed": total.missed, "made_up": total.made_up}
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
        labels = sorted({label for tally in counts for label in tally.hits})
        rows = np.array([_row(tally, labels) for tally in counts])
        drawn, where = np.unique(weights, axis=0, return_inverse=True)
        sums = (drawn.astype(float) @ rows).tolist()
        return np.array([rate(_tally(row, labels)) for row in sums])[where.ravel()]

    return values


def _row(tally: ByLabel, labels: Sequence[str]) -> list[float]:
    hits = [tally.hits.get(label, Hits()) for label in labels]
    return [number for each in hits for number in each.row()] + [tally.substituted]


def _tally(row: Sequence[float], labels: Sequence[str]) -> ByLabel:
    hits = {k: Hits(*row[3 * n : 3 * n + 3]) for n, k in enumerate(labels)}
    return ByLabel(hits, row[-1])
