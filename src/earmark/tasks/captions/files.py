"""Captions in and out: CSV, TSV or JSONL with `item` and `caption`, several rows an item."""

from collections.abc import Iterator
from pathlib import Path

from earmark.files import jsonl
from earmark.files.table import read_table
from earmark.tasks.captions.values import Captions
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.task import Pairing

Row = tuple[str, dict[str, str]]
MOST_WORDS = 5000


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


def read_captions(path: Path, *, may_be_empty: bool = False) -> dict[str, Captions]:
    """Item to captions. A candidate may say nothing; a reference may not."""
    found: dict[str, list[str]] = {}
    for at, cells in read_rows(path):
        text = check_caption(cells["caption"], at=at, may_be_empty=may_be_empty)
        found.setdefault(_item(cells, at), []).append(text)
    if not found:
        raise InputError("there must be at least one caption", at=path, want="item,caption")
    return {item: Captions(tuple(texts)) for item, texts in found.items()}


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
        Say for each item what its graphs hold, what matches what, and what `earmark` heard.
    """
    sides: dict[str, list[str]] = {}
    for path in references:
        for item, captions in read_captions(path).items():
            sides.setdefault(item, []).extend(captions.texts)
    if output is None:
        raise InputError("captions are measured against a system's", fix="add --output F.csv")
    right = {item: Captions(tuple(texts)) for item, texts in sides.items()}
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
    references: dict[str, Captions], outputs: dict[str, Captions], *, explain: bool
) -> dict[str, object]:
    details: dict[str, object] = {"notes": notes(references, outputs)}
    if explain:
        from earmark.tasks.captions.explain import explain_all

        details["explain"] = explain_all(references, outputs)
    return details


def notes(references: dict[str, Captions], outputs: dict[str, Captions]) -> list[str]:
    """What a reader should know about the texts: empty, very long, or not in English letters."""
    told = []
    for side, captions in (("reference", references), ("output", outputs)):
        texts = [(item, text) for item, found in captions.items() for text in found.texts]
        for what, odd in (
            ("empty", [item for item, text in texts if not text]),
            ("longer than the encoder reads (256 word pieces)", _long(texts)),
            ("hardly in English letters", [item for item, text in texts if foreign(text)]),
        ):
            if odd:
                told.append(f"{side}: {len(odd)} captions are {what} (item {odd[0]}, ...)")
    return told


def _long(texts: list[tuple[str, str]]) -> list[str]:
    return [item for item, text in texts if len(text.split()) > 200]


def foreign(text: str) -> bool:
    """Whether less than half of what is written is plain letters.

    Examples
    --------
    >>> foreign("ein Hund bellt"), foreign("犬が吠える"), foreign("🐕🐕")
    (False, True, True)
    """
    signs = [sign for sign in text if not sign.isspace()]
    return bool(signs) and sum(sign.isascii() for sign in signs) * 2 < len(signs)


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Captions]]:
    """A file of captions as a system: every item of the study, once or several times."""
    said = read_captions(path, may_be_empty=True)
    wanted = {item.id: item for item in items}
    checks.same_items(wanted, said, at=str(path))
    for item in wanted:
        yield Output(path.stem, item, said[item])
