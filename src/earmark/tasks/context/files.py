"""Truth, change logs and scores as lines of JSON, in and out."""

from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path

from earmark.files import jsonl
from earmark.task.task import Json, Pairing
from earmark.tasks.context.formats.lines import by_item, is_from_study
from earmark.tasks.context.formats.scores import ScoreFileOptions, ScoreRow, read_score_rows
from earmark.tasks.context.formats.tokens import placed_tokens
from earmark.tasks.context.values import KINDS, Flags, Passage, Range, Scores, Swap, Swaps
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.pack import unpack
from earmark.values.span import Span

SWAP_FIELDS = {field.name for field in fields(Swap)}
REQUIRED_FIELDS = SWAP_FIELDS - {"phonetic", "embedding"}


def measure(
    references: tuple[Path, ...],
    output: Path | None,
    options: ScoreFileOptions = ScoreFileOptions(),
) -> Pairing:
    """Read truth `{"id", "tokens", "labels", "changes"}` and scores `{"id", "scores"}`."""
    if len(references) != 1 or output is None:
        raise InputError(
            "context compares one file of truth with one file of scores",
            got=f"{len(references)} references",
            fix="pass --reference truth.jsonl --output scores.jsonl",
        )
    truth = read_truth(references[0])
    rows = checks.renamed(read_score_rows(output), truth)
    of, pieces = str(references[0]), any(row.offsets is not None for row in rows.values())
    spans = read_spans(references[0]) if pieces else {}
    scores = {
        name: rows[name].on_tokens(truth[name].length, spans.get(name, ()), options, of=of)
        for name in checks.same_items(truth, rows, at=str(output))
    }
    return Pairing(truth, scores, references[0].stem, output.stem)


def read_spans(path: Path) -> dict[str, tuple[Range, ...]]:
    """Return the offsets of the tokens that a file of truth labels, by item.

    Beside a study's truth.jsonl they are in its items.jsonl.
    """
    beside = path.with_name("items.jsonl")
    if any(is_from_study(row) for _, row in jsonl.read(path) if isinstance(row, dict)):
        items = [unpack(row, (Item, Span)) for _, row in jsonl.read(beside)]
        return {item.id: Passage.of(item).offsets for item in items if isinstance(item, Item)}
    return by_item(path, lambda row, at: placed_tokens(row, at=at).offsets)


def read_outputs(
    path: Path, items: tuple[Item, ...], options: ScoreFileOptions = ScoreFileOptions()
) -> Iterator[Output[Scores]]:
    """Yield the scores of a file as a system's outputs; every item must be there."""
    known = {item.id: item for item in items}
    rows = checks.renamed(read_score_rows(path), known)
    of = "the study: `earmark export STUDY DIR --to tokens` writes them"
    for name in checks.same_items(known, rows, at=str(path)):
        passage = Passage.of(known[name])
        _refuse_outside(rows[name], passage)
        scores = rows[name].on_tokens(len(passage.tokens), passage.offsets, options, of=of)
        yield Output(path.stem, name, scores)


def _refuse_outside(row: ScoreRow, passage: Passage) -> None:
    last = max((end for _, end in row.offsets or ()), default=0)
    if last > len(passage.text):
        raise InputError(
            "offsets must be of characters of the passage",
            at=f"{row.at}, item {passage.id}",
            got=f"a piece that ends at {last}",
            want=f"at most {len(passage.text)}",
        )


def read_truth(path: Path) -> dict[str, Swaps | Flags]:
    """Return labels and, where the file has them, changes; it may be a study's truth.jsonl."""
    return by_item(path, _truth)


def read_changes(path: Path) -> dict[str, Swaps]:
    """Return change logs: of a study's truth.jsonl, or of lines that `change_line` writes."""
    return by_item(path, _changes)


def truth_line(item: Item, truth: Swaps | Flags) -> Json:
    """Return one line of the truth file: tokens and offsets, labels, and changes if known."""
    passage = Passage.of(item)
    changes = (
        {"changes": [asdict(swap) for swap in truth.swaps]} if isinstance(truth, Swaps) else {}
    )
    return {
        "id": item.id,
        "tokens": list(passage.tokens),
        "offsets": [list(span) for span in passage.offsets],
        "labels": list(truth.labels),
        **changes,
    }


def change_line(name: str, swaps: Swaps) -> Json:
    """Return one line of the stand-off form: what changed, hashes of both texts; no text."""
    return {
        "id": name,
        "length": swaps.length,
        "before": swaps.before,
        "after": swaps.after,
        "changes": [asdict(swap) for swap in swaps.swaps],
    }


def _truth(row: Json, at: str) -> Swaps | Flags:
    if not is_from_study(row):
        return _labelled(row, at)
    value = unpack(row["value"], KINDS)
    if not isinstance(value, Swaps | Flags):
        raise InputError("a truth must say which words were swapped", at=at, want="Swaps or Flags")
    return value


def _changes(row: Json, at: str) -> Swaps:
    value = unpack(row["value"], KINDS) if is_from_study(row) else _log(row, at)
    if not isinstance(value, Swaps):
        raise InputError("a change log must say what was changed", at=at, want="changes")
    return value


def _labelled(row: Json, at: str) -> Swaps | Flags:
    labels, tokens, changes = row.get("labels"), row.get("tokens"), row.get("changes")
    if not isinstance(labels, list) or any(label not in (0, 1) for label in labels):
        raise InputError(
            "labels must be a list of 0 and 1", at=at, want='{"id", "tokens", "labels"}'
        )
    if isinstance(tokens, list) and len(tokens) != len(labels):
        raise InputError(
            "there must be one label for every token",
            at=at,
            got=f"{len(labels)} labels, {len(tokens)} tokens",
        )
    marked = frozenset(index for index, label in enumerate(labels) if label)
    if not isinstance(changes, list):
        return Flags(len(labels), marked)
    places = {change.get("at", change.get("i")) for change in changes}
    if places != marked or len(changes) != len(marked):
        raise InputError(
            "labels and changes must be of the same tokens",
            at=at,
            got=f"{len(marked)} labels of 1, {len(changes)} changes",
        )
    if all(set(change) >= REQUIRED_FIELDS for change in changes):
        return Swaps(len(labels), tuple(_swap(change, at) for change in changes))
    return Flags(len(labels), marked)


def _log(row: Json, at: str) -> Swaps:
    changes = row.get("changes")
    if not isinstance(changes, list) or not isinstance(
        row.get("length", row.get("labels")), int | list
    ):
        raise InputError("a change log must have a length and changes", at=at, got=", ".join(row))
    length = row["length"] if "length" in row else len(row["labels"])
    swaps = tuple(_swap(change, at) for change in changes)
    return Swaps(length, swaps, str(row.get("before", "")), str(row.get("after", "")))


def _swap(change: Json, at: str) -> Swap:
    try:
        return Swap(**{name: value for name, value in change.items() if name in SWAP_FIELDS})
    except TypeError as error:
        raise InputError(
            "a change must have every field", at=at, got=error, want=", ".join(sorted(SWAP_FIELDS))
        ) from error
