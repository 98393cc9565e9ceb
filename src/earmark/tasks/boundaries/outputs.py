"""Files of segmented text as the outputs of a system."""

from collections.abc import Iterator
from pathlib import Path

from earmark.files import jsonl
from earmark.tasks.boundaries.formats import MarkedText, read_texts
from earmark.tasks.boundaries.make import transcript_of
from earmark.tasks.boundaries.match import match
from earmark.tasks.boundaries.values import Boundaries
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

NAMED = 3


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Boundaries]]:
    """One segmentation for each item.

    JSONL with `item` and `after`, the numbers of the words that end a unit; or, for a study of one
    item, its text in any format that `measure` reads; or a folder of such texts, named as items.
    """
    if path.suffix.lower() == ".jsonl":
        yield from _rows(path, {item.id: item for item in items})
        return
    texts = read_texts(path)
    if len(items) == 1 and len(texts) == 1:
        texts = {items[0].id: next(iter(texts.values()))}
    missing = sorted(item.id for item in items if item.id not in texts)
    if missing:
        raise InputError(
            "an output holds a text for every item",
            at=path,
            got=f"none for {', '.join(missing[:NAMED])}{' ...' if len(missing) > NAMED else ''}",
            fix="name each file after its item, or give JSONL with item and after",
        )
    for item in items:
        words = transcript_of(item).words
        base = MarkedText(words, ("",) * len(words))
        given = next(iter(texts[item.id].values())).only_words()
        found = match(base, given, given.boundaries(), at=f"{path}, {item.id}")
        yield Output(path.stem, item.id, found.boundaries)


def _rows(path: Path, known: dict[str, Item]) -> Iterator[Output[Boundaries]]:
    for line, row in jsonl.read(path):
        at = f"{path}:{line}"
        after = row.get("after") if isinstance(row, dict) else None
        if not isinstance(after, list) or not all(isinstance(one, int) for one in after):
            raise InputError("an output has item and after, a list of numbers", at=at, got=row)
        item = known[checks.one_of(str(row.get("item")), known, what="item", at=at)]
        boundaries = Boundaries(len(transcript_of(item).words), frozenset(after))
        yield Output(path.stem, item.id, boundaries.with_final())
