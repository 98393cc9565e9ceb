"""Files of segmented text as the outputs of a system."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.task.options import option
from earmark.tasks.boundaries.alignment import place
from earmark.tasks.boundaries.formats import ENDS, MarkedText, Units, read_texts
from earmark.tasks.boundaries.values import Boundaries, transcript_of
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import match_names, some
from earmark.values.output import Output


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentedOutputOptions:
    """How files of segmented text are read."""

    units: Units | None = option(
        None,
        "What ends a unit: every line, or every mark. By default what the format means by itself: "
        "lines in plain text, marks in what recognisers write.",
    )
    marks: str = option(ENDS, "The marks that end a unit, when marks do.")


def read_outputs(
    path: Path,
    items: tuple[Item, ...],
    options: SegmentedOutputOptions = SegmentedOutputOptions(),
) -> Iterator[Output[Boundaries]]:
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
    return _from_texts(path, items, options)


def _from_texts(
    path: Path, items: tuple[Item, ...], options: SegmentedOutputOptions
) -> Iterator[Output[Boundaries]]:
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
    if options.units is None and all(text.unread_marks() for text in chosen.values()):
        marks = sum(text.unread_marks() for text in chosen.values())
        raise InputError(
            "running text is read as one unit, because lines end units",
            at=path,
            got=f"{len(chosen)} with 1 unit each, {marks} sentence marks",
            fix="pass --units marks; or --units lines if each text is one unit",
        )
    for item in items:
        words = transcript_of(item).words
        own = chosen[item.id].boundaries(units=options.units, marks=options.marks)
        base = MarkedText(words, ("",) * len(words))
        placed = place(base, chosen[item.id], own, at=f"{path}, {item.id}")
        yield Output(path.stem, item.id, placed.boundaries)


def _from_jsonl(path: Path, known: Mapping[str, Item]) -> Iterator[Output[Boundaries]]:
    rows = list(jsonl.read(path))
    names = [_name(row) for _, row in rows if isinstance(row, dict)]
    matches = match_names(names, known)
    missing = sorted(known.keys() - set(matches.values()))
    if missing:
        raise InputError(
            "an output must have a line for every item",
            at=path,
            got=f"none for {some(missing)}; {len(matches)} of {some(names, 'line')} match",
        )
    for line, row in rows:
        where = f"{path}:{line}"
        after = row.get("after") if isinstance(row, dict) else None
        if not isinstance(after, list) or not all(isinstance(word, int) for word in after):
            raise InputError("an output has item and after, a list of numbers", at=where, got=row)
        name = _name(row)
        item = known[checks.one_of(matches.get(name, name), known, what="item", at=where)]
        boundaries = Boundaries(len(transcript_of(item).words), frozenset(after))
        yield Output(path.stem, item.id, boundaries.with_final())


def _name(row: Mapping[str, Any]) -> str:
    return str(row.get("item", row.get("id")))
