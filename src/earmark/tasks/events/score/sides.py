"""Both sides as integer arrays, so that one compiled loop can count all recordings.

All metrics on events of one call share these arrays: `lay_out` is their `prepare`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.kernels import Kernel, plain
from earmark.tasks.events.score.tallies import LabelCounts, label_counts
from earmark.tasks.events.table import MICRO, EventTable
from earmark.tasks.events.values import FrameScores

# What plain Python counts in a tenth of a second; loading numba takes half a second.
FEW_EVENTS, FEW_STEPS = 300, 100_000


class Side(NamedTuple):
    """Events of one side, sorted by recording, label and onset, in microseconds.

    The events of recording r and label k are those from `starts[r * labels + k]` to the next start.
    """

    starts: Ints  # (recordings * labels + 1,)
    onsets: Ints  # (events,)
    offsets: Ints  # (events,)


class Group(NamedTuple):
    """One recording and label of a side; `size` is the number of labels."""

    side: Side
    number: int
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class EventSides:
    """Reference and output over the same recordings and labels."""

    items: tuple[str, ...]
    labels: tuple[str, ...]
    reference: Side
    output: Side

    def count_by(self, kernel: Kernel, *options: Any, seconds: float = 1.0) -> LabelCounts:
        """Return what a kernel counts of both sides, in steps of so many seconds if it has steps.

        Of few events in short recordings it is counted in plain Python.
        """
        if not self.labels:
            return self.counts(np.zeros((len(self.items), 0, 3), np.int64))
        sides = (self.reference, self.output)
        last = max(side.offsets.max(initial=0) for side in sides) / MICRO
        steps = len(self.items) * len(self.labels) * last / seconds
        are_few = steps <= FEW_STEPS and max(len(side.onsets) for side in sides) <= FEW_EVENTS
        with plain(are_few):
            counted = kernel(*sides, len(self.labels), *options)
        return self.counts(*counted) if isinstance(counted, tuple) else self.counts(counted)

    def counts(self, table: Ints, substituted: Ints | None = None) -> LabelCounts:
        """Return the counts of an array of recordings by labels by (TP, FN, FP)."""
        return label_counts(self.items, self.labels, table, substituted)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSides:
    """The reference over its own labels, its durations in seconds, and the output's frame scores.

    What PSDS counts from. A label that the output alone has is no label here.
    """

    items: tuple[str, ...]
    labels: tuple[str, ...]
    reference: Side
    durations: Floats  # (recordings,)
    scores: Mapping[str, FrameScores]


def lay_out(reference: Mapping[str, Any], output: Mapping[str, Any]) -> EventSides:
    """Lay two sides with the same recordings, in the same order, out as arrays."""
    expected, given = EventTable.of(reference), EventTable.of(output)
    labels = tuple(sorted({*_used(expected), *_used(given)}))
    return EventSides(expected.recordings, labels, _side(expected, labels), _side(given, labels))


def lay_out_scores(reference: Mapping[str, Any], output: Mapping[str, Any]) -> ScoredSides:
    """Lay the reference out as arrays, beside the frame scores of the output."""
    expected, scores = EventTable.of(reference), EventTable.of(output).scores
    labels = _used(expected)
    side = _side(expected, labels)
    return ScoredSides(expected.recordings, labels, side, expected.durations, scores)


def _used(table: EventTable) -> tuple[str, ...]:
    labels = table.events.labels
    return tuple(labels[k] for k in np.unique(table.events.label))


def _side(table: EventTable, labels: Sequence[str]) -> Side:
    number = {label: index for index, label in enumerate(labels)}
    by_code = np.array([number.get(label, 0) for label in table.events.labels], dtype=np.int64)
    group = table.events.recording * len(labels) + by_code[table.events.label]
    order = np.argsort(group, kind="stable")
    counted = np.bincount(group, minlength=len(table) * len(labels))
    return Side(
        np.concatenate([[0], np.cumsum(counted)]).astype(np.int64),
        np.rint(table.events.onset[order] * MICRO).astype(np.int64),
        np.rint(table.events.offset[order] * MICRO).astype(np.int64),
    )
