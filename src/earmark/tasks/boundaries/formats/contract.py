"""Submissions for sentence boundaries: words in, the words that end a unit out."""

from collections.abc import Iterator
from pathlib import Path

from earmark.run.whole import Files, WholeTask, item_lines
from earmark.task.contract import Contract
from earmark.tasks.boundaries.run.outputs import read_outputs
from earmark.tasks.boundaries.values import Boundaries, transcript_of
from earmark.values.item import Item
from earmark.values.output import Output

FORMATS = """\
`ITEMS` holds `items.jsonl` with a line per transcript: `{"id": ..., "words": [...], "times":
[[start, end], ...]}`, times in seconds, null where nobody knows them. `OUTPUT` is JSON lines too:
`{"item": ..., "after": [...]}` for every transcript: the numbers, from 0, of the words that end a
unit.
"""


def transcript_lines(items: tuple[Item, ...]) -> Files:
    """Return the words of each transcript, with their times where they are known."""

    def rows() -> Iterator[dict[str, object]]:
        for item in items:
            transcript = transcript_of(item)
            times = None if transcript.times is None else [list(pair) for pair in transcript.times]
            yield {"id": item.id, "words": list(transcript.words), "times": times}

    return item_lines(rows())


def read_boundaries(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Boundaries]]:
    """Return the boundaries of every transcript."""
    return read_outputs(path, items)


def contract() -> Contract:
    """Return how submissions for boundaries are run."""
    return WholeTask(transcript_lines, read_boundaries, "boundaries.jsonl", FORMATS).contract()
