"""Truth, change logs and scores as lines of JSON, in and out."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import TypeVar

from earmark.files import jsonl
from earmark.task.task import Json, Pairing
from earmark.tasks.context.values import (
    KINDS,
    Choice,
    Flags,
    Passage,
    Scores,
    Swap,
    Swaps,
)
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.pack import unpack

Value = TypeVar("Value")
SWAP_FIELDS = {field.name for field in fields(Swap)}
REQUIRED_FIELDS = SWAP_FIELDS - {"phonetic", "embedding"}


def measure(references: tuple[Path, ...], output: Path | None) -> Pairing:
    """Read truth `{"id", "tokens", "labels", "changes"}` and scores `{"id", "scores"}`."""
    if len(references) != 1 or output is None:
        raise InputError(
            "context compares one file of truth with one file of scores",
            got=f"{len(references)} references",
            fix="pass --reference truth.jsonl --output scores.jsonl",
        )
    truth = read_truth(references[0])
    scores = checks.renamed(read_scores(output), truth)
    for name in checks.same_items(truth, scores, at=str(output)):
        if truth[name].length != scores[name].length:
            raise InputError(
                "there must be one score for every token",
                at=f"{output}, item {name}",
                got=f"{scores[name].length} scores, {truth[name].length} labels",
            )
    return Pairing(truth, scores, references[0].stem, output.stem)


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Scores]]:
    """Yield the scores of a file as a system's outputs; every item must be there."""
    known = {item.id: item for item in items}
    scores = checks.renamed(read_scores(path), known)
    for name in checks.same_items(known, scores, at=str(path)):
        expected = len(Passage.of(known[name]).tokens)
        if scores[name].length != expected:
            raise InputError(
                "there must be one score for every token",
                at=f"{path}, item {name}",
                got=f"{scores[name].length} scores, {expected} tokens",
            )
        yield Output(path.stem, name, scores[name])


def read_truth(path: Path) -> dict[str, Swaps | Flags]:
    """Return labels and, where the file has them, changes; it may be a study's truth.jsonl."""
    return _by_item(path, _truth)


def read_changes(path: Path) -> dict[str, Swaps]:
    """Return change logs: of a study's truth.jsonl, or of lines that `change_line` writes."""
    return _by_item(path, _changes)


def read_scores(path: Path) -> dict[str, Scores]:
    """Return scores by item; a line may also have `threshold`, `surprise` and `choices`."""
    return _by_item(path, _scored)


def truth_line(item: Item, swaps: Swaps) -> Json:
    """Return one line of the truth file: tokens and offsets, labels, changes."""
    passage = Passage.of(item)
    return {
        "id": item.id,
        "tokens": list(passage.tokens),
        "offsets": [list(span) for span in passage.offsets],
        "labels": list(swaps.labels),
        "changes": [asdict(swap) for swap in swaps.swaps],
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


def _by_item(path: Path, read: Callable[[Json, str], Value]) -> dict[str, Value]:
    """Return what `read(row, at)` makes of each line, by the id of its item."""
    values: dict[str, Value] = {}
    for line, row in jsonl.read(path):
        at = f"{path}:{line}"
        if not isinstance(row, dict):
            raise InputError("every line must be one JSON object", at=at, got=row)
        name = row["item"] if _is_from_study(row) else row.get("id")
        if not isinstance(name, str | int):
            raise InputError("every line must name its item", at=at, got=", ".join(row), want="id")
        if str(name) in values:
            raise InputError("an item must appear once", at=at, got=name)
        values[str(name)] = read(row, at)
    if not values:
        raise InputError("the file must hold at least one item", at=path)
    return values


def _is_from_study(row: Json) -> bool:
    return "item" in row and isinstance(row.get("value"), dict)


def _truth(row: Json, at: str) -> Swaps | Flags:
    if not _is_from_study(row):
        return _labelled(row, at)
    value = unpack(row["value"], KINDS)
    if not isinstance(value, Swaps | Flags):
        raise InputError("a truth must say which words were swapped", at=at, want="Swaps or Flags")
    return value


def _changes(row: Json, at: str) -> Swaps:
    value = unpack(row["value"], KINDS) if _is_from_study(row) else _log(row, at)
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


def _scored(row: Json, at: str) -> Scores:
    scores = row.get("scores")
    if not isinstance(scores, list) or not all(isinstance(s, int | float) for s in scores):
        raise InputError(
            "scores must be a list of numbers", at=at, got=", ".join(row), want="scores"
        )
    surprisals = row.get("surprise")
    try:
        return Scores(
            tuple(map(float, scores)),
            row.get("threshold"),
            None if surprisals is None else tuple(map(float, surprisals)),
            tuple(Choice(**choice) for choice in row.get("choices", ())),
        )
    except (InputError, TypeError, ValueError) as error:
        rule, *parts = str(error).split("\n")
        token = next((part.split("at:")[1].strip() for part in parts if "at:" in part), "")
        where = f"{at}, {token}" if token else at
        raise InputError(rule, at=where, fix="give every token a finite score") from error
