"""Lines of JSON, each of one item, which it names by `id` or `item`."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from earmark.files import jsonl
from earmark.task.task import Json
from earmark.values.errors import InputError

Value = TypeVar("Value")


def by_item(path: Path, read: Callable[[Json, str], Value]) -> dict[str, Value]:
    """Return what `read(row, at)` makes of each line, by the id of its item."""
    values: dict[str, Value] = {}
    for line, row in jsonl.read(path):
        at = f"{path}:{line}"
        if not isinstance(row, dict):
            raise InputError("every line must be one JSON object", at=at, got=row)
        name = row.get("id", row.get("item"))
        if not isinstance(name, str | int):
            raise InputError(
                "every line must name its item", at=at, got=", ".join(row), want="id, or item"
            )
        if str(name) in values:
            raise InputError("an item must appear once", at=at, got=name)
        values[str(name)] = read(row, at)
    if not values:
        raise InputError("the file must hold at least one item", at=path)
    return values


def is_from_study(row: Json) -> bool:
    """Return whether a line is of a study's own files: an item and its value."""
    return "item" in row and isinstance(row.get("value"), dict)
