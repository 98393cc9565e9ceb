"""Audacity's label tracks: start, end and label on every line, with tabs between."""

from collections.abc import Iterator
from pathlib import Path

from earmark.files.one_line import one_line
from earmark.files.text import read_lines
from earmark.files.times import read_seconds
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError

FREQUENCIES = "\\"  # how a line begins that says which frequencies the label before it has


def is_labels(first: str) -> bool:
    """Return whether a file with this first line is a label track; an empty one is silent."""
    try:
        float(first.split("\t")[0])
    except ValueError:
        return not first.strip()
    return True


def read_labels(path: Path) -> Iterator[tuple[str, Event]]:
    """Yield the labels of a track, each with its line."""
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip() or line.startswith(FREQUENCIES):
            continue
        place = f"{path}:{number}"
        parts = line.rstrip("\r\n").split("\t")
        if len(parts) != 3 or not parts[2].strip():
            raise InputError(
                "a label track has a start, an end and a label on every line",
                at=place,
                got=line.rstrip("\r\n"),
                want="tabs between them",
            )
        time = read_seconds(parts[0], parts[1], at=place)
        yield place, event_at(parts[2].strip(), time.start, time.end, at=place)


def event_at(label: str, onset: float, offset: float, *, at: str) -> Event:
    """Return an event; raise InputError with its place if it does not end after it starts."""
    try:
        return Event(label, onset, offset)
    except InputError as error:
        raise InputError(
            str(error).partition("\n")[0],
            at=at,
            got=f"{label} from {onset} to {offset}",
            want="0 <= onset < offset, in seconds",
        ) from error


def write_labels(line: Timeline) -> str:
    """Return a label track; a silent recording has an empty one."""
    return "".join(
        f"{event.onset:.6f}\t{event.offset:.6f}\t"
        f"{one_line(event.label, what='label', kind='a label track')}\n"
        for event in line.events
    )
