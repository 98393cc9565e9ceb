"""Frame scores of a system, a file per recording: onset, offset and a column per label."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from earmark.files.text import read_text
from earmark.tables.rows import read_number, read_table
from earmark.tasks.events.values import LATEST, FrameScores, check_time
from earmark.values.errors import InputError

# Seconds by which a frame may miss the end of the one before: files round to a microsecond.
JOINED = 1e-6


def read_scores(folder: Path, recordings: Iterable[str]) -> dict[str, FrameScores]:
    """Return each recording's frame scores: `<its stem>.tsv` with onset, offset and labels."""
    if not folder.is_dir():
        raise InputError("frame scores come as a folder", at=folder, want="one TSV per recording")
    frames = {}
    first: dict[Path, str] = {}
    for name in recordings:
        path = folder / f"{Path(name).stem}.tsv"
        if first.setdefault(path, name) != name:
            raise InputError(
                "two recordings must not share a file of frame scores",
                at=path,
                got=f"{first[path]} and {name}",
                fix="give them different names",
            )
        if not path.exists():
            raise InputError("a recording has no frame scores", at=path, got=name)
        frames[name] = read_frames(path)
    return frames


def read_frames(path: Path) -> FrameScores:
    """Read frame scores at once where every line is plain numbers, otherwise row by row."""
    header, *lines = read_text(path).splitlines() or [""]
    names = header.split("\t")
    plain = names[:2] == ["onset", "offset"] and len(set(names)) == len(names) and all(lines)
    try:
        numbers = np.array([line.split("\t") for line in lines if plain], dtype=np.float64)
    except ValueError:
        return _frames_by_row(path)
    if numbers.shape != (len(lines), len(names)) or not lines or not np.isfinite(numbers).all():
        return _frames_by_row(path)
    onset, offset = numbers[:, 0], numbers[:, 1]
    gaps = np.abs(offset[:-1] - onset[1:])
    if np.any(offset <= onset) or np.any(gaps > JOINED) or offset[-1] > LATEST:
        return _frames_by_row(path)
    return FrameScores(names[2:], np.append(onset, offset[-1]), numbers[:, 2:])


def _frames_by_row(path: Path) -> FrameScores:
    """Read frame scores row by row; an error names the line."""
    edges: list[float] = []
    rows: list[tuple[float, ...]] = []
    labels: tuple[str, ...] = ()
    for line, row in read_table(path, columns=("onset", "offset")):
        place = f"{path}:{line}"
        labels = labels or tuple(name for name in row if name not in ("onset", "offset"))
        onset = read_number(row["onset"], what="onset", at=place)
        offset = read_number(row["offset"], what="offset", at=place)
        check_time(offset, at=place)
        if offset <= onset or (edges and abs(edges[-1] - onset) > JOINED):
            raise InputError(
                "frames follow one another in time", at=place, got=f"{onset} to {offset}"
            )
        edges[-1:] = [onset, offset]
        rows.append(tuple(read_number(row[name], what=name, at=place) for name in labels))
    if not rows:
        raise InputError("frame scores need at least one frame", at=path)
    return FrameScores(labels, edges, rows)
