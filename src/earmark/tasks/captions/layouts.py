"""Tables of captions as data sets and challenges write them, read as rows of item and caption.

Our own has `item,caption`; Clotho `file_name,caption_1` to `caption_5`, a row per sound; a DCASE
submission `file_name,caption_predicted`; AudioCaps `audiocap_id,youtube_id,start_time,caption`, a
row per caption. Lines of JSON have the same names, `id` for an item too, and lists of captions; so
has a document of such rows, and COCO's, whose rows are its `annotations`, with `image_id`. A
document may also be one object of captions by item.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.files.json_text import read_json
from earmark.tables.rows import in_known_case, open_table
from earmark.values.errors import InputError

ITEMS = ("item", "file_name", "youtube_id", "image_id", "id")
CAPTIONS = ("caption", "caption_predicted", "captions")
NUMBERED = re.compile(r"caption(_reference)?_\d+")
WANTED = (
    "item, caption; or file_name, caption_1 ...; or file_name, caption_predicted; "
    "or youtube_id, caption"
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column names the item, and which hold captions."""

    item: str
    captions: tuple[str, ...]


def layout_of(names: Sequence[str], *, at: str) -> Layout:
    """Return the layout of a table with these columns; raise InputError if it is none of ours.

    Examples
    --------
    >>> layout_of(["file_name", "caption_1", "caption_2"], at="a.csv:1").captions
    ('caption_1', 'caption_2')
    """
    item = next((name for name in ITEMS if name in names), None)
    numbered = tuple(name for name in names if NUMBERED.fullmatch(name))
    alone = tuple(name for name in CAPTIONS if name in names)
    if item is None or not (numbered or alone):
        missing = "item" if item is None else "caption"
        raise InputError(
            "the table lacks a column",
            at=at,
            got=", ".join(names),
            want=WANTED,
            fix=f"add {missing}",
        )
    if len(alone) + bool(numbered) > 1:
        raise InputError(
            "a table must hold references or an output, not both",
            at=at,
            got=", ".join((*alone, *numbered)),
            fix="keep the columns of one side",
        )
    return Layout(item, numbered or alone)


def read_caption_table(
    path: Path, *, optional: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield place and cells of every caption; `item` and `caption` are among the cells."""
    header, rows = open_table(path, columns=())
    captions = [name.lower() for name in header.names if name.lower().startswith("caption")]
    names = in_known_case(header.names, [*ITEMS, *captions, *optional])
    layout = layout_of(names, at=f"{path}:1")
    is_video = layout.item == "youtube_id" and "start_time" in names
    starts: dict[str, str] = {}
    for line, row in rows:
        cells = {**dict.fromkeys(optional, ""), **dict(zip(names, row, strict=True))}
        place, item = f"{path}:{line}", cells[layout.item]
        if is_video and starts.setdefault(item, cells["start_time"]) != cells["start_time"]:
            raise InputError(
                "captions of one video must be of the same part of it",
                at=place,
                got=f"{item} from {cells['start_time']} s, earlier from {starts[item]} s",
                fix="add a column item that tells the parts apart",
            )
        for name in layout.captions:
            yield place, {**cells, "item": item, "caption": cells[name]}


def read_caption_lines(
    path: Path, *, optional: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield place and cells of every caption of lines of JSON, as `read_caption_table` does."""
    for line, row in jsonl.read(path):
        yield from _captions_of(row, f"{path}:{line}", optional)


def read_caption_document(
    path: Path, *, optional: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield place and cells of every caption of one document of JSON."""
    document = read_json(path)
    if isinstance(document, dict) and isinstance(document.get("annotations"), list):
        document = document["annotations"]
    elif isinstance(document, dict) and _is_row(document):
        document = [document]
    elif isinstance(document, dict):
        document = [{"item": item, "captions": texts} for item, texts in document.items()]
    if not isinstance(document, list):
        raise InputError("captions must be listed by item", at=path, got=type(document).__name__)
    for number, row in enumerate(document, 1):
        yield from _captions_of(row, f"{path}, caption {number}", optional)


def _is_row(document: dict[str, Any]) -> bool:
    """Return whether an object is one row, not captions by item: it names an item and captions."""
    has_captions = any(name in CAPTIONS or NUMBERED.fullmatch(name) for name in document)
    return has_captions and any(name in ITEMS for name in document)


def _captions_of(
    row: object, place: str, optional: Sequence[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    if not isinstance(row, dict):
        raise InputError("a row must have item and caption", at=place, got=row)
    layout = layout_of(list(row), at=place)
    item = row[layout.item]
    if not isinstance(item, str | int) or isinstance(item, bool):
        raise InputError("an item must be a text", at=place, got=repr(item))
    cells = {name: _cell(row, name, at=place) for name in optional}
    for name in layout.captions:
        for text in _texts(row[name], at=place):
            yield place, {**cells, "item": str(item), "caption": text}


def _cell(row: dict[str, Any], name: str, *, at: str) -> str:
    value = row.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text", at=at, got=repr(value))
    return value


def _texts(value: object, *, at: str) -> list[str]:
    """Return one caption or a list of them; raise InputError if one is no text."""
    texts = []
    for text in value if isinstance(value, list) and value else [value]:
        if not isinstance(text, str):
            raise InputError("a caption must be a text", at=at, got=repr(text))
        texts.append(text)
    return texts
