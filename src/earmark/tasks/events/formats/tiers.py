"""TextGrid and EAF: a tier per label, because sounds overlap and the intervals of a tier do not."""

from collections.abc import Iterator
from pathlib import Path

from earmark.files.one_line import one_line
from earmark.files.tiers import (
    Tier,
    TierInterval,
    milliseconds,
    read_eaf_tiers,
    read_textgrid_tiers,
    write_eaf_tiers,
    write_textgrid_tiers,
)
from earmark.tasks.events.formats.audacity import event_at
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError

SILENT = "events"  # the one tier of a recording without events: Praat wants at least one


def read_textgrid(path: Path) -> Iterator[tuple[str, Event]]:
    """Yield an event per interval with a text, which is its label, of all tiers."""
    return _events(path, read_textgrid_tiers(path))


def read_eaf(path: Path) -> Iterator[tuple[str, Event]]:
    """Yield an event per annotation with a text, which is its label, of all tiers."""
    return _events(path, read_eaf_tiers(path))


def _events(path: Path, tiers: list[Tier]) -> Iterator[tuple[str, Event]]:
    for tier in tiers:
        for start, end, text in tier.intervals:
            if text.strip():
                place = f"{path}, tier {tier.name}"
                yield place, event_at(text.strip(), start, end, at=place)


def _tiers(line: Timeline, kind: str) -> list[Tier]:
    return [
        Tier(
            one_line(label, what="label", kind=kind),
            [TierInterval(e.onset, e.offset, label) for e in line.events if e.label == label],
        )
        for label in line.labels
    ] or [Tier(SILENT, [])]


def write_textgrid(line: Timeline) -> str:
    """Return a TextGrid as long as the recording."""
    return write_textgrid_tiers(_tiers(line, "a TextGrid"), end=line.duration)


def write_eaf(line: Timeline) -> str:
    """Return an EAF file; refuse an event that is gone when its times are milliseconds."""
    for event in line.events:
        if milliseconds(event.onset) == milliseconds(event.offset):
            raise InputError(
                "EAF cannot hold an event shorter than a millisecond",
                got=f"{event.label} from {event.onset} to {event.offset}",
                fix="choose another format",
            )
    return write_eaf_tiers(_tiers(line, "EAF"))


def is_rounded(line: Timeline) -> bool:
    """Return whether EAF's milliseconds change a time of the recording."""
    times = [time for event in line.events for time in (event.onset, event.offset)]
    return any(abs(milliseconds(time) / 1000 - time) > 1e-9 for time in times)
