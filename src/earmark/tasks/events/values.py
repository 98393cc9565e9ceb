"""What flows through this task: events, timelines of a recording, tags of a window."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from earmark.arrays import Floats
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.span import on_grid

Overlaps = Literal["refuse", "merge"]

# What a person ticks who hears none of the sounds; in files it is written like a label.
NONE = "none"


# Seconds, 115 days: no recording is longer, and what is counted per second or in whole microseconds
# would not fit into memory, or into 64 bits, much beyond.
LATEST = 1e7


def check_time(seconds: float, *, at: object = None) -> None:
    """Raise InputError for a time beyond the end of any recording."""
    if not seconds <= LATEST:
        raise InputError(
            "a time must lie within a recording of at most 115 days",
            at=at,
            got=f"{seconds:g}",
            want=f"at most {LATEST:g} seconds",
            fix="give times in seconds",
        )


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """One sound, from onset to offset, in seconds.

    Examples
    --------
    >>> Event("siren", 1.0, 2.5).length
    1.5
    """

    label: str
    onset: float
    offset: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "onset", on_grid(float(self.onset)))
        object.__setattr__(self, "offset", on_grid(float(self.offset)))
        if not self.label:
            raise InputError("an event needs a label", got=f"{self.onset} to {self.offset}")
        if not 0 <= self.onset < self.offset < math.inf:
            raise InputError(
                "an event must end after it starts",
                got=f"{self.label} from {self.onset} to {self.offset}",
                want="0 <= onset < offset, in seconds",
                fix="correct the two times, or drop the event",
            )
        check_time(self.offset, at=self.label)

    @property
    def length(self) -> float:
        """Seconds from onset to offset."""
        return on_grid(self.offset - self.onset)


@dataclass(frozen=True, slots=True, eq=False)
class FrameScores:
    """A system's score of each label in each frame; frame k lies from edge k to edge k + 1.

    Any sequences may be given; they are kept as arrays that cannot be written to.
    """

    labels: tuple[str, ...]
    edges: Floats  # (frames + 1,)
    rows: Floats  # (frames, labels)

    def __init__(
        self, labels: Sequence[str], edges: ArrayLike, rows: Sequence[Sequence[float]] | Floats
    ) -> None:
        frames = np.array(rows, dtype=np.float64).reshape(len(rows), len(labels))
        bounds = np.array(edges, dtype=np.float64)
        if len(bounds) != len(frames) + 1:
            raise InputError(
                "frame scores need one more edge than frames",
                got=f"{len(bounds)} edges, {len(frames)} frames",
            )
        if not np.all(np.diff(bounds) > 0):
            raise InputError(
                "frames must follow one another in time", fix="sort the frames by onset"
            )
        check_time(float(bounds[-1]))
        for name, value in (("labels", tuple(labels)), ("edges", bounds), ("rows", frames)):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrameScores) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[tuple[str, ...], bytes, bytes]:
        return self.labels, self.edges.tobytes(), self.rows.tobytes()


@dataclass(frozen=True, slots=True)
class Timeline:
    """Which sounds are active when, in a recording of `duration` seconds.

    Events are kept sorted by onset. Two events of one label never overlap: whoever builds a
    timeline says whether such events are refused or merged (`timeline`). `scores`, when a system
    gives them, are what PSDS is computed from; `doubt` is one number per cell of time and label.
    """

    duration: float
    events: tuple[Event, ...] = ()
    scores: FrameScores | None = None
    doubt: tuple[tuple[str, tuple[float, ...]], ...] = ()

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.events, key=lambda e: (e.onset, e.offset, e.label)))
        object.__setattr__(self, "events", ordered)
        object.__setattr__(self, "duration", on_grid(float(self.duration)))
        check_time(self.duration)
        last: dict[str, Event] = {}
        for event in ordered:
            if event.offset > self.duration:
                raise _outside(event, self.duration)
            if event.label in last and event.onset < last[event.label].offset:
                raise _overlapping(last[event.label], event)
            last[event.label] = event

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that occur, sorted."""
        return tuple(sorted({event.label for event in self.events}))


@dataclass(frozen=True, slots=True)
class Tags:
    """Which sounds somebody heard in one window; none is an answer too."""

    labels: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        labels: object = self.labels
        if isinstance(labels, str):
            raise InputError(
                "tags must be a set of labels, not one text",
                got=repr(labels),
                fix=f"write Tags({{{labels!r}}})",
            )
        object.__setattr__(self, "labels", frozenset(self.labels))


def ticked_tags(ticked: tuple[str, ...], offered: tuple[str, ...], *, at: str) -> Tags:
    """Return the tags that somebody ticked.

    Raise InputError if nothing is ticked, if a label was not offered, or if none is ticked beside
    a sound.
    """
    if not ticked or not all(ticked):
        raise InputError(
            "an answer must tick a sound or say none",
            at=at,
            got="nothing",
            want=", ".join([*offered, NONE]),
            fix="write none where nothing was heard",
        )
    for label in ticked:
        checks.one_of(label, [*offered, NONE], what="label", at=at)
    if NONE in ticked and len(ticked) > 1:
        raise InputError("none cannot be ticked beside a sound", at=at, got=" and ".join(ticked))
    return Tags(frozenset(ticked) - {NONE})


def timeline(
    events: Iterable[Event], *, duration: float | None = None, overlaps: Overlaps = "refuse"
) -> Timeline:
    """Return a timeline of events in any order; without a duration it ends with the last one.

    Examples
    --------
    >>> timeline([Event("dog", 0, 2), Event("dog", 1, 3)], overlaps="merge").events
    (Event(label='dog', onset=0.0, offset=3.0),)
    """
    events = tuple(events)
    for event in events:
        if not isinstance(event, Event):
            raise InputError(
                "a timeline is made of events", got=repr(event), want='Event("dog", 0, 1.5)'
            )
    chosen = merged(events) if overlaps == "merge" else events
    last = max((event.offset for event in chosen), default=0.0)
    return Timeline(last if duration is None else duration, chosen)


def merged(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the same activity, overlapping or touching events of one label joined."""
    result: dict[str, list[Event]] = {}
    for event in sorted(events, key=lambda e: (e.label, e.onset)):
        row = result.setdefault(event.label, [])
        if row and event.onset <= row[-1].offset:
            row[-1] = Event(event.label, row[-1].onset, max(row[-1].offset, event.offset))
        else:
            row.append(event)
    return tuple(event for row in result.values() for event in row)


def as_timeline(value: "Timeline | Iterable[Event]") -> Timeline:
    """Return a timeline, whether given as one or as a plain list of events."""
    return value if isinstance(value, Timeline) else timeline(value)


def labels_of(item: Item) -> tuple[str, ...]:
    """Return the labels that a recording's question offers, as its details list them."""
    labels = item.details.get("labels", ())
    if not isinstance(labels, list | tuple) or not labels:
        raise InputError("a recording must say which labels are asked about", at=f"item {item.id}")
    return tuple(str(label) for label in labels)


def recording_seconds(item: Item) -> float:
    """Return how long a recording lasts: as its details say, or else as its file says."""
    if "seconds" in item.details:
        return float(str(item.details["seconds"]))
    if item.media is None:
        raise InputError("a recording needs a sound or a length", at=f"item {item.id}")
    from earmark.files.sound import sound_seconds

    return sound_seconds(item.media)


def _outside(event: Event, duration: float) -> InputError:
    return InputError(
        "an event must lie within its recording",
        got=f"{event.label} from {event.onset} to {event.offset}",
        want=f"offset at most {duration}",
        fix="correct the offset, or the recording's duration",
    )


def _overlapping(first: Event, second: Event) -> InputError:
    return InputError(
        "two events of one label must not overlap",
        got=f"{first.label} from {first.onset} to {first.offset} and from {second.onset} "
        f"to {second.offset}",
        fix="correct the times, or merge them with --overlaps merge",
    )
