"""Timelines of many recordings as integer arrays, so that one compiled loop can count them all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.events.score.tallies import ByLabel
from earmark.tasks.events.values import Event, Timeline, as_timeline

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
        rows = table.reshape(len(self.items), -1).tolist()
        return {
            item: ByLabel(self.labels, tuple(row), swap)
            for item, row, swap in zip(self.items, rows, swaps, strict=True)
        }


@dataclass(slots=True)
class _Last:
    """The sides that were laid flat last; several metrics in a row look at the same ones."""

    sides: tuple[list[Any], list[Any]] = field(default_factory=lambda: ([], []))
    flat: Flat | None = None

    def get(self, items: tuple[str, ...], sides: tuple[list[Any], list[Any]]) -> Flat | None:
        """What was made of these very objects, if it was."""
        if self.flat is None or self.flat.items != items:
            return None
        pairs = (zip(*both, strict=True) for both in zip(self.sides, sides, strict=True))
        return self.flat if all(a is b for pair in pairs for a, b in pair) else None


_last = _Last()


def flat(reference: Mapping[str, Any], output: Mapping[str, Any]) -> Flat:
    """Two sides with the same recordings, laid flat; kept until other sides are asked for."""
    items = tuple(reference)
    given = [reference[item] for item in items], [output[item] for item in items]
    found = _last.get(items, given)
    if found is None:
        found = _laid(items, given)
        _last.sides, _last.flat = given, found
    return found


def forget() -> None:
    """Keep nothing of the sides that were laid flat last."""
    _last.sides, _last.flat = ([], []), None


def _laid(items: tuple[str, ...], given: tuple[list[Any], list[Any]]) -> Flat:
    sides = [[_events(value) for value in side] for side in given]
    labels = sorted({event.label for side in sides for events in side for event in events})
    number = {label: k for k, label in enumerate(labels)}
    return Flat(items, tuple(labels), _side(sides[0], number), _side(sides[1], number))


def _events(value: Timeline | Iterable[Event]) -> tuple[Event, ...]:
    return as_timeline(value).events


def _side(recordings: list[tuple[Event, ...]], number: Mapping[str, int]) -> Side:
    size = len(number)
    rows = [
        (base + number[event.label], event.onset, event.offset)
        for base, events in zip(
            range(0, len(recordings) * size, size or 1), recordings, strict=False
        )
        for event in events
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    group = table[:, 0].astype(np.int64)
    micro = np.rint(table[:, 1:] * MICRO).astype(np.int64)
    order = np.argsort(group, kind="stable")
    counted = np.bincount(group, minlength=len(recordings) * size)
    starts = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
    return starts, micro[order, 0].copy(), micro[order, 1].copy()
