"""A reference of one's own recordings: which events belong to which, checked against lengths."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from earmark.tasks.events import files
from earmark.tasks.events.files import EventRows, Placed
from earmark.tasks.events.values import Event, Overlaps, Timeline
from earmark.values.errors import InputError
from earmark.values.names import match_names, some

Late = Literal["refuse", "cut"]
# Seconds by which an event may pass the end of its recording: times are rounded to a microsecond.
ROUNDED = 1e-6


class ReferenceOptions(Protocol):
    """What decides how a reference is read."""

    @property
    def late(self) -> Late:
        """What is done with events beyond a recording's end."""
        ...

    @property
    def overlaps(self) -> Overlaps:
        """What is done with overlapping events of one label."""
        ...


@dataclass(frozen=True, slots=True)
class Truth:
    """The events of each recording with their places in the file, and how long each lasts."""

    placed: Mapping[str, list[Placed]]
    lengths: Mapping[str, float]
    labels: frozenset[str]
    overlaps: Overlaps = "refuse"
    unnamed: frozenset[str] = frozenset()  # recordings that the reference does not name

    def timeline(self, name: str, seconds: float) -> Timeline:
        """Return the timeline of one recording; one without events is silent."""
        return files.build(self.placed[name], seconds, overlaps=self.overlaps)

    def refuse_unnamed(self, what: Literal["refuse", "silent"], *, at: Path) -> None:
        """Raise InputError if recordings are not named, unless that makes them silent."""
        if self.unnamed and what == "refuse":
            raise InputError(
                "the reference must name every recording, the silent ones too",
                at=at,
                got=f"{some(sorted(self.unnamed), 'recording')} of {len(self.lengths)} not named",
                fix="add a row with the name alone for a silent one, or pass --unnamed silent",
            )


def read_truth(
    rows: EventRows, lengths: Mapping[str, float], options: ReferenceOptions, *, at: Path
) -> Truth:
    """Return the events of recordings whose lengths are known, or, without lengths, of all named.

    Raise InputError, with counts, if names do not match or events pass the end of a recording.
    """
    named = rows.recording.names
    matches = match_names(named, lengths) if lengths else {name: name for name in named}
    strange = [name for name in named if name not in matches]
    if strange:
        raise InputError(
            "the reference names recordings that are not there",
            at=at,
            got=f"{some(strange, 'recording')} of {len(named)}; there are "
            f"{some(sorted(lengths), 'recording')}",
            want="names of the recordings, with or without folder and extension",
        )
    placed: dict[str, list[Placed]] = {matches[name]: [] for name in named}
    for code, name in enumerate(named):
        placed[matches[name]] += rows.placed(rows.rows_of(code).tolist())
    ends = lengths or {name: _last(events) for name, events in placed.items()}
    inside = _inside(placed, ends, options.late, at=at)
    labels = frozenset(event.label for events in placed.values() for _, event in events)
    everyone = {name: inside.get(name, []) for name in ends}
    return Truth(everyone, ends, labels, options.overlaps, frozenset(ends) - frozenset(placed))


def _last(events: list[Placed]) -> float:
    return max((event.offset for _, event in events), default=0.0)


def _inside(
    placed: Mapping[str, list[Placed]], ends: Mapping[str, float], late: Late, *, at: Path
) -> dict[str, list[Placed]]:
    """Return the events within their recordings; raise InputError for others, unless to be cut."""
    beyond = [
        (place, event, ends[name])
        for name, events in placed.items()
        for place, event in events
        if event.offset > ends[name] + ROUNDED and (late == "refuse" or event.onset >= ends[name])
    ]
    if beyond:
        place, event, end = beyond[0]
        raise InputError(
            "an event must lie within its recording",
            at=place,
            got=f"{event.label} from {event.onset:g} to {event.offset:g} in {end:g} s; "
            f"{len(beyond)} of {sum(map(len, placed.values()))} events lie beyond an end",
            want=f"offset at most {end:g}",
            fix="correct the times, or pass --late cut"
            if late == "refuse"
            else "correct or remove them: what starts after the end cannot be cut",
        )
    return {
        name: [(place, _cut(event, ends[name])) for place, event in events]
        for name, events in placed.items()
    }


def _cut(event: Event, end: float) -> Event:
    return Event(event.label, event.onset, end) if event.offset > end else event
