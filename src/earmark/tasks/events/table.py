"""Timelines of many recordings as columns; a record is made when somebody looks at one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Bools, Floats, Ints
from earmark.files.digest import Column, record_text
from earmark.tasks.events.values import Event, FrameScores, Timeline, as_timeline
from earmark.values.span import on_grid

MICRO = 1_000_000
# Below this many seconds, seconds in millionths are exact to 1e-3 of a millionth in a float.
EXACT_BELOW = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class EventColumns:
    """Events of many recordings, one row per event, in any order; times in seconds, on the grid."""

    recording: Ints  # (events,), index of the recording
    label: NDArray[np.int32]  # (events,), index into `labels`
    onset: Floats  # (events,)
    offset: Floats  # (events,)
    labels: tuple[str, ...]  # sorted

    def take(self, rows: Ints | Bools) -> "EventColumns":
        """Return some of the events."""
        return EventColumns(
            self.recording[rows], self.label[rows], self.onset[rows], self.offset[rows], self.labels
        )

    def event(self, row: int) -> Event:
        """Return one event as a record."""
        label = self.labels[self.label[row]]
        return Event(label, float(self.onset[row]), float(self.offset[row]))

    def by_label(self) -> Ints:
        """Return the rows sorted by recording, label and onset."""
        return np.lexsort((self.onset, self.label, self.recording))

    def next_of_label(self) -> tuple[Ints, Ints]:
        """Return rows and the rows that follow them in time, of the same recording and label."""
        order = self.by_label()
        first, second = order[:-1], order[1:]
        same = (self.recording[first] == self.recording[second]) & (
            self.label[first] == self.label[second]
        )
        return first[same], second[same]


class EventTable(Mapping[str, Timeline]):
    """Recording to timeline, kept as columns; the events are valid as in `Timeline`.

    Rows are sorted by recording, then as `Timeline` sorts its events; the events of recording r are
    the rows from `starts[r]` to `starts[r + 1]`.
    """

    def __init__(
        self,
        recordings: Sequence[str],
        durations: Floats,
        events: EventColumns,
        scores: Mapping[str, FrameScores] | None = None,
        doubt: Mapping[str, Any] | None = None,
    ) -> None:
        order = np.lexsort((events.label, events.offset, events.onset, events.recording))
        self.recordings = tuple(recordings)
        self.durations = durations  # (recordings,), seconds
        self.events = events.take(order)
        self.scores = dict(scores or {})
        self._doubt = dict(doubt or {})
        counted = np.bincount(events.recording, minlength=len(recordings))
        self.starts = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
        self._places: dict[str, int] = {}

    @classmethod
    def of(cls, timelines: Mapping[str, Timeline | Iterable[Event]]) -> "EventTable":
        """Return a table of timelines, in their order; a table is returned as it is."""
        if isinstance(timelines, EventTable):
            return timelines
        lines = {name: as_timeline(value) for name, value in timelines.items()}
        labels = sorted({event.label for line in lines.values() for event in line.events})
        number = {label: index for index, label in enumerate(labels)}
        rows = [
            (recording, number[event.label], event.onset, event.offset)
            for recording, line in enumerate(lines.values())
            for event in line.events
        ]
        table = np.array(rows, dtype=np.float64).reshape(-1, 4)
        events = EventColumns(
            table[:, 0].astype(np.int64),
            table[:, 1].astype(np.int32),
            table[:, 2].copy(),
            table[:, 3].copy(),
            tuple(labels),
        )
        durations = np.array([line.duration for line in lines.values()], dtype=np.float64)
        scores = {name: line.scores for name, line in lines.items() if line.scores is not None}
        doubt = {name: line.doubt for name, line in lines.items() if line.doubt}
        return cls(tuple(lines), durations, events, scores, doubt)

    def __getitem__(self, name: str) -> Timeline:
        if not self._places:
            self._places = {each: row for row, each in enumerate(self.recordings)}
        row = self._places[name]
        events = tuple(map(self.events.event, range(self.starts[row], self.starts[row + 1])))
        scores, doubt = self.scores.get(name), self._doubt.get(name, ())
        return Timeline(float(self.durations[row]), events, scores, doubt)

    def __iter__(self) -> Iterator[str]:
        return iter(self.recordings)

    def __len__(self) -> int:
        return len(self.recordings)

    def in_order(self, items: Sequence[str]) -> "EventTable":
        """Return the table with its recordings in this order."""
        if self.recordings == tuple(items):
            return self
        places = {name: row for row, name in enumerate(items)}
        moved = np.array([places[name] for name in self.recordings], dtype=np.int64)
        durations = np.empty_like(self.durations)
        durations[moved] = self.durations
        one = self.events
        events = EventColumns(moved[one.recording], one.label, one.onset, one.offset, one.labels)
        return EventTable(items, durations, events, self.scores, self._doubt)

    def digest_columns(self) -> Mapping[str, Column] | None:
        """Return what `files.digest` would make of the timelines, without making them.

        None if recordings have frame scores or doubt, which are records already.
        """
        if self.scores or self._doubt:
            return None
        names = sorted(self.recordings)
        table = self.in_order(names)
        events = table.events
        labels = [label.encode("utf-8", "surrogatepass") for label in events.labels]
        sizes = np.array([len(label) for label in labels], dtype=np.int64)
        return {
            "item": _texts([name.encode("utf-8", "surrogatepass") for name in names]),
            "value": _records("Timeline", ("doubt", "duration", "events"), len(names)),
            "value.doubt": _lists(np.zeros(len(names), dtype=np.int64)),
            "value.duration": _floats(table.durations),
            "value.events": _lists(np.diff(table.starts)),
            "value.events[]": _records("Event", ("label", "offset", "onset"), len(events.onset)),
            "value.events[].label": Column(
                b"t" * len(events.label),
                sizes=sizes[events.label].tobytes(),
                texts=map(labels.__getitem__, events.label.tolist()),
            ),
            "value.events[].offset": _floats(events.offset),
            "value.events[].onset": _floats(events.onset),
        }


def _texts(texts: Sequence[bytes]) -> Column:
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    return Column(b"t" * len(texts), sizes=sizes.tobytes(), texts=texts)


def _records(kind: str, fields: Sequence[str], count: int) -> Column:
    text = record_text(kind, fields).encode()
    sizes = np.full(count, len(text), dtype=np.int64)
    return Column(b"r" * count, sizes=sizes.tobytes(), texts=(text * count,))


def _lists(lengths: Ints) -> Column:
    return Column(b"l" * len(lengths), sizes=lengths.astype(np.int64).tobytes())


def _floats(values: Floats) -> Column:
    return Column(b"f" * len(values), numbers=values.tobytes())


def rounded(seconds: Floats) -> Floats:
    """Return times rounded to the microsecond, bit for bit as `on_grid` rounds each.

    A quotient of two whole numbers is the float nearest to it, as is what `round` returns. Only
    where the sixth decimal is in doubt, next to a half, is `round` itself asked.
    """
    # a time that overflows is refused by whoever reads it
    with np.errstate(over="ignore", invalid="ignore"):
        millionths = seconds * MICRO
        near_half = np.abs(np.abs(millionths - np.floor(millionths)) - 0.5) < 1e-3
    result = np.rint(millionths) / MICRO
    for row in np.flatnonzero(near_half | (np.abs(seconds) >= EXACT_BELOW)):
        result[row] = on_grid(float(seconds[row]))
    return result
