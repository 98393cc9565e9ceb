"""Precision and recall along a ranking of tokens; cuts lie between distinct scores only."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.stats.rates import f1, precision, proportion, recall
from earmark.values.counts import Hits

Array = Any


@dataclass(frozen=True, slots=True)
class Cut:
    """One threshold: what reaches it is flagged."""

    threshold: float
    hits: Hits

    @property
    def f(self) -> float:
        """F1 of flagging everything from the threshold up."""
        return f1(self.hits)


@dataclass(frozen=True, slots=True)
class Curve:
    """Every cut between distinct scores, from the highest threshold down.

    `found[k]` and `flagged[k]` are counted at `thresholds[k]`; `positives` are all there are.
    """

    thresholds: Array
    found: Array
    flagged: Array
    positives: float

    def best(self) -> Cut:
        """The cut with the highest F; the highest threshold when several share it."""
        if not len(self.thresholds):
            return Cut(math.nan, Hits())
        index = int(np.argmax(2 * self.found / (self.flagged + self.positives)))
        return self.cut(index)

    def cut(self, index: int) -> Cut:
        """The cut of that number."""
        found, flagged = float(self.found[index]), float(self.flagged[index])
        hits = Hits(found, self.positives - found, flagged - found)
        return Cut(float(self.thresholds[index]), hits)

    def average_precision(self) -> float:
        """Precision at each cut, weighed by the recall it adds; nan without positives."""
        if not self.positives:
            return math.nan
        gained = np.diff(self.found, prepend=0.0)
        return proportion(float(np.sum(gained * self.found / self.flagged)), of=self.positives)

    def points(self) -> list[tuple[float, float]]:
        """(recall, precision) of every cut."""
        cuts = [self.cut(index).hits for index in range(len(self.thresholds))]
        return [(recall(hits), precision(hits)) for hits in cuts]


def curve_of(scores: Sequence[float] | Array, labels: Sequence[int] | Array) -> Curve:
    """The curve of scored tokens with their labels.

    Examples
    --------
    >>> best = curve_of([0.1, 0.9, 0.8, 0.7, 0.2], [0, 1, 0, 1, 0]).best()
    >>> best.threshold, best.f
    (0.7, 0.8)
    """
    values = np.asarray(scores, float)
    marks = np.asarray(labels, float)
    order = np.argsort(-values, kind="stable")
    values, marks = values[order], marks[order]
    ends = np.append(np.diff(values) != 0, True)[: len(values)]
    last = np.flatnonzero(ends)
    return Curve(values[last], np.cumsum(marks)[last], last + 1.0, float(marks.sum()))


def best_threshold(scores: Sequence[float] | Array, labels: Sequence[int] | Array) -> float:
    """The threshold of the best F, set halfway to the next lower score."""
    curve = curve_of(scores, labels)
    best = curve.best().threshold
    below = curve.thresholds[curve.thresholds < best]
    return float((best + below.max()) / 2) if len(below) else best
