"""Events in the formats of other tools: JAMS, Audacity labels, TextGrid, ELAN, RTTM; in and out.

A file holds one recording, under its own name, except RTTM, which names its recordings. A folder
is a recording per file, its name the path below the folder.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from earmark.files.text import read_lines
from earmark.tasks.events.formats import audacity, rttm, tiers
from earmark.tasks.events.values import Event
from earmark.values.errors import InputError

Placed = tuple[str, Event]


def _read_jams(path: Path) -> Iterator[Placed]:
    from earmark.tasks.events.files import read_jams

    return ((str(path), event) for event in read_jams(path))


READERS: dict[str, Callable[[Path], Iterator[Placed]]] = {
    ".jams": _read_jams,
    ".json": _read_jams,
    ".txt": audacity.read_labels,
    ".textgrid": tiers.read_textgrid,
    ".eaf": tiers.read_eaf,
}
TABLES = (".tsv", ".csv", ".parquet")


def is_other(path: Path) -> bool:
    """Return whether a path is to be read here: a folder, or a file that is no table."""
    suffix = path.suffix.lower()
    if suffix == ".txt" and path.is_file():
        # a table may be called .txt too; the first word of Audacity's labels is a number
        return audacity.is_labels(next(read_lines(path), ""))
    return path.is_dir() or suffix == ".rttm" or suffix in READERS


def is_event_folder(path: Path) -> bool:
    """Return whether a folder has files of events, and not the frame scores of a system."""
    return path.is_dir() and any(file.suffix.lower() in READERS for file in path.rglob("*"))


def read_recordings(path: Path) -> dict[str, list[Placed]]:
    """Return recording to events, each with its place, of a file or a folder."""
    if path.suffix.lower() == ".rttm" and path.is_file():
        return rttm.read_rttm(path)
    if not path.is_dir():
        return {path.stem: list(READERS[path.suffix.lower()](path))}
    recordings: dict[str, list[Placed]] = {}
    for file in sorted(path.rglob("*")):
        if file.is_dir() or file.name.startswith((".", "README")):
            continue
        reader = READERS.get(file.suffix.lower())
        if reader is None:
            raise InputError(
                "a folder of events holds a file per recording",
                at=file,
                want=", ".join(READERS),
                fix="name a table, or an RTTM file, itself",
            )
        name = file.relative_to(path).with_suffix("").as_posix()
        if name in recordings:
            raise InputError("a recording must have one file", at=file, got=name)
        recordings[name] = list(reader(file))
    if not recordings:
        raise InputError("a folder of events must hold files", at=path, got="none")
    return recordings
