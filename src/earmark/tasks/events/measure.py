"""Two files, no study: read a reference and an output, pair them by recording."""

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.tables.given import name_of
from earmark.task.options import option
from earmark.task.task import Pairing
from earmark.tasks.events import files
from earmark.tasks.events.files import EventRows
from earmark.tasks.events.frame_files import read_scores
from earmark.tasks.events.given import durations_of
from earmark.tasks.events.table import EventColumns, EventTable, rounded
from earmark.tasks.events.values import (
    Event,
    FrameScores,
    Overlaps,
    Timeline,
    merged,
)
from earmark.values.errors import InputError
from earmark.values.names import match_names, some

# In the advice for an unknown label, where the label itself is written.
UNKNOWN = "{label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFileOptions:
    """How files of events are read."""

    durations: Path | Mapping[str, float] | None = option(
        None,
        "Table of `filename` and `duration`; without it a recording ends with its last event.",
    )
    scores: Path | None = option(
        None, "Folder with one TSV of frame scores per recording, for PSDS.", of_output=True
    )
    soft: Path | None = option(
        None, "Folder with the reference's soft labels, one file per recording, for soft_f1."
    )
    threshold: float = option(
        0.5, "Score above which a label is active, when the output is given by its scores alone."
    )
    overlaps: Overlaps = option("refuse", "What to do with overlapping events of one label.")
    labels: tuple[str, ...] = option(
        (), "Labels that an output may have besides those of the reference."
    )


def measure(
    references: tuple[Path | EventRows, ...],
    output: Path | EventRows | None,
    options: EventFileOptions = EventFileOptions(),
) -> Pairing:
    """Return timelines of both sides, paired by recording."""
    if len(references) != 1:
        raise InputError("events are measured against one reference", got=f"{len(references)}")
    lengths = durations_of(options.durations)
    expected = _rows(references[0])
    matches = match_names(lengths, expected.recording.names)
    lengths = {matches.get(name, name): seconds for name, seconds in lengths.items()}
    given = _rows(output) if output else None
    if given:
        recordings = {*expected.recording.names, *lengths}
        given = given.renamed(match_names(given.recording.names, recordings))
    known = {expected.events.labels[k] for k in expected.events.label[expected.is_event]}
    known |= set(options.labels)
    if given:
        check_labels(given, known, fix="correct the label, or allow it: --labels " + UNKNOWN)
    names = _recordings(expected, given, lengths, _known_from(references[0], options))
    frames = read_scores(options.scores, names) if options.scores else {}
    if output is None and options.scores is None:
        raise InputError("there must be an output to measure", fix="give --output or --scores")
    ends = _ends(names, [side for side in (expected, given) if side], lengths, frames)
    return Pairing(
        _timelines(expected, names, ends, options.overlaps, _soft(options.soft, names)),
        _timelines(given, names, ends, options.overlaps, frames)
        if given
        else _thresholded(frames, dict(zip(names, ends.tolist(), strict=True)), options.threshold),
        name_of(references[0]),
        name_of(output or options.scores),
        details={**_details(frames, known), **_taken_as_silent(given, names)},
    )


def _soft(folder: Path | None, names: Sequence[str]) -> Mapping[str, FrameScores]:
    """Return the reference's soft labels; raise InputError unless every recording has them."""
    from earmark.tasks.events.formats.maestro import read_soft_folder

    if folder is None:
        return {}
    soft = read_soft_folder(folder)
    matches = match_names(soft, names)
    soft = {matches.get(name, name): frames for name, frames in soft.items()}
    missing = sorted(set(names) - set(soft))
    if missing:
        raise InputError(
            "every recording needs soft labels",
            at=folder,
            got=f"none for {some(missing, 'recording')} of {len(names)}",
            want="a file NAME.txt for each recording",
        )
    return {name: soft[name] for name in names}


def _rows(side: Path | EventRows) -> EventRows:
    return side if isinstance(side, EventRows) else files.read_event_rows(side)


def _known_from(reference: Path | EventRows, options: EventFileOptions) -> str:
    """Return what lists the recordings, for messages."""
    for source in (options.durations, reference):
        if isinstance(source, Path):
            return str(source)
    return "durations=" if options.durations else "the reference"


def _details(frames: Mapping[str, FrameScores], known: Collection[str]) -> dict[str, object]:
    scored = {label for each in frames.values() for label in each.labels}
    strange = sorted(scored - set(known))
    return {"labels_without_reference": strange} if strange else {}


def _taken_as_silent(given: EventRows | None, names: Sequence[str]) -> dict[str, object]:
    """Return a note on the recordings that the output does not name: they may be forgotten."""
    unnamed = sorted(set(names) - set(given.recording.names)) if given else []
    if not unnamed:
        return {}
    return {"notes": [f"output: no row for {some(unnamed, 'recording')} of {len(names)}: silent"]}


def check_labels(output: EventRows, known: Collection[str], *, fix: str) -> None:
    """Raise InputError if an event of the output has a label that is not known.

    A misspelt label would score nothing and never be noticed.
    """
    events = output.events
    strange = ~np.array([label in known for label in events.labels], dtype=bool)[events.label]
    rows = np.flatnonzero(strange & output.is_event)
    if len(rows):
        # the first in the order of recordings as the file names them, then of rows
        seen = output.first_seen()[output.recording.codes[rows]]
        row = int(rows[np.lexsort((rows, seen))[0]])
        label = events.labels[events.label[row]]
        raise InputError(
            "the output has a label that the reference does not know",
            at=output.place(row),
            got=label,
            want=", ".join(sorted(known)) or "none: the reference holds no event",
            fix=fix.replace(UNKNOWN, shlex.quote(label)),
        )


def _recordings(
    expected: EventRows, given: EventRows | None, lengths: Mapping[str, float], known_from: str
) -> list[str]:
    """Return the names of all recordings, sorted; raise InputError for one that is not known."""
    known = {*expected.recording.names, *lengths}
    if given:
        strange = _first_outside(given, known)
        if strange is not None:
            raise InputError(
                "the output names a recording that is not in the reference",
                at=given.place(int(given.first_seen()[strange])),
                got=f"{given.recording.names[strange]}; {_matching(given.recording.names, known)}",
                want=f"a recording of {known_from}",
                fix="correct the name, or list silent recordings in the reference or --durations",
            )
    endless = _first_outside(expected, lengths) if lengths else None
    if endless is not None:
        place = expected.place(int(expected.first_seen()[endless]))
        raise InputError(
            "a recording has no duration", at=place, got=expected.recording.names[endless]
        )
    if not known:
        raise InputError("there must be at least one recording", at=known_from)
    return sorted(known)


def _first_outside(side: EventRows, known: Collection[str]) -> int | None:
    """Return the first recording of a file, by its code, that is not known."""
    outside = [code for code, name in enumerate(side.recording.names) if name not in known]
    return min(outside, key=side.first_seen().__getitem__) if outside else None


def _matching(names: Collection[str], known: Collection[str]) -> str:
    """Return how many names are known, and how many there are on both sides."""
    count = len(set(names) & set(known))
    return f"{count} of {some(names, 'recording')} are among {some(sorted(known), 'recording')}"


def _ends(
    names: Sequence[str],
    sides: Sequence[EventRows],
    lengths: Mapping[str, float],
    frames: Mapping[str, FrameScores],
) -> Floats:
    """Return how long each recording lasts: as the table says, or to its last event or frame."""
    if lengths:
        return np.array([lengths[name] for name in names], dtype=np.float64)
    ends = np.array([frames[n].edges[-1] if n in frames else 0.0 for n in names], dtype=np.float64)
    for side in sides:
        offsets = side.events.offset[side.is_event]
        np.maximum.at(ends, _indices(side, names)[side.is_event], offsets)
    return ends


def _indices(side: EventRows, names: Sequence[str]) -> Ints:
    """Return for each row of a file the index of its recording among the names."""
    index = {name: number for number, name in enumerate(names)}
    by_code = np.array([index[name] for name in side.recording.names], dtype=np.int64)
    return by_code[side.recording.codes]


def _timelines(
    side: EventRows,
    names: Sequence[str],
    ends: Floats,
    overlaps: Overlaps,
    scores: Mapping[str, FrameScores] | None = None,
) -> EventTable:
    """Return the timelines of a file, checked by column.

    The first recording in which an event overshoots or overlaps is built again from records, which
    raises InputError with the line.
    """
    rows, one = np.flatnonzero(side.is_event), side.events
    events = EventColumns(_indices(side, names), one.label, one.onset, one.offset, one.labels)
    events = events.take(rows)
    durations = rounded(ends)
    late = events.offset > np.minimum(durations, ends + 1e-6)[events.recording]
    wrong = set(events.recording[late].tolist())
    first, second = events.next_of_label()
    touching = events.onset[second] <= events.offset[first]
    if overlaps == "refuse":
        over = events.onset[second] < events.offset[first]
        wrong |= set(events.recording[second[over]].tolist())
    for recording in sorted(wrong):
        placed = side.placed(rows[events.recording == recording].tolist())
        files.build(placed, float(ends[recording]), overlaps=overlaps)
    if overlaps == "merge":
        events = _merged(events, set(events.recording[second[touching]].tolist()))
    return EventTable(names, durations, events, scores)


def _merged(events: EventColumns, recordings: Collection[int]) -> EventColumns:
    """Return the events with those of some recordings merged where they overlap or touch."""
    if not recordings:
        return events
    apart = ~np.isin(events.recording, list(recordings))
    joined = [
        (recording, events.labels.index(event.label), event.onset, event.offset)
        for recording in sorted(recordings)
        for event in merged(
            map(events.event, np.flatnonzero(events.recording == recording).tolist())
        )
    ]
    rest, added = events.take(apart), np.array(joined, dtype=np.float64)
    return EventColumns(
        np.concatenate([rest.recording, added[:, 0].astype(np.int64)]),
        np.concatenate([rest.label, added[:, 1].astype(np.int32)]),
        np.concatenate([rest.onset, added[:, 2]]),
        np.concatenate([rest.offset, added[:, 3]]),
        events.labels,
    )


def _thresholded(
    frames: Mapping[str, FrameScores], ends: Mapping[str, float], threshold: float
) -> dict[str, Timeline]:
    return {name: thresholded(frames[name], end, threshold) for name, end in ends.items()}


def thresholded(frames: FrameScores, duration: float, threshold: float) -> Timeline:
    """Return runs of frames whose score lies above the threshold, as events."""
    events = []
    for k, label in enumerate(frames.labels):
        flips = np.flatnonzero(np.diff(frames.rows[:, k] > threshold, prepend=False, append=False))
        for first, end in flips.reshape(-1, 2).tolist():
            onset, offset = float(frames.edges[first]), float(frames.edges[end])
            events.append(Event(label, onset, min(offset, duration)))
    return Timeline(duration, tuple(events), frames)
