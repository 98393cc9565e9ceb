"""F1 against soft references: probabilities per second and label, as MAESTRO has them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.score.counting import CountTable
from earmark.score.metric import Metric, count_one
from earmark.stats import rates
from earmark.task.options import changed, option
from earmark.tasks.events.table import MICRO, EventTable
from earmark.tasks.events.values import FrameScores, Timeline
from earmark.values import checks
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.score import number


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftReferenceOptions:
    """How long a segment is, when a soft reference is active in it, which thresholds are tried."""

    seconds: float = option(1.0, "Length of a segment.")
    active: float = option(0.5, "Soft label above which the reference is active in a segment.")
    steps: int = option(100, "Thresholds that are tried for each label, evenly from 0 to 1.")

    def __post_init__(self) -> None:
        checks.within(self.active, 0.0, 1.0, what="active")
        if round(self.seconds * MICRO) <= 0:
            raise InputError("a segment's length must be > 0", got=self.seconds)
        if self.steps < 1:
            raise InputError("steps must be >= 1", got=self.steps)


@dataclass(frozen=True, slots=True)
class ThresholdCounts:
    """For each label the reference's active segments, then those found and given per threshold."""

    rows: tuple[tuple[str, tuple[float, ...]], ...] = ()
    unscored: float = 0

    def __add__(self, other: "ThresholdCounts") -> "ThresholdCounts":
        rows = dict(self.rows)
        for label, row in other.rows:
            own = rows.get(label, (0.0,) * len(row))
            rows[label] = tuple(a + b for a, b in zip(own, row, strict=True))
        return ThresholdCounts(tuple(sorted(rows.items())), self.unscored + other.unscored)

    def best(self) -> dict[str, tuple[float, int]]:
        """Return each label's highest F1, and the first threshold that reaches it by its number."""
        best = {}
        for label, row in self.rows:
            steps = (len(row) - 1) // 2
            values = [
                rates.f1(Hits(hit, row[0] - hit, given - hit))
                for hit, given in zip(row[1 : steps + 1], row[steps + 1 :], strict=True)
            ]
            if row[0]:
                best[label] = max((value, -k) for k, value in enumerate(values))
        return {label: (value, -k) for label, (value, k) in best.items()}


@dataclass(frozen=True, slots=True, eq=False)
class SoftSides:
    """Both sides by recording; the reference with its soft labels where it has them."""

    items: tuple[str, ...]
    reference: Mapping[str, Timeline]
    scores: Mapping[str, FrameScores]


def lay_out_soft(reference: Mapping[str, Any], output: Mapping[str, Any]) -> SoftSides:
    """Lay out the reference's timelines beside the output's frame scores."""
    expected, given = EventTable.of(reference), EventTable.of(output)
    return SoftSides(expected.recordings, expected, given.scores)


def soft_f1(options: SoftReferenceOptions = SoftReferenceOptions(), **changes: Any) -> Metric:
    """Build the segment F1 of frame scores against a soft reference, labels averaged.

    The reference is active in a segment where its soft label exceeds `active`; without soft labels,
    where an event touches it. The output is active where its highest score in the segment exceeds
    a threshold; each label gets the threshold of `steps` that is best for it on the same data.

    Definition
    ----------
    F1_MO of DCASE 2023, task 4B (Martin-Morato, Harju, Ahokas and Mesaros 2023): segments of 1 s,
    soft labels above 0.5 active, macro-averaged, thresholds optimised per class.

    Undefined
    ---------
    nan when a recording of the output carries no frame scores, or nothing is active in the
    reference.

    Examples
    --------
    >>> soft = FrameScores(("dog",), (0.0, 1.0, 2.0, 3.0), ((0.2,), (0.9,), (0.6,)))
    >>> given = FrameScores(("dog",), (0.0, 1.0, 2.0, 3.0), ((0.3,), (0.8,), (0.1,)))
    >>> round(soft_f1()(Timeline(3, (), soft), Timeline(3, (), given)).value, 3)
    0.8

    Notes
    -----
    Higher is better; 0 to 1. Thresholds are chosen on what is scored, so that the value is an
    upper bound of what fixed thresholds reach.
    """
    chosen = changed(options, changes)

    def count(sides: SoftSides) -> "ThresholdTable":
        return _count(sides, chosen)

    return Metric(
        task="events",
        name="soft_f1",
        count=count_one(lay_out_soft, count),
        prepare=lay_out_soft,
        count_prepared=count,
        rate=_rate,
        options=asdict(chosen),
        average="macro",
        undefined="the output carries no frame scores, or nothing is active in the reference",
        parts=lambda counts: _parts(counts, chosen.steps),
        labels=_labels,
        poolable=False,
    )


class ThresholdTable(CountTable[ThresholdCounts]):
    """Counts of many recordings; whether a recording has no scores comes last."""

    def __init__(self, items: Sequence[str], labels: Sequence[str], rows: Ints) -> None:
        self.labels = tuple(labels)
        # rows: (recordings, labels * (1 + 2 * steps) + 1)
        super().__init__(items, rows, self._record)

    def _record(self, row: Sequence[float]) -> ThresholdCounts:
        size = (len(row) - 1) // max(len(self.labels), 1)
        parts = [tuple(row[k * size : (k + 1) * size]) for k in range(len(self.labels))]
        return ThresholdCounts(tuple(zip(self.labels, parts, strict=True)), row[-1])


def _count(sides: SoftSides, options: SoftReferenceOptions) -> ThresholdTable:
    segment = round(options.seconds * MICRO)
    reference = {
        item: _reference_segments(sides.reference[item], segment, options.active)
        for item in sides.items
    }
    labels = sorted({label for own in reference.values() for label in own if own[label].any()})
    size = 1 + 2 * options.steps
    rows = np.zeros((len(sides.items), len(labels) * size + 1), dtype=np.int64)
    thresholds = np.arange(options.steps) / options.steps
    for row, item in zip(rows, sides.items, strict=True):
        duration = sides.reference[item].duration
        row[-1] = item not in sides.scores
        given = _segments(sides.scores[item], duration, segment) if not row[-1] else {}
        blank = np.zeros(_count_of(duration, segment))
        cells = row[:-1].reshape(len(labels), size)
        for k, label in enumerate(labels):
            active = reference[item].get(label, blank > 0)
            # (segments, thresholds)
            above = given.get(label, blank)[:, None] > thresholds
            cells[k, 0] = active.sum()
            cells[k, 1 : options.steps + 1] = (above & active[:, None]).sum(axis=0)
            cells[k, options.steps + 1 :] = above.sum(axis=0)
    return ThresholdTable(sides.items, labels, rows)


def _count_of(duration: float, segment: int) -> int:
    return -(-round(duration * MICRO) // segment)


def _reference_segments(line: Timeline, segment: int, active: float) -> dict[str, Bools]:
    """Return which segments of a recording are active, by label."""
    if line.scores is not None:
        soft = _segments(line.scores, line.duration, segment)
        return {label: row > active for label, row in soft.items()}
    segments = {label: np.zeros(_count_of(line.duration, segment), bool) for label in line.labels}
    for event in line.events:
        first = round(event.onset * MICRO) // segment
        segments[event.label][first : _count_of(event.offset, segment)] = True
    return segments


def _segments(scores: FrameScores, duration: float, segment: int) -> dict[str, Floats]:
    """Return the highest score of each label in each segment; 0 where there is no frame."""
    if scores.rows.size and not (0 <= scores.rows.min() and scores.rows.max() <= 1):
        raise InputError(
            "soft labels and scores must lie between 0 and 1",
            got=f"{scores.rows.min():g} to {scores.rows.max():g}",
            fix="turn scores into probabilities first",
        )
    end = round(duration * MICRO)
    edges = np.rint(scores.edges * MICRO).astype(np.int64)
    bounds = np.union1d(edges, np.arange(0, end + 1, segment))
    starts = bounds[:-1]
    # between two neighbouring bounds there is one frame and one segment
    starts = starts[(starts >= edges[0]) & (starts < min(end, edges[-1]))]
    frame = np.searchsorted(edges, starts, side="right") - 1
    highest = np.zeros((_count_of(duration, segment), len(scores.labels)))
    np.maximum.at(highest, starts // segment, scores.rows[frame])
    return dict(zip(scores.labels, highest.T, strict=True))


def _rate(counts: ThresholdCounts) -> float:
    if counts.unscored:
        return float("nan")
    return rates.mean_defined([value for value, _ in counts.best().values()])


def _parts(counts: ThresholdCounts, steps: int) -> dict[str, object]:
    best = counts.best()
    return {
        "by_label": {label: number(value) for label, (value, _) in sorted(best.items())},
        "thresholds": {label: k / steps for label, (_, k) in sorted(best.items())},
    }


def _labels(counts: ThresholdTable) -> tuple[list[str], Bools]:
    """Return the labels that enter the mean, and which recordings have them."""
    size = (counts.rows.shape[1] - 1) // max(len(counts.labels), 1)
    own = counts.rows[:, :-1].reshape(len(counts.rows), len(counts.labels), size)
    return list(counts.labels), np.asarray(own[..., 0] > 0)
