"""RTTM: an event per line, many recordings in one file, and UEM, which says how long each is."""

from collections.abc import Mapping
from pathlib import Path

from earmark.files.one_line import one_line
from earmark.files.text import read_lines
from earmark.files.times import read_seconds
from earmark.tasks.events.formats.audacity import event_at
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError

FIELDS = "type file channel onset length text subtype label confidence"
COMMENT = ";;"
UEM = ".uem"
# Types that say something of a recording as a whole, or of its speakers, and are no events.
NO_EVENTS = ("SPKR-INFO", "NOSCORE", "NO_RT_METADATA")


def read_rttm(path: Path) -> dict[str, list[tuple[str, Event]]]:
    """Return recording to events; those that only the UEM file beside it names are silent."""
    recordings: dict[str, list[tuple[str, Event]]] = {}
    uem = path.with_suffix(UEM)
    for line in read_lines(uem) if uem.is_file() else ():
        if line.strip() and not line.startswith(COMMENT):
            recordings.setdefault(line.split()[0], [])
    for number, line in enumerate(read_lines(path), start=1):
        words, place = line.split(), f"{path}:{number}"
        if not words or line.startswith(COMMENT) or words[0] in NO_EVENTS:
            continue
        if len(words) < 8:
            raise InputError("a line has too few fields", at=place, got=line.strip(), want=FIELDS)
        onset = read_seconds(words[3], words[3], at=place).start
        length = read_seconds(0, words[4], at=place).end
        event = event_at(words[7], onset, onset + length, at=place)
        recordings.setdefault(words[1], []).append((place, event))
    if not recordings:
        raise InputError("an RTTM file must hold at least one event", at=path)
    return recordings


def write_rttm(lines: Mapping[str, Timeline]) -> str:
    """Return the events of all recordings; RTTM has no way to write a blank within a name."""
    rows = []
    for name, line in lines.items():
        file = one_line(name, what="recording", kind="RTTM", blanks=False)
        for event in line.events:
            label = one_line(event.label, what="label", kind="RTTM", blanks=False)
            rows.append(
                f"SPEAKER {file} 1 {event.onset:.6f} {event.length:.6f} <NA> <NA> {label} <NA> "
                "<NA>\n"
            )
    return "".join(rows)


def write_uem(lines: Mapping[str, Timeline]) -> str:
    """Return how long each recording is."""
    return "".join(
        f"{one_line(name, what='recording', kind='UEM', blanks=False)} 1 0.000000 "
        f"{line.duration:.6f}\n"
        for name, line in lines.items()
    )
