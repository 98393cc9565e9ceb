"""Files of segmented text as the outputs of a system."""

from collections.abc import Iterator
from pathlib import Path

from earmark.tasks.boundaries.files import Marked, read_texts
from earmark.tasks.boundaries.make import transcript_of
from earmark.tasks.boundaries.match import match
from earmark.tasks.boundaries.values import Boundaries
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Boundaries]]:
    """One text for each item: a file when there is one item, else a folder with their names."""
    texts = read_texts(path)
    if len(items) == 1 and len(texts) == 1:
        texts = {items[0].id: next(iter(texts.values()))}
    missing = sorted(item.id for item in items if item.id not in texts)
    if missing:
        raise InputError(
            "an output holds a text for every item",
            at=path,
            got=f"none for {', '.join(missing[:3])}{' ...' if len(missing) > 3 else ''}",
            fix="name each file after its item",
        )
    for item in items:
        words = transcript_of(item).words
        base = Marked(words, ("",) * len(words))
        given = next(iter(texts[item.id].values())).only_words()
        found = match(base, given, given.boundaries(), at=f"{path}, {item.id}")
        yield Output(path.stem, item.id, found.boundaries)
