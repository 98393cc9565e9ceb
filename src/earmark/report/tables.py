"""Scores as text, and tables on a page: cells that can be sorted, saved and clicked."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from earmark.report.render import render


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    `value` is the number that it is sorted and saved by, with all its digits. `fields` are what is
    saved in its place where that is more than one thing: a value and the ends of its interval.
    `link` is where a click leads, `hint` what is said when it is pointed at, `data` what page
    scripts know it by.
    """

    text: str
    value: float | None = None
    fields: tuple[object, ...] = ()
    link: str = ""
    hint: str = ""
    data: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def saved(self) -> str:
        """The fields as JSON, for the script that saves tables; empty where there are none."""
        return json.dumps(["" if one is None else one for one in self.fields])


def cell(content: object) -> Cell:
    """Return a cell, made of whatever else it is; `Markup` stays what it is."""
    if isinstance(content, Cell):
        return content
    return Cell(content if isinstance(content, str) else str(content))


def with_interval(score: Mapping[str, object]) -> str:
    """Return a score's value and interval with three digits, or a dash when it is undefined.

    Examples
    --------
    >>> with_interval({"value": 0.5, "low": 0.4, "high": 0.6})
    '0.500 [0.400, 0.600]'
    """
    value, low, high = score["value"], score.get("low"), score.get("high")
    if not isinstance(value, int | float):
        return "–"
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return f"{value:.3f}"
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


def score_cell(score: Mapping[str, object], *, link: str = "", data: str = "") -> Cell:
    """Return a cell with a value and its interval, saved in three columns."""
    value = score["value"]
    number = float(value) if isinstance(value, int | float) else None
    fields = tuple(score.get(name) for name in ("value", "low", "high"))
    return Cell(with_interval(score), number, fields, link if number is not None else "", data=data)


def score_column(title: str) -> Cell:
    """Return the head of a column of `score_cell`."""
    return Cell(title, fields=(title, "low", "high"))


def number_cell(value: float | None, places: int = 3, *, absolute: bool = False) -> Cell:
    """Return a number with so many digits after the point, nothing where there is none."""
    if value is None or math.isnan(value):
        return Cell("")
    shown = abs(value) if absolute else value
    return Cell(f"{shown:.{places}f}", shown)


def digits(value: float, places: int = 3) -> str:
    """Return a number with so many digits after the point, or a dash for nan.

    Examples
    --------
    >>> digits(0.12345), digits(float("nan"))
    ('0.123', '–')
    """
    return f"{value:.{places}f}" if value == value else "–"


def table(
    columns: Sequence[object], rows: Sequence[Sequence[object]], *, sortable: bool = False
) -> Markup:
    """Return a table that scrolls sideways on a phone; without columns it has no head."""
    return render("earmark.report/table.html", columns=columns, rows=rows, sortable=sortable)
