"""Files of events and folders of frame scores as the outputs of a system."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.task.progress import notify
from earmark.tasks.events import files
from earmark.tasks.events.frame_files import read_frames
from earmark.tasks.events.measure import check_labels, thresholded
from earmark.tasks.events.values import (
    FrameScores,
    Overlaps,
    Timeline,
    labels_of,
    recording_seconds,
)
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import match_names, some
from earmark.values.output import Output


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOutputOptions:
    """How a system's outputs are read."""

    scores: Path | None = option(
        None,
        "Folder with one TSV of frame scores per recording, for PSDS, beside a file of events.",
    )
    threshold: float = option(
        0.5, "Score above which a label is active, when the outputs are frame scores alone."
    )
    overlaps: Overlaps = option("refuse", "What to do with overlapping events of one label.")


def read_outputs(
    path: Path, items: tuple[Item, ...], options: EventOutputOptions = EventOutputOptions()
) -> Iterator[Output[Timeline]]:
    """Yield the timelines of a file or folder of events, or of a folder of frame scores.

    Recordings that a file does not name are silent, and counted in a note.

    Raises
    ------
    InputError
        If the outputs name recordings or labels that the study does not have, or frame scores lack
        a recording; each with counts.
    """
    from earmark.tasks.events import formats

    if path.is_dir() and not formats.is_event_folder(path):
        if options.scores is not None:
            raise InputError(
                "frame scores are given once", at=path, got="a folder, and --scores", fix="drop one"
            )
        frames = _read_frames(path, items)
        for item in items:
            end = _end(item, frames[item.id].edges[-1])
            yield Output(path.name, item.id, thresholded(frames[item.id], end, options.threshold))
        return
    frames = _read_frames(options.scores, items) if options.scores else {}
    by_item = _read_events(path, items)
    for item in items:
        events = by_item.get(item.id, [])
        last = max((event.offset for _, event in events), default=0.0)
        line = files.build(events, _end(item, last), overlaps=options.overlaps)
        scores = frames.get(item.id)
        yield Output(path.stem, item.id, Timeline(line.duration, line.events, scores))


def _end(item: Item, last: float) -> float:
    """Return how long a recording lasts; one of unknown length lasts at least to `last`."""
    seconds = recording_seconds(item)
    return max(seconds, float(last)) if item.details.get("open_end") else seconds


def _read_events(path: Path, items: tuple[Item, ...]) -> dict[str, list[files.Placed]]:
    """Return the events of a file by item."""
    known = {label for item in items for label in labels_of(item)}
    fix = "correct the label; a study knows those of its material"
    check_labels(files.read_event_rows(path), known, fix=fix)
    placed = files.read_events(path)
    ids = _items_of(placed, items, at=path)
    silent = len(items) - len(ids)
    if silent:
        notify(f"{path}: {silent} of {len(items)} recordings are not named, so they are silent")
    return {ids[name]: events for name, events in placed.items()}


def _read_frames(folder: Path, items: tuple[Item, ...]) -> dict[str, FrameScores]:
    """Return the frame scores of every item; each file is named after one, `.tsv` at its end."""
    if not folder.is_dir():
        raise InputError("frame scores come as a folder", at=folder, want="one TSV per recording")
    paths = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*.tsv"))
        if not path.name.startswith(".")
    }
    if not paths:
        raise InputError(
            "a folder of frame scores must hold TSV files",
            at=folder,
            got="none",
            want="<recording>.tsv with onset, offset and a column per label",
        )
    ids = _items_of(paths, items, at=folder)
    missing = sorted({item.id for item in items} - set(ids.values()))
    if missing:
        raise InputError(
            "every recording must have frame scores",
            at=folder,
            got=f"none for {some(missing, 'recording')} of {len(items)}",
            want="one <recording>.tsv each",
        )
    frames = {item: read_frames(paths[name]) for name, item in ids.items()}
    _check_scored(frames, {label for item in items for label in labels_of(item)}, at=folder)
    return frames


def _check_scored(frames: Mapping[str, FrameScores], known: Collection[str], *, at: Path) -> None:
    """Raise InputError if no label that is scored is one of the study's; note what is not."""
    scored = {label for each in frames.values() for label in each.labels}
    if not scored & set(known):
        raise InputError(
            "frame scores must be of labels of the study",
            at=at,
            got=some(sorted(scored), "label"),
            want=", ".join(sorted(known)),
        )
    if strange := sorted(scored - set(known)):
        notify(f"{at}: scores of {some(strange, 'label')} that the study does not have")


def _items_of(names: Collection[str], items: tuple[Item, ...], *, at: Path) -> dict[str, str]:
    """Return the item of each name; raise InputError, with counts, if one has none."""
    sounds = {Path(item.media).name: item.id for item in items if item.media}
    own = {str(item.details["file"]): item.id for item in items if "file" in item.details}
    ids = {item.id: item.id for item in items}
    matches = {
        name: by_name[match]
        for by_name in (sounds, own, ids)
        for name, match in match_names(names, by_name).items()
    }
    strange = [name for name in names if name not in matches]
    if strange or len(set(matches.values())) < len(matches):
        twice = "" if strange else "two names of one recording"
        raise InputError(
            "an output names a recording that is not there",
            at=at,
            got=f"{', '.join(strange[:1])}{twice}; {len(matches)} of {some(names, 'recording')} "
            f"are among {some(ids, 'recording')} of the study",
            want="the ids of the study, or the names of its sound files",
        )
    return matches
