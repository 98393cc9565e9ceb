"""One JSON value per line; the first line says what made the file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from earmark.files.json_text import JsonError, parse_json
from earmark.files.text import read_lines
from earmark.values.errors import InputError


def dump(value: object) -> str:
    """Return JSON on one line, with sorted keys, so that equal values give equal bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)


def lines(header: Mapping[str, object], values: Iterable[object]) -> str:
    """Return the text of a file: the header, then one value per line."""
    return "".join(dump(value) + "\n" for value in ({"made_by": dict(header)}, *values))


def read(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield line number and value of every line but the header; blank lines are skipped.

    Raise InputError if the file has neither values nor a header.
    """
    return (pair for pair in _values(path) if not _is_header(*pair))


def read_with_header(path: Path) -> tuple[dict[str, Any], Iterator[tuple[int, Any]]]:
    """Return the header and the lines after it, as `header` and `read` do, in one pass."""
    values = _values(path)
    first = next(values, None)
    if first is None:
        return {}, iter(())
    if _is_header(*first):
        return dict(first[1]["made_by"]), values
    return {}, chain([first], values)


def _values(path: Path) -> Iterator[tuple[int, Any]]:
    is_empty = True
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        try:
            is_empty = False
            yield number, parse_json(line)
        except JsonError as error:
            raise InputError(
                "every line must be one JSON value",
                at=f"{path}:{number}",
                got=line.rstrip("\n"),
                fix=f"correct {f'column {error.column}: ' if error.column else ''}{error.reason}",
            ) from error
    if is_empty:
        raise InputError("a file of JSON lines must not be empty", at=path, want="a value per line")


def _is_header(number: int, value: object) -> bool:
    return number == 1 and isinstance(value, dict) and set(value) == {"made_by"}


def header(path: Path) -> dict[str, Any]:
    """Return what made the file, from its first line; empty when it does not say."""
    first = next(read_lines(path), "")
    try:
        made_by = parse_json(first).get("made_by", {})
    except (JsonError, AttributeError):
        return {}
    if not isinstance(made_by, dict):
        return {}
    for name in ("recipe", "inputs"):
        if not isinstance(made_by.get(name, {}), dict):
            raise InputError(
                f"{name} in a file's first line must be an object",
                at=f"{path}:1",
                got=made_by[name],
                fix="restore the file, or call its verb again",
            )
    return made_by
