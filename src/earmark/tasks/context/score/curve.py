"""Precision and recall along a ranking of tokens; cuts lie between distinct scores only."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from earmark.arrays import Floats
from earmark.stats.rates import f_score, precision, proportion, recall
from earmark.values.counts import Hits


@dataclass(frozen=True, slots=True)
class Cut:
    """One threshold: what reaches it is flagged."""

    threshold: float
    hits: Hits
    beta: float = 1.0

    @property
    def f(self) -> float:
        """F of flagging everything from the threshold up."""
        return f_score(self.hits, beta=self.beta)


@dataclass(frozen=True, slots=True)
class PrecisionRecallCurve:
    """Every cut between distinct scores, from the highest threshold down.

    `true_positives[k]` and `flagged[k]` are counted at `thresholds[k]`; `positives` is the number
    of tokens that are out of context.
    """

    thresholds: Floats  # (cuts,)
    true_positives: Floats  # (cuts,)
    flagged: Floats  # (cuts,)
    positives: float

    @classmethod
    def of(cls, scores: ArrayLike, labels: ArrayLike) -> "PrecisionRecallCurve":
        """Return the curve of scored tokens with their labels; (tokens,) each.

        Examples
        --------
        >>> best = PrecisionRecallCurve.of([0.1, 0.9, 0.8, 0.7, 0.2], [0, 1, 0, 1, 0]).best()
        >>> best.threshold, best.f
        (0.7, 0.8)
        """
        values, marks = np.asarray(scores, float), np.asarray(labels, float)
        order = np.argsort(-values, kind="stable")
        values, marks = values[order], marks[order]
        is_last_of_score = np.append(np.diff(values) != 0, True)[: len(values)]
        last = np.flatnonzero(is_last_of_score)
        return cls(
            values[last], np.cumsum(marks)[last], (last + 1).astype(float), float(marks.sum())
        )

    def best(self, beta: float = 1.0) -> Cut:
        """Return the cut with the highest F; the highest threshold when several share it."""
        if not len(self.thresholds):
            return Cut(math.nan, Hits(), beta)
        square = beta * beta
        f = (1 + square) * self.true_positives / (self.flagged + square * self.positives)
        return replace(self.cut(int(np.argmax(f))), beta=beta)

    def cut(self, index: int) -> Cut:
        """Return the cut of that number."""
        right, flagged = float(self.true_positives[index]), float(self.flagged[index])
        hits = Hits(right, self.positives - right, flagged - right)
        return Cut(float(self.thresholds[index]), hits)

    def average_precision(self) -> float:
        """Return the precision at each cut, weighed by the recall it adds; nan if undefined."""
        if not self.positives:
            return math.nan
        gained = np.diff(self.true_positives, prepend=0.0)
        weighed = float(np.sum(gained * self.true_positives / self.flagged))
        return proportion(weighed, of=self.positives)

    def points(self, most: int) -> list[tuple[float, float]]:
        """Return (recall, precision) of cuts: all, or `most` at about equal steps of recall."""
        chosen = list(range(len(self.thresholds)))
        if len(chosen) > most:
            steps = np.linspace(0, self.positives, most + 1)[1:]
            nearest = {int(np.searchsorted(self.true_positives, step)) for step in steps}
            chosen = [min(index, len(chosen) - 1) for index in sorted(nearest)]
        cuts = [self.cut(index).hits for index in chosen]
        return [(recall(hits), precision(hits)) for hits in cuts]


def best_threshold(scores: ArrayLike, labels: ArrayLike) -> float:
    """Return the threshold of the best F, moved halfway to the next lower score."""
    curve = PrecisionRecallCurve.of(scores, labels)
    best = curve.best().threshold
    below = curve.thresholds[curve.thresholds < best]
    return float((best + below.max()) / 2) if len(below) else best
