"""Named columns in CSV and TSV; errors carry file and line."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from earmark.files.text import read_lines
from earmark.values.errors import InputError

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def read_table(
    path: Path, *, columns: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and row (column to text) of a CSV or TSV file with a header.

    The separator is a tab when the header has one, else a comma. All of `columns` must be there;
    `optional` ones are empty texts when absent; others are kept as they are. A first line of
    `#` and JSON, which Earmark writes, is passed over.
    """
    lines = read_lines(path)
    first = next(lines, "")
    skipped = 1 if first.startswith("#") else 0
    if skipped:
        first = next(lines, "")
    if not first.strip():
        raise InputError("a table needs a header line", at=path, want=", ".join(columns))
    separator = "\t" if "\t" in first else ","
    rows = csv.reader(chain([first], lines), delimiter=separator, strict=True)
    names = [name.strip() for name in next(rows)]
    _check_names(names, columns, path)
    for row in _careful(rows, path, skipped):
        line = rows.line_num + skipped
        if not row:
            continue
        if len(row) != len(names):
            raise InputError(
                "every row must have one cell a column",
                at=f"{path}:{line}",
                got=f"{len(row)} cells",
                want=f"{len(names)}: {', '.join(names)}",
            )
        yield line, {**dict.fromkeys(optional, ""), **dict(zip(names, row, strict=True))}


def _check_names(names: list[str], columns: Sequence[str], path: Path) -> None:
    missing = [name for name in columns if name not in names]
    if missing:
        raise InputError(
            "the table lacks a column",
            at=f"{path}:1",
            got=", ".join(names),
            want=", ".join(columns),
            fix=f"add {', '.join(missing)}",
        )
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InputError("a column must stand once", at=f"{path}:1", got=", ".join(sorted(twice)))


def _careful(rows: Iterator[list[str]], path: Path, skipped: int) -> Iterator[list[str]]:
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            line = getattr(rows, "line_num", 0) + skipped
            raise InputError(
                "a row of the table cannot be read",
                at=f"{path}:{line}",
                got=error,
                fix="check the quotes of that row",
            ) from error
        if row is None:
            return
        yield row


def read_number(text: str, *, what: str, at: str) -> float:
    """The number a cell holds; an error that names the cell when it holds none."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise InputError(f"{what} must be a number", at=at, got=repr(text))
    return value


def write_table(
    columns: Sequence[str],
    rows: Iterable[Mapping[str, object]],
    *,
    separator: str = ",",
    made_by: Mapping[str, object] | None = None,
) -> str:
    """The text of a table; cells that a spreadsheet would run as a formula are made harmless."""
    out = io.StringIO()
    if made_by is not None:
        out.write("# " + json.dumps(made_by, sort_keys=True, ensure_ascii=False) + "\n")
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_harmless(row.get(name, "")) for name in columns])
    return out.getvalue()


def _harmless(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(FORMULA):
        return "'" + cell
    return "" if cell is None else cell
