"""Tables of anything in a study: CSV, TSV, JSON lines, Parquet.

A task says what a row holds (`Task.rows`); without that, a row is an item and its value as JSON.
"""

import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from earmark.export.boards import board_rows
from earmark.files import jsonl
from earmark.tables.rows import write_table
from earmark.task.export import (
    ANSWERS,
    BOARDS,
    EVERYTHING,
    MATERIAL,
    QUESTIONS,
    Content,
    Exported,
    Exporter,
    Selection,
    answer_row,
    file_path,
)
from earmark.values.item import Item
from earmark.values.pack import pack

Row = Mapping[str, Any]


def rows_of(selection: Selection) -> list[Row]:
    """Return what a table of the selection holds; a cell that is a path is a file beside it."""
    rows = selection.rows.get(selection.what) or GENERAL.get(selection.what, _values)
    return list(rows(selection))


def _with_files(selection: Selection) -> tuple[list[Row], dict[str, Content]]:
    """Return the rows, files named as they are in the export, and those files."""
    study, files = selection.answers_folder.parent, dict[str, Content]()
    rows: list[Row] = []
    for row in rows_of(selection):
        cells = dict(row)
        for name, cell in row.items():
            if isinstance(cell, Path):
                cells[name] = file_path(cell.relative_to(study).as_posix())
                files[cells[name]] = cell
        rows.append(cells)
    return rows, files


def _values(selection: Selection) -> Iterator[Row]:
    for item, value in selection.values.items():
        row: dict[str, Any] = {"item": item, "value": jsonl.dump(pack(value))}
        if item in selection.doubt:
            row["doubt"] = selection.doubt[item]
        yield row


def _answers(selection: Selection) -> Iterator[Row]:
    for answer in selection.answers:
        yield answer_row(answer, value=jsonl.dump(pack(answer.value)))


def _items(selection: Selection, items: tuple[Item, ...]) -> Iterator[Row]:
    for item in items:
        yield {
            "item": item.id,
            "kind": item.kind,
            "media": selection.media(item),
            "text": item.text,
            "start": item.span.start if item.span else None,
            "end": item.span.end if item.span else None,
            "parent": item.parent,
            "details": jsonl.dump(pack(dict(item.details))),
        }


GENERAL: dict[str, Callable[[Selection], Iterator[Row]]] = {
    MATERIAL: lambda selection: _items(selection, selection.items),
    QUESTIONS: lambda selection: _items(selection, selection.units),
    ANSWERS: _answers,
    BOARDS: board_rows,
}


def names_of(rows: list[Row]) -> list[str]:
    """Return the columns of rows, in the order in which they first appear."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _table(selection: Selection, suffix: str, separator: str) -> Exported:
    rows, files = _with_files(selection)
    text = write_table(names_of(rows), rows, separator=separator)
    return Exported({file_path(selection.name, suffix): text, **files}, _count(selection, rows))


def write_csv(selection: Selection) -> Exported:
    """Return one CSV file."""
    return _table(selection, ".csv", ",")


def write_tsv(selection: Selection) -> Exported:
    """Return one TSV file."""
    return _table(selection, ".tsv", "\t")


def write_jsonl(selection: Selection) -> Exported:
    """Return one JSON object per row."""
    rows, files = _with_files(selection)
    text = "".join(jsonl.dump(dict(row)) + "\n" for row in rows)
    return Exported({file_path(selection.name, ".jsonl"): text, **files}, _count(selection, rows))


def write_parquet(selection: Selection) -> Exported:
    """Return one Parquet file, its columns typed."""
    import pyarrow
    from pyarrow import parquet

    rows, files = _with_files(selection)
    columns = {name: _column([row.get(name) for row in rows]) for name in names_of(rows)}
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), out)
    table = {file_path(selection.name, ".parquet"): out.getvalue()}
    return Exported({**table, **files}, _count(selection, rows))


def _column(values: list[Any]) -> Any:
    """Return an Arrow column; values of several types become texts."""
    import pyarrow

    try:
        return pyarrow.array(values)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
        return pyarrow.array([None if value is None else str(value) for value in values])


def _count(selection: Selection, rows: list[Row]) -> int:
    """Return how many things the rows are of: an item may have several rows."""
    return len(selection.values) if selection.values and rows else len(rows)


CSV = Exporter(write_csv, EVERYTHING, "one table")
TSV = Exporter(write_tsv, EVERYTHING, "one table")
JSONL = Exporter(write_jsonl, EVERYTHING, "one JSON object per line")
PARQUET = Exporter(write_parquet, EVERYTHING, "one table with typed columns")
