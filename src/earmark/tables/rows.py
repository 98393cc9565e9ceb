"""Tables with a header, CSV or TSV, row by row; errors carry file and line."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from earmark.files import jsonl
from earmark.files.text import explained, read_lines
from earmark.values.errors import InputError

# A spreadsheet runs a cell that begins with one of these as a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
PARQUET, JSON_LINES = ".parquet", ".jsonl"
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")  # no formula, though it may begin like one


@dataclass(frozen=True, slots=True)
class Header:
    """How a table begins: its columns, what separates them, and the lines before its first row."""

    names: tuple[str, ...]
    separator: str
    lines: int


def read_table(
    path: Path, *, columns: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and row (column to text) of a CSV or TSV file with a header.

    The separator is a tab when the header has one, a semicolon when it has no comma, else a comma;
    names of columns may be in another case. All of `columns` must be there;
    `optional` ones are empty texts when absent; others are kept as they are. A first line of
    `#` and JSON, which Earmark writes, is passed over.
    """
    header, rows = open_table(path, columns=columns)
    names = in_known_case(header.names, optional)
    for line, row in rows:
        yield line, {**dict.fromkeys(optional, ""), **dict(zip(names, row, strict=True))}


def open_table(
    path: Path, *, columns: Sequence[str], may_lack: Sequence[str] = ()
) -> tuple[Header, Iterator[tuple[int, list[str]]]]:
    """Return the header of a table, and an iterator over line number and cells of each row.

    Parquet is read too; its lines are its rows, counted from 2 as below a header; and JSON lines,
    an object of texts and numbers each. A row may end before the columns that `may_lack` names,
    where those are the last.
    """
    if path.suffix.lower() == PARQUET:
        return _open_parquet(path, columns)
    if path.suffix.lower() == JSON_LINES:
        return _open_jsonl(path, columns)
    lines = read_lines(path)
    first = next(lines, "")
    skipped = 1 if first.startswith("#") else 0
    if skipped:
        first = next(lines, "")
    if not first.strip():
        raise InputError("a table needs a header line", at=path, want=", ".join(columns))
    separator = _separator(first)
    rows = csv.reader(chain([first], lines), delimiter=separator, strict=True)
    names = tuple(name.strip() for name in next(_whole_rows(rows, path, skipped)))
    names = in_known_case(names, columns)
    _check_names(names, columns, path)
    header = Header(names, separator, rows.line_num + skipped)
    return header, _checked_rows(rows, names, path, skipped, may_lack)


def _separator(header: str) -> str:
    """Return what separates the columns: spreadsheets of half the world write semicolons."""
    if "\t" in header:
        return "\t"
    return ";" if ";" in header and "," not in header else ","


def in_known_case(names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the names, those that differ from a known one by case alone as that is written.

    Examples
    --------
    >>> in_known_case(["Item", "Note"], ["item", "caption"])
    ('item', 'Note')
    """
    absent = {name.lower(): name for name in known if name not in names}
    lower = [name.lower() for name in names]
    return tuple(
        absent.get(low, name) if lower.count(low) == 1 else name
        for name, low in zip(names, lower, strict=True)
    )


def _open_parquet(
    path: Path, columns: Sequence[str]
) -> tuple[Header, Iterator[tuple[int, list[str]]]]:
    """Return the same of a Parquet file, its values as texts; nothing is an empty text."""
    import pyarrow
    from pyarrow import parquet

    with explained(path):
        try:
            table = parquet.ParquetFile(path).read()
        except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError, OSError) as error:
            raise InputError("the file is no Parquet that can be read", at=path) from error
    names = tuple(table.column_names)
    _check_names(names, columns, path)
    cells = [[_text(value) for value in table[name].to_pylist()] for name in names]
    rows = [list(row) for row in zip(*cells, strict=True)]
    return Header(names, ",", 1), enumerate(rows, start=2)


def _open_jsonl(
    path: Path, columns: Sequence[str]
) -> tuple[Header, Iterator[tuple[int, list[str]]]]:
    """Return the same of JSON lines; what an object lacks is an empty text."""
    rows = list(jsonl.read(path))
    for line, row in rows:
        plain = isinstance(row, dict) and not any(isinstance(v, dict | list) for v in row.values())
        if not plain:
            raise InputError(
                "a line of a table must be an object of texts and numbers",
                at=f"{path}:{line}",
                got=jsonl.dump(row),
            )
    keys = tuple(dict.fromkeys(name for _, row in rows for name in row))
    names = in_known_case(keys, columns)
    _check_names(names, columns, path)
    cells = ((line, [_text(row.get(key)) for key in keys]) for line, row in rows)
    return Header(names, ",", 0), cells


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _checked_rows(
    rows: Iterator[list[str]],
    names: Sequence[str],
    path: Path,
    skipped: int,
    may_lack: Sequence[str] = (),
) -> Iterator[tuple[int, list[str]]]:
    for row in _whole_rows(rows, path, skipped):
        line = getattr(rows, "line_num", 0) + skipped
        if not row:
            continue
        if len(row) < len(names) and set(names[len(row) :]) <= set(may_lack):
            row = [*row, *[""] * (len(names) - len(row))]
        if len(row) != len(names):
            raise InputError(
                "every row must have one cell per column",
                at=f"{path}:{line}",
                got=f"{len(row)} cells",
                want=f"{len(names)}: {', '.join(names)}",
            )
        yield line, row


def _check_names(names: Sequence[str], columns: Sequence[str], path: Path) -> None:
    missing = [name for name in columns if name not in names]
    if missing:
        raise InputError(
            "the table lacks a column",
            at=f"{path}:1",
            got=", ".join(names),
            want=", ".join(columns),
            fix=f"add a first line with them: {', '.join(columns)}"
            if any(NUMBER.fullmatch(name) for name in names)
            else f"add {', '.join(missing)}",
        )
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InputError("a column must appear once", at=f"{path}:1", got=", ".join(sorted(twice)))


def _whole_rows(rows: Iterator[list[str]], path: Path, skipped: int) -> Iterator[list[str]]:
    """Yield the rows; raise InputError with the line for one whose quotes cannot be read."""
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
    """Return the number in a cell; raise InputError naming the cell if it is not finite."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        is_comma = NUMBER.fullmatch(text.strip().replace(",", ".", 1))
        fix = "write a point for the comma" if is_comma else None
        raise InputError(f"{what} must be a number", at=at, got=repr(text), fix=fix)
    return value


def write_table(
    columns: Sequence[str],
    rows: Iterable[Mapping[str, object]],
    *,
    separator: str = ",",
    made_by: Mapping[str, object] | None = None,
) -> str:
    """Return the text of a table.

    Cells that a spreadsheet would run as a formula are made harmless by a quote before them; JSON
    lines and Parquet have the values as they are.
    """
    out = io.StringIO()
    if made_by is not None:
        out.write("# " + json.dumps(made_by, sort_keys=True, ensure_ascii=False) + "\n")
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(map(_harmless, columns))
    for row in rows:
        cells = [row.get(name, "") for name in columns]
        writer.writerow(map(_harmless, cells))
    return out.getvalue()


def unquoted(cell: str) -> str:
    """Return a cell without the quote that `write_table` put before what looks like a formula.

    Examples
    --------
    >>> unquoted("'=a"), unquoted("'tis")
    ('=a', "'tis")
    """
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def _harmless(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(FORMULA) and not NUMBER.fullmatch(cell):
        return "'" + cell
    return "" if cell is None else cell
