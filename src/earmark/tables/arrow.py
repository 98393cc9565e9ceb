"""Large tables by Arrow. Only what Arrow is known to read as the row reader does is read here."""

import csv
import mmap
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.files.text import WIDE
from earmark.tables.columns import Codes, Columns, code
from earmark.tables.rows import Header, open_table

if TYPE_CHECKING:
    import pyarrow


def read_columns(path: Path, *, names: Sequence[str], numbers: Sequence[str]) -> Columns | None:
    """Return the columns, or None if the row reader must look at the file.

    The row reader is asked whenever the two could differ: other encodings, odd quotes, lines ended
    by carriage returns alone, cells that are no numbers, rows that are too short or too long. So
    every error is worded and placed by the row reader.
    """
    import pyarrow

    header, _ = open_table(path, columns=(*names, *numbers))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        start = _end_of_line(data, header.lines)
        if data[:2] in WIDE or not _is_plain(data, start, header.separator):
            return None
        body = pyarrow.py_buffer(data)[start:]
        try:
            table = _parse(body, header, names, numbers)
            columns = {name: _codes(table[name]) for name in names}
            values = {name: _floats(table[name]) for name in numbers}
            blank = {name: _blank(table[name]) for name in numbers}
        except pyarrow.ArrowInvalid:
            return None
        finally:
            del body
        rows = table.num_rows
    longest = max((len(name) for column in columns.values() for name in column.names), default=0)
    if longest > csv.field_size_limit():
        return None
    return Columns(path, rows, columns, values, blank)


def _end_of_line(data: mmap.mmap, line: int) -> int:
    """Return where the line after the first `line` lines begins."""
    position = 0
    for _ in range(line):
        position = data.find(b"\n", position) + 1 or len(data)
    return position


def _is_plain(data: mmap.mmap, start: int, separator: str) -> bool:
    """Return whether every quote opens or closes a whole cell and every line ends in a newline.

    A cell in quotes must begin after a separator or a line end and end before one, and hold no line
    end. What is left when such cells are taken out must have no quote.
    """
    if re.search(rb"\r(?!\n)", data):
        return False
    if data.find(b'"', start) < 0:
        return True
    cut = separator.encode()
    quoted = rb'(?<![^%s\n])"(?:[^"\r\n]|"")*"(?=[%s\r\n]|\Z)' % (cut, cut)
    return b'"' not in re.sub(quoted, b"", data[start:])


def _parse(
    body: "pyarrow.Buffer", header: Header, names: Sequence[str], numbers: Sequence[str]
) -> Any:
    import pyarrow
    from pyarrow import csv as arrow_csv

    coded = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    kinds = {**dict.fromkeys(names, coded), **dict.fromkeys(numbers, pyarrow.float64())}
    return arrow_csv.read_csv(
        pyarrow.BufferReader(body),
        read_options=arrow_csv.ReadOptions(column_names=list(header.names), use_threads=False),
        parse_options=arrow_csv.ParseOptions(delimiter=header.separator),
        convert_options=arrow_csv.ConvertOptions(
            column_types=kinds,
            include_columns=list(kinds),
            null_values=[""],
            strings_can_be_null=False,
        ),
    )


def _codes(column: Any) -> Codes:
    """Return a column of Arrow dictionaries, which differ from block to block, as one of ours."""
    whole = column.unify_dictionaries().combine_chunks()
    chunks = whole.chunks if hasattr(whole, "chunks") else [whole]
    if not chunks or not len(whole):
        return Codes((), np.zeros(0, np.int32))
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in chunks])
    return code(chunks[0].dictionary.to_pylist(), codes)


def _floats(column: Any) -> Floats:
    values = column.to_numpy().astype(np.float64, copy=False)
    return np.where(np.isfinite(values), values, np.nan)


def _blank(column: Any) -> Bools:
    return np.asarray(column.is_null().to_numpy(), dtype=bool)
