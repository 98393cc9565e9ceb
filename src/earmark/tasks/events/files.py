"""Event tables in and out: DCASE TSV, JAMS, frame scores; every problem with file and line."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from earmark.arrays import Bools, Ints
from earmark.files.json_text import read_json
from earmark.tables.columns import Codes, code, read_columns
from earmark.tables.rows import read_number, read_table, write_table
from earmark.tasks.events.table import EventColumns, rounded
from earmark.tasks.events.values import (
    LATEST,
    Event,
    Overlaps,
    Timeline,
    check_time,
    merged,
)
from earmark.values.errors import InputError

COLUMNS = ("filename", "onset", "offset", "event_label")
NAMESPACES = ("segment_open", "scaper", "tag_open")  # of JAMS: those whose rows are events
Placed = tuple[str, Event]


@dataclass(frozen=True, slots=True, eq=False)
class EventRows:
    """The rows of a file of events, checked; a row without an event says: this one is silent."""

    recording: Codes
    events: EventColumns  # one row per row of the file; `recording` as coded above
    is_event: Bools  # (rows,)
    places: Callable[[Sequence[int]], list[str]]

    def rows_of(self, recording: int) -> Ints:
        """Return the rows that hold events of one recording, by its code."""
        return np.flatnonzero((self.recording.codes == recording) & self.is_event)

    def place(self, row: int) -> str:
        """Return where in the file a row is."""
        return self.places([row])[0]

    def placed(self, rows: Sequence[int]) -> list[Placed]:
        """Return some events as records, each with its place in the file."""
        return list(zip(self.places(rows), map(self.events.event, rows), strict=True))

    def renamed(self, names: Mapping[str, str]) -> "EventRows":
        """Return the rows with other names of recordings; those not mentioned stay."""
        new = [names.get(name, name) for name in self.recording.names]
        recording = code(new, self.recording.codes)
        events = replace(self.events, recording=recording.codes.astype(np.int64))
        return replace(self, recording=recording, events=events)

    def first_seen(self) -> Ints:
        """Return for each recording, by its code, the first row that names it."""
        return np.unique(self.recording.codes, return_index=True)[1]


def read_events(path: Path) -> dict[str, list[Placed]]:
    """Return recording to events, each with its place in the file, as records."""
    rows = read_event_rows(path)
    names = [rows.recording.names[code] for code in rows.recording.codes.tolist()]
    by_recording: dict[str, list[Placed]] = {name: [] for name in names}
    event_rows = np.flatnonzero(rows.is_event).tolist()
    for row, placed in zip(event_rows, rows.placed(event_rows), strict=True):
        by_recording[names[row]].append(placed)
    return by_recording


def read_event_rows(path: Path) -> EventRows:
    """Return the rows of a DCASE TSV, CSV or Parquet table, or of a file or folder of `formats`.

    A row with a recording's name and nothing else says that the recording is silent. Rows are
    checked by column; the first that fails is read again as a record, which raises InputError with
    its line.
    """
    from earmark.tasks.events import formats

    if formats.is_other(path):
        return rows_of_records(formats.read_recordings(path))
    table = read_columns(path, names=("filename", "event_label"), numbers=("onset", "offset"))
    onset, offset = table.numbers["onset"], table.numbers["offset"]
    recording, label = table.names["filename"], table.names["event_label"].stripped()
    nameless = recording.holds(name for name in recording.names if not name.strip())
    unlabelled = label.holds([""])
    silent = table.blank["onset"] & table.blank["offset"] & unlabelled
    times = EventColumns(
        recording.codes.astype(np.int64), label.codes, rounded(onset), rounded(offset), label.names
    )
    # nan compares false, so that cells without a number fail too
    right = (0 <= onset) & (onset < offset) & (times.onset < times.offset) & ~unlabelled
    right &= offset <= LATEST
    wrong = np.flatnonzero(nameless | ~(silent | right))
    if len(wrong):
        row = int(wrong[0])
        check_row(table.cells(row), table.place(row))
    return EventRows(recording, times, ~silent, table.places)


def check_row(row: Mapping[str, str], at: str) -> None:
    """Raise InputError for a row that is neither an event nor a silent recording."""
    if not row["filename"].strip():
        raise InputError("an event must name its recording", at=at, want="a filename")
    _event(row, at)


def rows_of_records(recordings: Mapping[str, Sequence[Placed]]) -> EventRows:
    """Return the events of records, each with its place in a file; one without is silent."""
    flat = [(name, pair) for name, events in recordings.items() for pair in events or (None,)]
    names = code([name for name, _ in flat], np.arange(len(flat)))
    labels = code([pair[1].label if pair else "" for _, pair in flat], np.arange(len(flat)))
    times = np.array([(p[1].onset, p[1].offset) if p else (0.0, 0.0) for _, p in flat]).T
    places = [pair[0] if pair else name for name, pair in flat]
    columns = EventColumns(
        names.codes.astype(np.int64), labels.codes, times[0], times[1], labels.names
    )
    is_event = np.array([pair is not None for _, pair in flat])
    return EventRows(names, columns, is_event, lambda rows: [places[row] for row in rows])


def _event(row: Mapping[str, str], at: str) -> Event:
    onset = read_number(row["onset"], what="onset", at=at)
    offset = read_number(row["offset"], what="offset", at=at)
    if not row["event_label"].strip():
        raise InputError("an event needs a label", at=at, want="an event_label")
    if offset <= onset or onset < 0:
        raise InputError(
            "an event must end after it starts",
            at=at,
            got=f"{onset:g} to {offset:g}",
            want="0 <= onset < offset, in seconds",
            fix="correct the two times, or drop the row",
        )
    check_time(offset, at=at)
    return Event(row["event_label"].strip(), onset, offset)


def read_durations(path: Path) -> dict[str, float]:
    """Return recording to length, from a table of `filename` and `duration`."""
    durations: dict[str, float] = {}
    for line, row in read_table(path, columns=("filename", "duration")):
        place = f"{path}:{line}"
        seconds = read_number(row["duration"], what="duration", at=place)
        if seconds <= 0:
            raise InputError("a duration must be > 0", at=place, got=seconds)
        check_time(seconds, at=place)
        if durations.setdefault(row["filename"], seconds) != seconds:
            raise InputError("a recording has one duration", at=place, got=row["filename"])
    return durations


def build(events: Sequence[Placed], duration: float, *, overlaps: Overlaps = "refuse") -> Timeline:
    """Return a timeline of placed events; one that overlaps or overshoots is named by its line."""
    last: dict[str, Placed] = {}
    for place, event in sorted(events, key=lambda pair: pair[1].onset):
        if event.offset > duration + 1e-6:
            raise InputError(
                "an event lies within its recording",
                at=place,
                got=f"{event.label} from {event.onset:g} to {event.offset:g}",
                want=f"offset at most {duration:g}",
                fix="correct the offset, or the table of durations",
            )
        before = last.get(event.label)
        if before and event.onset < before[1].offset and overlaps == "refuse":
            raise InputError(
                "two events of one label must not overlap",
                at=place,
                got=f"{event.label} from {event.onset:g} to {event.offset:g}, and from "
                f"{before[1].onset:g} to {before[1].offset:g} at {before[0]}",
                fix="correct the times, or pass --overlaps merge",
            )
        if not before or event.offset > before[1].offset:
            last[event.label] = (place, event)
    records = tuple(event for _, event in events)
    return Timeline(duration, merged(records) if overlaps == "merge" else records)


def write_events(lines: Mapping[str, Timeline], *, suffix: str = "") -> str:
    """Return the text of a DCASE TSV; a silent recording has a row of its own."""
    rows: list[dict[str, object]] = []
    for name, line in lines.items():
        if not line.events:
            rows.append({"filename": name + suffix})
        for event in line.events:
            cells = {"onset": event.onset, "offset": event.offset, "event_label": event.label}
            rows.append({"filename": name + suffix, **cells})
    return write_table(COLUMNS, rows, separator="\t")


def write_jams(line: Timeline, *, title: str, levels_db: Sequence[float] = ()) -> str:
    """Return a JAMS document with one `segment_open` annotation, the levels in its sandbox."""
    data = [
        {"time": event.onset, "duration": event.length, "value": event.label, "confidence": 1.0}
        for event in line.events
    ]
    annotation = {
        "namespace": "segment_open",
        "data": data,
        "sandbox": {"levels_db": [round(level, 3) for level in levels_db]} if levels_db else {},
        "annotation_metadata": {"data_source": "earmark", "annotator": {}, "curator": {}},
        "time": 0.0,
        "duration": line.duration,
    }
    metadata = {"title": title, "duration": line.duration, "jams_version": "0.3.4"}
    document = {"annotations": [annotation], "file_metadata": metadata, "sandbox": {}}
    return json.dumps(document, indent=1) + "\n"


def read_jams(path: Path) -> Iterator[Event]:
    """Yield the events of a JAMS document's `segment_open` annotations."""
    document = read_json(path, what="a JAMS file must be JSON")
    if not isinstance(document, dict) or "annotations" not in document:
        raise InputError(
            "a JAMS file must have annotations", at=path, want='{"annotations": [...]}'
        )
    for annotation in _objects(document, "annotations", at=str(path)):
        if annotation.get("namespace") not in NAMESPACES:
            continue
        for number, row in enumerate(_objects(annotation, "data", at=str(path)), start=1):
            yield _jams_event(row, f"{path}, event {number}")


def _objects(record: Mapping[str, Any], name: str, *, at: str) -> list[dict[str, Any]]:
    """Return the objects that a JAMS record lists under a name, none if it lacks the name."""
    rows = record.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{name} of a JAMS file must be a list of objects", at=at, got=rows)
    return rows


def _jams_event(row: Mapping[str, Any], at: str) -> Event:
    value = row.get("value")
    label = value.get("label") if isinstance(value, dict) else value
    onset, length = row.get("time", -1), row.get("duration", 0)
    if not all(isinstance(number, int | float) for number in (onset, length)):
        raise InputError("time and duration must be numbers", at=at, got=f"{onset}, {length}")
    if label and not isinstance(label, str):
        raise InputError("the label of an event must be a text", at=at, got=label)
    cells = {"onset": repr(float(onset)), "offset": repr(float(onset) + float(length))}
    return _event({**cells, "event_label": label or ""}, at)
