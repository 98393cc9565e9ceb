"""Soft labels in the layout of MAESTRO Real: a file per recording, a line per second and label.

Each line is onset, offset, label and value, separated by tabs, without a header; the value is a
probability from 0 to 1. The published files leave out labels that are 0 in a second, and so seconds
in which nothing sounds; ours list them all.
"""

from itertools import pairwise
from pathlib import Path

from earmark.files.one_line import one_line
from earmark.files.text import read_lines
from earmark.tables.rows import read_number
from earmark.tasks.events.values import FrameScores, Timeline
from earmark.values.errors import InputError

FIELDS = 4
# Published values were computed as sums of weights: 1 may have become a little more.
ROUNDING = 1e-6


def write_soft_labels(name: str, line: Timeline) -> str:
    """Return the soft labels of one recording.

    Raise InputError if it has none.

    Examples
    --------
    >>> soft = FrameScores(("dog",), (0.0, 1.0, 2.0), ((0.25,), (1.0,)))
    >>> print(write_soft_labels("street", Timeline(2, (), soft)).replace(chr(9), " "), end="")
    0 1 dog 0.25
    1 2 dog 1
    """
    if line.scores is None:
        raise InputError(
            "soft labels need a probability for every second",
            at=f"item {name}",
            got="events alone",
            fix="reconcile again, or run a system that gives frame scores",
        )
    labels = [one_line(label, what="label", kind="soft labels") for label in line.scores.labels]
    edges = line.scores.edges.tolist()
    return "".join(
        f"{onset:.10g}\t{min(offset, line.duration):.10g}\t{label}\t{value:.10g}\n"
        for onset, offset, row in zip(edges[:-1], edges[1:], line.scores.rows.tolist(), strict=True)
        for label, value in zip(labels, row, strict=True)
    )


def read_soft_labels(path: Path) -> FrameScores:
    """Return the soft labels of one file; what it does not list is 0."""
    cells: dict[tuple[float, float], dict[str, float]] = {}
    for row, text in enumerate(read_lines(path), start=1):
        if not text.strip():
            continue
        place, fields = f"{path}:{row}", text.rstrip("\n").split("\t")
        if len(fields) != FIELDS:
            raise InputError(
                "a line of soft labels has four fields",
                at=place,
                got=f"{len(fields)} fields",
                want="onset, offset, label and value, separated by tabs",
            )
        onset, offset, value = (
            read_number(fields[k], what=what, at=place)
            for k, what in ((0, "onset"), (1, "offset"), (3, "value"))
        )
        if not 0 <= value <= 1 + ROUNDING:
            raise InputError("a soft label lies between 0 and 1", at=place, got=fields[3])
        own = cells.setdefault((onset, offset), {})
        if fields[2] in own:
            raise InputError("a second has one soft label per label", at=place, got=fields[2])
        own[fields[2]] = min(value, 1.0)
    return _frames(path, cells)


def _frames(path: Path, cells: dict[tuple[float, float], dict[str, float]]) -> FrameScores:
    spans = sorted(cells)
    if not spans:
        raise InputError("a file of soft labels must hold some", at=path, got="none")
    for (_, end), (start, _) in pairwise(spans):
        if start < end:
            raise InputError(
                "spans of soft labels must not overlap",
                at=path,
                got=f"one from {start:g} s, one before it to {end:g} s",
            )
    labels = sorted({label for own in cells.values() for label in own})
    edges = sorted({0.0, *(edge for span in spans for edge in span)})
    rows = [[cells.get(span, {}).get(label, 0.0) for label in labels] for span in pairwise(edges)]
    return FrameScores(labels, edges, rows)


def read_soft_folder(folder: Path) -> dict[str, FrameScores]:
    """Return the soft labels of every recording in a folder, by the name of its file.

    Files may lie in folders of their own, as those of each scene do where they are published.
    """
    files: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.txt")):
        if path.stem in files:
            raise InputError("soft labels of a recording are in one file", at=path, got=path.stem)
        files[path.stem] = path
    if not files:
        raise InputError("a folder of soft labels holds a .txt per recording", at=folder)
    return {name: read_soft_labels(path) for name, path in files.items()}
