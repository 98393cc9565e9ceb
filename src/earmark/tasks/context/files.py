"""Truth, change logs and scores as lines of JSON, in and out."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.task.task import Json, Pairing
from earmark.tasks.context.values import Choice, Flags, Passage, Scores, Swap, Swaps
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.pack import unpack

KINDS: tuple[type, ...] = (Swap, Swaps, Flags, Choice, Scores)
NEEDED = {field.name for field in fields(Swap)} - {"phonetic", "embedding"}


def measure(references: tuple[Path, ...], output: Path | None) -> Pairing:
    """Truth `{"id", "tokens", "labels", "changes"}` against scores `{"id", "scores"}`."""
    if len(references) != 1 or output is None:
        raise InputError(
            "context compares one file of truth with one file of scores",
            got=f"{len(references)} references",
            fix="pass --reference truth.jsonl --output scores.jsonl",
        )
    truth, scores = read_truth(references[0]), read_scores(output)
    for name in checks.same_items(truth, scores, at=str(output)):
        if truth[name].length != scores[name].length:
            raise InputError(
                "there must be one score for every token",
                at=f"{output}, item {name}",
                got=f"{scores[name].length} scores, {truth[name].length} labels",
            )
    return Pairing(truth, scores, references[0].stem, output.stem)


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Scores]]:
    """The scores of a file as a system's outputs; every item must be there."""
    scores = read_scores(path)
    known = {item.id: item for item in items}
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
    """Labels and, where they are told, changes; a study's truth.jsonl is read as well."""
    found: dict[str, Swaps | Flags] = {}
    for line, row in _rows(path):
        at = f"{path}:{line}"
        name, value = _named(row, at)
        _once(name, found, at)
        found[name] = value if value is not None else _labelled(row, at)
    return _some(found, path)


def read_changes(path: Path) -> dict[str, Swaps]:
    """Change logs: a study's truth.jsonl, or lines of id, length, before, after and changes."""
    found: dict[str, Swaps] = {}
    for line, row in _rows(path):
        at = f"{path}:{line}"
        name, value = _named(row, at)
        _once(name, found, at)
        if value is None:
            value = _log(row, at)
        if not isinstance(value, Swaps):
            raise InputError("a change log tells what was changed", at=at, want="changes")
        found[name] = value
    return _some(found, path)


def read_scores(path: Path) -> dict[str, Scores]:
    """Scores by item; `threshold`, `surprise` and `choices` may stand beside them."""
    found: dict[str, Scores] = {}
    for line, row in _rows(path):
        at = f"{path}:{line}"
        name, _ = _named(row, at)
        _once(name, found, at)
        found[name] = _scored(row, at)
    return _some(found, path)


def truth_line(item: Item, swaps: Swaps) -> Json:
    """One line of the truth file: tokens and offsets, labels, changes."""
    passage = Passage.of(item)
    return {
        "id": item.id,
        "tokens": list(passage.tokens),
        "offsets": [list(span) for span in passage.offsets],
        "labels": list(swaps.labels),
        "changes": [asdict(swap) for swap in swaps.swaps],
    }


def change_line(name: str, swaps: Swaps) -> Json:
    """One line of the stand-off form: what changed, and the hashes of both texts; no text."""
    return {
        "id": name,
        "length": swaps.length,
        "before": swaps.before,
        "after": swaps.after,
        "changes": [asdict(swap) for swap in swaps.swaps],
    }


def _rows(path: Path) -> Iterator[tuple[int, Json]]:
    for line, row in jsonl.read(path):
        if not isinstance(row, dict):
            raise InputError("every line must be one JSON object", at=f"{path}:{line}", got=row)
        yield line, row


def _named(row: Json, at: str) -> tuple[str, Any]:
    """The item's id, and its value when the line comes from a study."""
    if "item" in row and isinstance(row.get("value"), dict):
        return str(row["item"]), unpack(row["value"], KINDS)
    if not isinstance(row.get("id"), str | int):
        raise InputError("every line names its item", at=at, got=", ".join(row), want="id")
    return str(row["id"]), None


def _once(name: str, found: Mapping[str, object], at: str) -> None:
    if name in found:
        raise InputError("an item stands once", at=at, got=name)


def _some(found: dict[str, Any], path: Path) -> dict[str, Any]:
    if not found:
        raise InputError("the file must hold at least one item", at=path)
    return found


def _labelled(row: Json, at: str) -> Swaps | Flags:
    labels, tokens, changes = row.get("labels"), row.get("tokens"), row.get("changes")
    if not isinstance(labels, list) or any(label not in (0, 1) for label in labels):
        raise InputError("labels are a list of 0 and 1", at=at, want='{"id", "tokens", "labels"}')
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
            "labels and changes must speak of the same tokens",
            at=at,
            got=f"{len(marked)} labels of 1, {len(changes)} changes",
        )
    if all(set(change) >= NEEDED for change in changes):
        return Swaps(len(labels), tuple(_swap(change, at) for change in changes))
    return Flags(len(labels), marked)


def _log(row: Json, at: str) -> Swaps:
    changes = row.get("changes")
    if not isinstance(changes, list) or not isinstance(
        row.get("length", row.get("labels")), int | list
    ):
        raise InputError("a change log has a length and changes", at=at, got=", ".join(row))
    length = row["length"] if "length" in row else len(row["labels"])
    swaps = tuple(_swap(change, at) for change in changes)
    return Swaps(length, swaps, str(row.get("before", "")), str(row.get("after", "")))


def _swap(change: Json, at: str) -> Swap:
    known = {field.name for field in fields(Swap)}
    try:
        return Swap(**{name: value for name, value in change.items() if name in known})
    except TypeError as error:
        raise InputError(
            "a change lacks a field", at=at, got=error, want=", ".join(known)
        ) from error


def _scored(row: Json, at: str) -> Scores:
    scores = row.get("scores")
    if not isinstance(scores, list) or not all(isinstance(s, int | float) for s in scores):
        raise InputError("scores are a list of numbers", at=at, got=", ".join(row), want="scores")
    surprise = row.get("surprise")
    try:
        return Scores(
            tuple(map(float, scores)),
            row.get("threshold"),
            None if surprise is None else tuple(map(float, surprise)),
            tuple(Choice(**choice) for choice in row.get("choices", ())),
        )
    except (InputError, TypeError, ValueError) as error:
        first = str(error).partition("\n")[0]
        place = next((line for line in str(error).split("\n") if "at:" in line), "")
        where = f"{at}, {place.split('at:')[1].strip()}" if place else at
        raise InputError(first, at=where, fix="give every token a finite score") from error
