"""Events as Python callers give them: rows, or recording to events."""

from collections.abc import Iterator, Mapping
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from earmark.tables.columns import code
from earmark.tables.given import RowForm, existing_path, is_blank, is_path, text_of
from earmark.tasks.events.files import EventRows, check_row, read_durations
from earmark.tasks.events.table import EventColumns, rounded
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError

FORM = RowForm(
    ("filename", "onset", "offset", "event_label"),
    '[("a.wav", 0.0, 1.5, "dog"), ...], dicts or a DataFrame with filename, onset, offset and '
    'event_label, or {"a.wav": [Event("dog", 0, 1.5)]}',
    {"recording": "filename", "label": "event_label"},
)
Cells = tuple[str, list[Any]]


def given(reference: object, output: object) -> tuple[tuple[Any, ...], Any]:
    """Return both sides as `measure` takes them: paths as they are, rows as columns."""
    return (side_of(reference, "the reference"),), side_of(output, "the output")


def side_of(value: object, side: str) -> Path | EventRows | None:
    """Return one side: None if there is none, a path, or checked columns of the rows."""
    if value is None:
        return None
    if is_path(value):
        return existing_path(value, right=FORM.right)
    rows = _by_recording(value, side) if isinstance(value, Mapping) else FORM.rows(value, side=side)
    return event_rows(list(rows))


def _by_recording(value: Mapping[Any, Any], side: str) -> Iterator[Cells]:
    """Yield the rows of recording to events; a recording without events is silent."""
    for name, events in value.items():
        place = f"{side}, {name}"
        listed = list(events.events if isinstance(events, Timeline) else _iterable(events, side))
        for event in listed:
            if not isinstance(event, Event):
                raise FORM.refused(event, side=place)
            yield place, [name, event.onset, event.offset, event.label]
        if not listed:
            yield place, [name, None, None, None]


def _iterable(events: Any, side: str) -> Any:
    if isinstance(events, str) or not hasattr(events, "__iter__"):
        raise FORM.refused(events, side=side)
    return events


def event_rows(rows: list[Cells]) -> EventRows:
    """Return rows of (recording, onset, offset, label) as columns, checked one by one."""
    places = [place for place, _ in rows]
    silent = [all(map(is_blank, cells[1:])) for _, cells in rows]
    for (place, cells), is_silent in zip(rows, silent, strict=True):
        name = text_of(cells[0], what="the name of a recording", at=place)
        if not is_silent:
            text_of(cells[3], what="a label", at=place)
        if not is_silent or not name.strip():
            names = FORM.columns
            texts = ["" if is_blank(cell) else str(cell) for cell in cells]
            check_row(dict(zip(names, texts, strict=True)), place)
    everyone = np.arange(len(rows))
    recording = code([cells[0] for _, cells in rows], everyone)
    labels = ["" if s else cells[3].strip() for s, (_, cells) in zip(silent, rows, strict=True)]
    label = code(labels, everyone)
    times = np.array(
        [(np.nan, np.nan) if s else cells[1:3] for s, (_, cells) in zip(silent, rows, strict=True)],
        dtype=np.float64,
    ).reshape(-1, 2)
    columns = EventColumns(
        recording.codes.astype(np.int64),
        label.codes,
        rounded(times[:, 0]),
        rounded(times[:, 1]),
        label.names,
    )
    is_event = ~np.array(silent, dtype=bool)
    return EventRows(recording, columns, is_event, lambda chosen: [places[k] for k in chosen])


def durations_of(value: object) -> dict[str, float]:
    """Return recording to length, from a table's path or from a mapping."""
    if value is None:
        return {}
    if is_path(value):
        return read_durations(Path(str(value)))
    right = 'durations={"a.wav": 10.0}, or the path of a table'
    if not isinstance(value, Mapping):
        raise InputError("durations map recordings to seconds", got=repr(value), want=right)
    for name, seconds in value.items():
        if not isinstance(seconds, Real) or not float(seconds) > 0:
            raise InputError("a duration must be > 0", at=name, got=repr(seconds), want=right)
    return {str(name): float(seconds) for name, seconds in value.items()}
