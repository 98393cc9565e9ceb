"""Tables by column: names as codes, numbers as arrays, so that a million rows are a few arrays.

Large files are parsed by Arrow, small ones and everything that Arrow might read differently by the
row reader; both give the same columns. A place in the file (`Columns.place`) is looked up by
reading the rows again, only when an error needs it.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Bools, Floats
from earmark.tables.rows import PARQUET, open_table, read_table

# Above this size, importing Arrow (0.15 s) takes less time than the row reader would.
LARGE_BYTES = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """A column of names: `names` sorted and distinct, `codes[row]` the index of each row's name."""

    names: tuple[str, ...]
    codes: NDArray[np.int32]  # (rows,)

    def holds(self, wanted: Iterable[str]) -> Bools:
        """Return whether each row's name is one of the wanted."""
        wanted = set(wanted)
        return np.array([name in wanted for name in self.names], dtype=bool)[self.codes]

    def stripped(self) -> "Codes":
        """Return the column with spaces around its names removed."""
        if all(name == name.strip() for name in self.names):
            return self
        return code([name.strip() for name in self.names], self.codes)


def code(names: Sequence[str], codes: NDArray[np.integer]) -> Codes:
    """Return codes for names in any order, of which some may be equal."""
    distinct = sorted(set(names))
    rank = {name: index for index, name in enumerate(distinct)}
    by_old = np.array([rank[name] for name in names], dtype=np.int32)
    return Codes(tuple(distinct), by_old[codes] if len(by_old) else np.zeros(0, np.int32))


class Coder:
    """Numbers for names while rows are read, in the order in which names first appear."""

    __slots__ = ("codes", "numbers")

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.codes = array("i")

    def add(self, name: str) -> None:
        """Add a row with this name."""
        self.codes.append(self.numbers.setdefault(name, len(self.numbers)))

    def done(self) -> Codes:
        """Return the column, with its names sorted."""
        return code(tuple(self.numbers), np.frombuffer(self.codes, dtype=np.int32))


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Some columns of a table: names as codes, numbers as arrays with nan for what is no number."""

    path: Path
    rows: int
    names: dict[str, Codes]
    numbers: dict[str, Floats]  # each (rows,)
    blank: dict[str, Bools]  # each (rows,): whether a cell of `numbers` holds nothing

    def place(self, row: int) -> str:
        """Return `file:line` of a row."""
        return self.places([row])[0]

    def places(self, rows: Sequence[int]) -> list[str]:
        """Return `file:line` of some rows; the file is read once more."""
        last = max(rows, default=-1) + 1
        lines = [line for line, _ in islice(open_table(self.path, columns=())[1], last)]
        return [f"{self.path}:{lines[row]}" for row in rows]

    def cells(self, row: int) -> dict[str, str]:
        """Return the texts of a row, by column."""
        known = (*self.names, *self.numbers)
        return next(islice(read_table(self.path, columns=known), row, None))[1]


def read_columns(path: Path, *, names: Sequence[str], numbers: Sequence[str] = ()) -> Columns:
    """Return the columns of a CSV or TSV file: `names` as codes, `numbers` as floats.

    The file is checked as `read_table` does, with the same errors. A cell of `numbers` that holds
    no finite number is nan: whoever reads the columns says whether that is an error.
    """
    from earmark.tables import arrow

    if _is_large_text(path):
        columns = arrow.read_columns(path, names=names, numbers=numbers)
        if columns is not None:
            return columns
    return columns_by_row(path, names=names, numbers=numbers)


def _is_large_text(path: Path) -> bool:
    is_text = path.suffix.lower() != PARQUET
    return is_text and path.is_file() and path.stat().st_size >= LARGE_BYTES


def columns_by_row(path: Path, *, names: Sequence[str], numbers: Sequence[str] = ()) -> Columns:
    """Return the same columns with the row reader alone."""
    header, rows = open_table(path, columns=(*names, *numbers))
    coders = [(header.names.index(name), Coder()) for name in names]
    values = [(header.names.index(name), array("d"), bytearray()) for name in numbers]
    count = 0
    for _, cells in rows:
        count += 1
        for index, coder in coders:
            coder.add(cells[index])
        for index, column, blank in values:
            column.append(_number(cells[index]))
            blank.append(not cells[index].strip())
    return Columns(
        path,
        count,
        {name: coder.done() for name, (_, coder) in zip(names, coders, strict=True)},
        {name: np.array(values[k][1], dtype=np.float64) for k, name in enumerate(numbers)},
        {name: np.array(values[k][2], dtype=bool) for k, name in enumerate(numbers)},
    )


def _number(cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        return float("nan")
    return value if abs(value) < float("inf") else float("nan")
