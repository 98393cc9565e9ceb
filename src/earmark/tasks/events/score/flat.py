"""Timelines of many recordings as integer arrays, so that one compiled loop can count them all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.events.score.tallies import ByLabel
from earmark.tasks.events.values import Event, Timeline, as_timeline
from earmark.values.counts import Hits

MICRO = 1_000_000
Longs = NDArray[np.int64]
Side = tuple[Longs, Longs, Longs]


@dataclass(frozen=True, slots=True)
class Flat:
    """Both sides, sorted by recording, label and onset, in microseconds.

    Each side is (starts, onsets, offsets); the events of recording r and label k lie between
    `starts[r * labels + k]` and the next start.
    """

    items: tuple[str, ...]
    labels: tuple[str, ...]
    reference: Side
    output: Side

    def tallies(self, table: Longs, substituted: Longs | None = None) -> dict[str, ByLabel]:
        """An array of recordings by labels by (found, missed, made up), as counts."""
        swaps = [0] * len(self.items) if substituted is None else substituted.tolist()
        rows = zip(self.items, table.tolist(), swaps, strict=True)
        return {
            item: ByLabel(
                {k: Hits(*hits) for k, hits in zip(self.labels, row, strict=True) if any(hits)},
                swap,
            )
            for item, row, swap in rows
        }


def flat(reference: Mapping[str, Any], output: Mapping[str, Any]) -> Flat:
    """Two sides with the same recordings, laid flat."""
    items = tuple(reference)
    sides = [[_events(side[item]) for item in items] for side in (reference, output)]
    labels = sorted({event.label for side in sides for events in side for event in events})
    number = {label: k for k, label in enumerate(labels)}
    return Flat(items, tuple(labels), _side(sides[0], number), _side(sides[1], number))


def _events(value: Timeline | Iterable[Event]) -> tuple[Event, ...]:
    return as_timeline(value).events


def _side(recordings: list[tuple[Event, ...]], number: Mapping[str, int]) -> Side:
    size = len(number)
    group = np.array(
        [r * size + number[e.label] for r, events in enumerate(recordings) for e in events],
        dtype=np.int64,
    )
    times = np.array([(e.onset, e.offset) for events in recordings for e in events])
    micro = np.rint(times.reshape(-1, 2) * MICRO).astype(np.int64)
    order = np.argsort(group, kind="stable")
    counted = np.bincount(group, minlength=len(recordings) * size)
    starts = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
    return starts, micro[order, 0].copy(), micro[order, 1].copy()
