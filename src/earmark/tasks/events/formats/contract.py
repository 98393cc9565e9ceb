"""Submissions for sound events: recordings in, a table of events out."""

from collections.abc import Iterator
from pathlib import Path

from earmark.run.whole import Files, WholeTask, sounds
from earmark.task.contract import Contract
from earmark.tasks.events.run.outputs import read_outputs
from earmark.tasks.events.values import Timeline, labels_of
from earmark.values.item import Item
from earmark.values.output import Output

LABELS = "labels.txt"
FORMATS = """\
`ITEMS` holds the recordings `item00001.flac` and so on, mono, and `labels.txt` with a label per
line. `OUTPUT` is a table with tabs and the columns `filename`, `onset`, `offset`, `event_label`
(the DCASE format), times in seconds; a recording without a line is silent.
"""


def event_files(items: tuple[Item, ...]) -> Files:
    """Return the recordings, and the labels that they are asked about."""
    labels = dict.fromkeys(label for item in items for label in labels_of(item))
    return {**sounds(items), LABELS: "".join(f"{label}\n" for label in labels).encode()}


def read_events(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Timeline]]:
    """Return a timeline per recording."""
    return read_outputs(path, items)


def contract() -> Contract:
    """Return how submissions for sound events are run."""
    return WholeTask(event_files, read_events, "events.tsv", FORMATS).contract()
