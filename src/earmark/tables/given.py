"""Rows that a Python caller hands over: tuples, dicts, or a DataFrame; checked as a file would be.

Examples
--------
>>> form = RowForm(("item", "label"), 'rows are ("a", "dog") or {"item": "a", "label": "dog"}')
>>> list(form.rows([("a", "dog"), {"label": "cat", "item": "b"}], side="answers"))
[('answers, row 1', ['a', 'dog']), ('answers, row 2', ['b', 'cat'])]
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from earmark.values.errors import InputError


def is_path(value: object) -> bool:
    """Return whether a value is a path, or a text that is taken for one."""
    return isinstance(value, str | Path)


def existing_path(value: object, *, right: str) -> Path:
    """Return a path; raise InputError that shows what else could be given if nothing is there."""
    path = Path(str(value))
    if not path.exists():
        raise InputError("there is no such file", at=value, want=f"a path, or {right}")
    return path


def name_of(value: object) -> str:
    """Return what a signature calls a side: the stem of its file, or `given` for a value."""
    return value.stem if isinstance(value, Path) else "given"


@dataclass(frozen=True, slots=True)
class RowForm:
    """What a row holds: its columns in order, other names for them, and how to write it."""

    columns: tuple[str, ...]
    right: str  # the right form, for messages
    aliases: Mapping[str, str] = field(default_factory=dict)  # other name to column
    optional: tuple[str, ...] = ()  # columns that may follow; None where they are absent

    def rows(self, value: object, *, side: str) -> Iterator[tuple[str, list[Any]]]:
        """Yield the place and the cells of each row; raise InputError for what is no rows."""
        records = _records(value)
        if records is None:
            raise self.refused(value, side=side)
        for number, row in enumerate(records, start=1):
            place = f"{side}, row {number}"
            yield place, self._cells(row, place)

    def refused(self, value: object, *, side: str) -> InputError:
        """Return the error for a value that is not of this form."""
        return InputError(
            f"{side} must be rows, a DataFrame or a path",
            got=f"{type(value).__name__}: {value!r}",
            want=self.right,
        )

    def _cells(self, row: object, place: str) -> list[Any]:
        if isinstance(row, Mapping):
            named = {self.aliases.get(str(key), str(key)): cell for key, cell in row.items()}
            missing = [name for name in self.columns if name not in named]
            if missing:
                raise InputError(
                    "a row must have every column",
                    at=place,
                    got=", ".join(map(str, row)),
                    want=", ".join(self.columns),
                    fix=f"add {', '.join(missing)}",
                )
            return [named.get(name) for name in (*self.columns, *self.optional)]
        # a text has letters, not cells
        cells = list(row) if isinstance(row, Iterable) and not isinstance(row, str | bytes) else []
        most = len(self.columns) + len(self.optional)
        if not len(self.columns) <= len(cells) <= most:
            raise InputError(
                f"a row must have {len(self.columns)} cells",
                at=place,
                got=repr(row),
                want=self.right,
            )
        return [*cells, *[None] * (most - len(cells))]


def listed(value: object) -> list[Any] | None:
    """Return a list, tuple or array of one dimension as a list; None for anything else.

    Examples
    --------
    >>> listed((0, 1)), listed("01"), listed({0, 1})
    ([0, 1], None, None)
    """
    plain = value.tolist() if hasattr(value, "tolist") else value
    return list(plain) if isinstance(plain, list | tuple) else None


def _records(value: object) -> Iterable[object] | None:
    if hasattr(value, "to_dict") and hasattr(value, "columns"):  # a DataFrame
        records: list[object] = value.to_dict("records")
        return records
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return None
    return value


def is_blank(cell: object) -> bool:
    """Return whether a cell holds nothing: None, nan or an empty text."""
    return cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))


def text_of(cell: object, *, what: str, at: str) -> str:
    """Return a cell that must be a text; raise InputError if it is not."""
    if not isinstance(cell, str):
        raise InputError(f"{what} must be a text", at=at, got=f"{type(cell).__name__}: {cell!r}")
    return cell
