"""Files of captions: CSV, TSV, JSONL or JSON with `item` and `caption`, or as data sets have it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from earmark.files.digest import Column
from earmark.tables.given import name_of
from earmark.tables.texts import TextTable
from earmark.task.task import Pairing
from earmark.tasks.captions.layouts import (
    read_caption_document,
    read_caption_lines,
    read_caption_table,
)
from earmark.tasks.captions.values import Captions
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import counted, match_names
from earmark.values.output import Output

Row = tuple[str, dict[str, str]]
MOST_WORDS = 200  # from here on, a caption may exceed the 256 word pieces that the encoder reads


def read_rows(path: Path, *, optional: tuple[str, ...] = ()) -> Iterator[Row]:
    """Yield the place in the file and the cells of each caption."""
    readers = {".jsonl": read_caption_lines, ".json": read_caption_document}
    read = readers.get(path.suffix.lower(), read_caption_table)
    yield from read(path, optional=optional)


class CaptionTable(TextTable[Captions]):
    """Captions by item, whose texts are not held in memory."""

    def digest_columns(self) -> Mapping[str, Column]:
        """Return the columns that the content digest is taken over."""
        return self.columns("Captions", "texts")


def read_captions(*paths: Path, may_be_empty: bool = False) -> CaptionTable:
    """Read captions by item, one file after another; `may_be_empty` allows empty captions.

    Texts are not held in memory: a file may be larger than it.
    """
    captions = CaptionTable(_captions(paths, may_be_empty=may_be_empty), Captions)
    if not captions:
        raise InputError("there must be at least one caption", at=paths[0], want="item,caption")
    return captions


def _captions(paths: Iterable[Path], *, may_be_empty: bool) -> Iterator[tuple[str, str]]:
    for path in paths:
        for place, cells in read_rows(path):
            text = check_caption(cells["caption"], at=place, may_be_empty=may_be_empty)
            yield _item(cells, place), text


def check_caption(text: str, *, at: str, may_be_empty: bool = False) -> str:
    """Return the caption with single blanks; raise InputError if it is empty and may not be."""
    stripped = " ".join(text.split())
    if not stripped and not may_be_empty:
        raise InputError(
            "a reference must not be empty",
            at=at,
            got="an empty caption",
            fix="write it, or drop it",
        )
    return stripped


def _item(cells: dict[str, str], at: str) -> str:
    name = cells["item"].strip()
    if not name:
        raise InputError("a caption must belong to an item", at=at, got="an empty item")
    return name


def measure(
    references: tuple[Path | Mapping[str, Captions], ...],
    output: Path | Mapping[str, Captions] | None,
) -> Pairing:
    """Pair reference captions with a system's, by item."""
    if output is None:
        raise InputError("captions are measured against a system's", fix="add --output F.csv")
    paths = [path for path in references if isinstance(path, Path)]
    given = next((side for side in references if not isinstance(side, Path)), None)
    reference = read_captions(*paths) if given is None else given
    candidates = read_captions(output, may_be_empty=True) if isinstance(output, Path) else output
    names = match_names(candidates, reference)
    if isinstance(candidates, TextTable):
        candidates = candidates.renamed(names)
    else:
        candidates = {names.get(name, name): captions for name, captions in candidates.items()}
    sides = [str(side) for side in (references[0], output) if isinstance(side, Path)]
    checks.same_items(reference, candidates, at=" and ".join(sides) or None)
    return Pairing(
        reference=reference,
        output=candidates,
        reference_name=name_of(references[0]),
        output_name=name_of(output),
        details={"notes": notes(reference, candidates)},
    )


def notes(references: Mapping[str, Captions], outputs: Mapping[str, Captions]) -> list[str]:
    """Return notes on odd texts: empty, very long, or not in English letters."""
    lines = []
    for side, captions in (("reference", references), ("output", outputs)):
        odd: dict[str, list[str]] = {what: [] for what in ODD}
        for item, said in captions.items():
            for what, is_odd in ODD.items():
                odd[what].extend(item for text in said.texts if is_odd(text))
        lines += [
            f"{side}: {counted(len(items), 'caption')} {'is' if len(items) == 1 else 'are'} {what} "
            f"(item {items[0]}{', ...' if len(items) > 1 else ''})"
            for what, items in odd.items()
            if items
        ]
    return lines


def foreign(text: str) -> bool:
    """Return whether less than half of the characters are ASCII.

    Examples
    --------
    >>> foreign("ein Hund bellt"), foreign("犬が吠える"), foreign("🐕🐕")
    (False, True, True)
    """
    if text.isascii():
        return False
    characters = [character for character in text if not character.isspace()]
    return bool(characters) and sum(map(str.isascii, characters)) * 2 < len(characters)


ODD: Mapping[str, Callable[[str], bool]] = {
    "empty": lambda text: not text,
    "longer than the encoder reads (256 word pieces)": lambda text: text.count(" ") >= MOST_WORDS,
    "hardly in English letters": foreign,
}


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Captions]]:
    """Read a file of captions as a system's outputs; raise InputError if its items differ."""
    captions = read_captions(path, may_be_empty=True)
    wanted = {item.id: item for item in items}
    captions = captions.renamed(match_names(captions, wanted))
    checks.same_items(wanted, captions, at=str(path))
    for item in wanted:
        yield Output(path.stem, item, captions[item])
