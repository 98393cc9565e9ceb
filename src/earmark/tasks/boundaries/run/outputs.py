"""Files of segmented text as the outputs of a system."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from earmark.files import jsonl
from earmark.tasks.boundaries.alignment import place_on_words
from earmark.tasks.boundaries.formats import read_texts
from earmark.tasks.boundaries.values import Boundaries, transcript_of
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import match_names, some
from earmark.values.output import Output


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Boundaries]]:
    """Return one segmentation per item.

    JSONL with `item` and `after`, the numbers of the words that end a unit; or, for a study of one
    item, its text in any format that `measure` reads; or a folder of such texts, named as items.

    Raises
    ------
    InputError
        If a file cannot be read, names an unknown item, or an item has no text.
    """
    if path.suffix.lower() == ".jsonl":
        return _from_jsonl(path, {item.id: item for item in items})
    return _from_texts(path, items)


def _from_texts(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Boundaries]]:
    texts = read_texts(path)
    if len(items) == 1 and len(texts) == 1:
        texts = {items[0].id: next(iter(texts.values()))}
    ids = {item.id: item for item in items}
    texts = checks.renamed(texts, ids)
    missing = sorted(ids.keys() - texts.keys())
    if missing:
        raise InputError(
            "an output must hold a text for every item",
            at=path,
            got=f"none for {some(missing)}; {some(sorted(texts.keys() - ids.keys()), 'text')} of "
            "no item",
            fix="name each file after its item, or give JSONL with item and after",
        )
    chosen = {item.id: next(iter(texts[item.id].values())).only_words() for item in items}
    if all(text.unread_marks() for text in chosen.values()):
        marks = sum(text.unread_marks() for text in chosen.values())
        raise InputError(
            "running text is read as one unit, because lines end units",
            at=path,
            got=f"{len(chosen)} with 1 unit each, {marks} sentence marks",
            fix="write one unit per line, or give JSONL with item and after",
        )
    for item in items:
        text = chosen[item.id]
        words = transcript_of(item).words
        yield Output(path.stem, item.id, place_on_words(words, text, at=f"{path}, {item.id}"))


def _from_jsonl(path: Path, known: Mapping[str, Item]) -> Iterator[Output[Boundaries]]:
    rows = list(jsonl.read(path))
    names = [str(row.get("item")) for _, row in rows if isinstance(row, dict)]
    matches = match_names(names, known)
    for line, row in rows:
        where = f"{path}:{line}"
        after = row.get("after") if isinstance(row, dict) else None
        if not isinstance(after, list) or not all(isinstance(word, int) for word in after):
            raise InputError("an output has item and after, a list of numbers", at=where, got=row)
        name = str(row.get("item"))
        item = known[checks.one_of(matches.get(name, name), known, what="item", at=where)]
        boundaries = Boundaries(len(transcript_of(item).words), frozenset(after))
        yield Output(path.stem, item.id, boundaries.with_final())
