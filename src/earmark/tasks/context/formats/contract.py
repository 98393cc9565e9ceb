"""Submissions for words out of context: tokens in, a score for each out."""

from collections.abc import Iterator
from pathlib import Path

from earmark.run.whole import Files, WholeTask, item_lines
from earmark.task.contract import Contract
from earmark.tasks.context.files import read_outputs
from earmark.tasks.context.values import Passage, Scores
from earmark.values.item import Item
from earmark.values.output import Output

FORMATS = """\
`ITEMS` holds `items.jsonl` with a line per passage: `{"id": ..., "text": ..., "tokens": [...]}`.
`OUTPUT` is JSON lines too: `{"id": ..., "scores": [...]}` for every passage, a number per token,
the higher the more it is out of place.
"""


def passage_lines(items: tuple[Item, ...]) -> Files:
    """Return the text and the tokens of each passage."""

    def rows() -> Iterator[dict[str, object]]:
        for item in items:
            passage = Passage.of(item)
            yield {"id": item.id, "text": passage.text, "tokens": list(passage.tokens)}

    return item_lines(rows())


def read_scores(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Scores]]:
    """Return the scores of every passage."""
    return read_outputs(path, items)


def contract() -> Contract:
    """Return how submissions for context are run."""
    return WholeTask(passage_lines, read_scores, "scores.jsonl", FORMATS).contract()
