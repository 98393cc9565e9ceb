"""Scores as text, and tables on a page."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from earmark.report.render import render


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


def digits(value: float, places: int = 3) -> str:
    """Return a number with so many digits after the point, or a dash for nan.

    Examples
    --------
    >>> digits(0.12345), digits(float("nan"))
    ('0.123', '–')
    """
    return f"{value:.{places}f}" if value == value else "–"


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    """Return a table that scrolls sideways on a phone; without columns it has no head."""
    return render("earmark.report/table.html", columns=columns, rows=rows)
