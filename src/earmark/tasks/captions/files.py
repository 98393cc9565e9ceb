"""Captions in and out: CSV, TSV or JSONL with `item` and `caption`, several rows an item."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from earmark.files import jsonl
from earmark.files.shelf import Shelf
from earmark.tables.rows import read_table
from earmark.task.task import Pairing
from earmark.tasks.captions.values import Captions
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

Row = tuple[str, dict[str, str]]
MOST_WORDS = 200


def read_rows(path: Path, *, optional: tuple[str, ...] = ()) -> Iterator[Row]:
    """Place in the file, and the cells, of each caption."""
    if path.suffix.lower() == ".jsonl":
        for line, told in jsonl.read(path):
            at = f"{path}:{line}"
            if not isinstance(told, dict) or not {"item", "caption"} <= set(told):
                raise InputError("a line has item and caption", at=at, got=told)
            yield at, {**dict.fromkeys(optional, ""), **{k: str(v) for k, v in told.items()}}
        return
    for line, cells in read_table(path, columns=("item", "caption"), optional=optional):
        yield f"{path}:{line}", cells


def read_captions(*paths: Path, may_be_empty: bool = False) -> Mapping[str, Captions]:
    """Item to captions, one file after another. A candidate may say nothing; a reference may not.

    Texts are not held in memory: a file may be larger than it.
    """
    found = Shelf(_captions(paths, may_be_empty=may_be_empty), Captions)
    if not found:
        raise InputError("there must be at least one caption", at=paths[0], want="item,caption")
    return found


def _captions(paths: Iterable[Path], *, may_be_empty: bool) -> Iterator[tuple[str, str]]:
    for path in paths:
        for at, cells in read_rows(path):
            text = check_caption(cells["caption"], at=at, may_be_empty=may_be_empty)
            yield _item(cells, at), text


def check_caption(text: str, *, at: str, may_be_empty: bool = False) -> str:
    """The caption, when it can be compared."""
    stripped = " ".join(text.split())
    if not stripped and not may_be_empty:
        raise InputError(
            "a reference says something", at=at, got="an empty caption", fix="write it, or drop it"
        )
    return stripped


def _item(cells: dict[str, str], at: str) -> str:
    name = cells["item"].strip()
    if not name:
        raise InputError("a caption belongs to an item", at=at, got="an empty item")
    return name


def measure(references: tuple[Path, ...], output: Path | None, *, explain: bool = False) -> Pairing:
    """Pair reference captions with a system's, by item.

    Parameters
    ----------
    explain
        Say for each item what its graphs hold, what matches what, and the parts of `earshot`.
    """
    if output is None:
        raise InputError("captions are measured against a system's", fix="add --output F.csv")
    right = read_captions(*references)
    said = read_captions(output, may_be_empty=True)
    checks.same_items(right, said, at=f"{references[0]} and {output}")
    return Pairing(
        reference=right,
        output=said,
        reference_name=references[0].stem,
        output_name=output.stem,
        details=_details(right, said, explain=explain),
    )


def _details(
    references: Mapping[str, Captions], outputs: Mapping[str, Captions], *, explain: bool
) -> dict[str, object]:
    details: dict[str, object] = {"notes": notes(references, outputs)}
    if explain:
        from earmark.tasks.captions.explain import explain_all

        details["explain"] = explain_all(references, outputs)
    return details


def notes(references: Mapping[str, Captions], outputs: Mapping[str, Captions]) -> list[str]:
    """What a reader should know about the texts: empty, very long, or not in English letters."""
    told = []
    for side, captions in (("reference", references), ("output", outputs)):
        odd: dict[str, list[str]] = {what: [] for what in ODD}
        for item, found in captions.items():
            for what, is_so in ODD.items():
                odd[what].extend(item for text in found.texts if is_so(text))
        told += [
            f"{side}: {len(items)} captions are {what} (item {items[0]}, ...)"
            for what, items in odd.items()
            if items
        ]
    return told


def foreign(text: str) -> bool:
    """Whether less than half of what is written is plain letters.

    Examples
    --------
    >>> foreign("ein Hund bellt"), foreign("犬が吠える"), foreign("🐕🐕")
    (False, True, True)
    """
    if text.isascii():
        return False
    signs = [sign for sign in text if not sign.isspace()]
    return bool(signs) and sum(sign.isascii() for sign in signs) * 2 < len(signs)


ODD: Mapping[str, Callable[[str], bool]] = {
    "empty": lambda text: not text,
    "longer than the encoder reads (256 word pieces)": lambda text: text.count(" ") >= MOST_WORDS,
    "hardly in English letters": foreign,
}


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Captions]]:
    """A file of captions as a system: every item of the study, once or several times."""
    said = read_captions(path, may_be_empty=True)
    wanted = {item.id: item for item in items}
    checks.same_items(wanted, said, at=str(path))
    for item in wanted:
        yield Output(path.stem, item, said[item])
