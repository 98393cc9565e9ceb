"""Two files, no study: read a reference and an output, pair them by recording."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from earmark.task.task import Pairing
from earmark.tasks.events import files
from earmark.tasks.events.values import Event, FrameScores, Overlaps, Timeline
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output


def measure(  # noqa: PLR0913
    references: tuple[Path, ...],
    output: Path | None,
    *,
    durations: Path | None = None,
    scores: Path | None = None,
    threshold: float = 0.5,
    overlaps: Overlaps = "refuse",
    labels: tuple[str, ...] = (),
) -> Pairing:
    """Timelines of both sides, paired by recording.

    Parameters
    ----------
    durations
        Table of `filename` and `duration`; without it a recording ends with its last event.
    scores
        Folder with one TSV of frame scores a recording, for PSDS.
    threshold
        Score above which a label is active, when the output is given by its scores alone.
    overlaps
        What to do with overlapping events of one label.
    labels
        Labels that an output may have besides those of the reference.
    """
    if len(references) != 1:
        raise InputError("events are measured against one reference", got=f"{len(references)}")
    lengths = files.read_durations(durations) if durations else {}
    expected = files.read_events(references[0])
    heard = files.read_events(output) if output else {}
    known = {event.label for row in expected.values() for _, event in row} | set(labels)
    check_labels(heard, known, fix="correct the label, or allow it: --labels " + UNKNOWN)
    names = _recordings(expected, heard, lengths, str(durations or references[0]))
    frames = files.read_scores(scores, names) if scores else {}
    if output is None and scores is None:
        raise InputError("there must be an output to measure", fix="give --output or --scores")
    ends = {name: _end(name, (expected, heard), lengths, frames) for name in names}
    reference = _timelines(expected, ends, overlaps)
    if output is None:
        given = {name: thresholded(frames[name], ends[name], threshold) for name in names}
    else:
        given = _timelines(heard, ends, overlaps)
    told = {k: replace(line, scores=frames.get(k)) for k, line in given.items()}
    scored = {label for each in frames.values() for label in each.labels}
    details = {"labels_without_reference": strange} if (strange := sorted(scored - known)) else {}
    stem = (output or scores or Path()).stem
    return Pairing(reference, told, references[0].stem, stem, details=details)


Found = Mapping[str, list[files.Placed]]
UNKNOWN = "{label}"


def check_labels(heard: Found, known: Collection[str], *, fix: str) -> None:
    """Whether every event of the output has a label that is known; a misspelling scores nothing."""
    for events in heard.values():
        for at, event in events:
            if event.label not in known:
                raise InputError(
                    "the output has a label that the reference does not know",
                    at=at,
                    got=event.label,
                    want=", ".join(sorted(known)) or "none: the reference holds no event",
                    fix=fix.replace(UNKNOWN, event.label),
                )


def _recordings(
    expected: Found, heard: Found, lengths: Mapping[str, float], known_from: str
) -> list[str]:
    known = {**dict.fromkeys(expected), **dict.fromkeys(lengths)}
    for name, events in heard.items():
        if name not in known:
            raise InputError(
                "the output speaks of a recording that the reference does not know",
                at=events[0][0] if events else known_from,
                got=name,
                want=f"a recording of {known_from}",
                fix="correct the name, or list silent recordings in the reference or --durations",
            )
    for name, events in expected.items():
        if lengths and name not in lengths:
            at = events[0][0] if events else known_from
            raise InputError("a recording has no duration", at=at, got=name)
    if not known:
        raise InputError("there must be at least one recording", at=known_from)
    return sorted(known)


def _end(
    name: str,
    sides: tuple[Found, Found],
    lengths: Mapping[str, float],
    frames: Mapping[str, FrameScores],
) -> float:
    if name in lengths:
        return lengths[name]
    offsets = [event.offset for side in sides for _, event in side.get(name, ())]
    return max([*offsets, *frames[name].edges[-1:]] if name in frames else [*offsets, 0.0])


def _timelines(found: Found, ends: Mapping[str, float], overlaps: Overlaps) -> dict[str, Timeline]:
    return {k: files.build(found.get(k, []), end, overlaps=overlaps) for k, end in ends.items()}


def thresholded(frames: FrameScores, duration: float, threshold: float) -> Timeline:
    """Runs of frames whose score lies above the threshold, as events."""
    events = []
    for k, label in enumerate(frames.labels):
        begun: float | None = None
        for index, row in enumerate((*frames.rows, ())):
            sounds = bool(row) and row[k] > threshold
            if sounds and begun is None:
                begun = frames.edges[index]
            elif not sounds and begun is not None:
                events.append(Event(label, begun, min(frames.edges[index], duration)))
                begun = None
    return Timeline(duration, tuple(events), frames)


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Timeline]]:
    """A file of events as a system's outputs; recordings it does not name are silent."""
    from earmark.tasks.events.values import labels_of, recording_seconds

    found = files.read_events(path)
    known = {label for item in items for label in labels_of(item)}
    check_labels(found, known, fix="correct the label; a study knows those of its material")
    names = {name: item for item in items for name in (item.id, Path(item.media or item.id).name)}
    by_item: dict[str, list[files.Placed]] = {}
    for name, events in found.items():
        item = names.get(name) or names.get(Path(name).stem)
        if item is None:
            at = events[0][0] if events else path
            raise InputError("an output speaks of a recording that is not there", at=at, got=name)
        by_item.setdefault(item.id, []).extend(events)
    for item in items:
        line = files.build(by_item.get(item.id, []), recording_seconds(item), overlaps="refuse")
        yield Output(path.stem, item.id, line)
