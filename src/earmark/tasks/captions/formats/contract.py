"""Submissions for captions: sounds in, a sentence for each out."""

from earmark.run.whole import WholeTask, sounds
from earmark.task.contract import Contract
from earmark.tasks.captions.files import read_outputs

FORMATS = """\
`ITEMS` holds the sounds `item00001.flac` and so on. `OUTPUT` is a CSV with the columns `item` and
`caption`: one row for every sound, named with or without its ending.
"""


def contract() -> Contract:
    """Return how captioning submissions are run."""
    return WholeTask(sounds, read_outputs, "captions.csv", FORMATS).contract()
