"""The chart of systems: a value on its interval in each row, and bars that join those in a tie."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from earmark.report.svg import (
    COLUMN,
    Scale,
    drawing,
    element,
    joined,
    rounded_out,
    shortened,
    text,
)

# a row has its name above its interval, so that long names have room on a phone, and is high
# enough that a dot is clearly nearer to its own name than to the next
STEP, MIDDLE = 48, 32
TIE = 9  # between the bars of two tie groups
MOST_TIES = 8  # bars; with more of them the letters in the table say it better
INK = {"system": "var(--accent)", "people": "var(--doubt)", "reference": "var(--c3)"}


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """A row of an interval chart: a value, its interval if it has one, and whose it is.

    `kind` is `system`, `people` (a hollow mark) or `reference` (a diamond). `dots` are the values
    that it is the mean of, by name; each is drawn as a faint dot. Rows that share a letter of
    `groups` are joined by a bar.
    """

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    kind: str = "system"
    dots: Mapping[str, float] = field(default_factory=dict, hash=False)
    groups: str = ""


def interval_chart(rows: Sequence[IntervalRow], *, x_title: str, label: str) -> Markup:
    """Return one row per system: a mark on its interval, 0 on the axis."""
    ends = [v for row in rows for v in (row.value, row.low, row.high) if v is not None]
    ends += [value for row in rows for value in row.dots.values()]
    ties = tie_groups(rows)
    left = 4 + TIE * len(ties)
    x = Scale(rounded_out([*ends, 0.0]), (left + 16, COLUMN - 22))
    bottom = STEP * len(rows) + 4
    grid = [
        element("line", x1=x(value), x2=x(value), y1=6, y2=bottom - 4, class_="grid")
        + text(f"{value:g}", x(value), bottom + 14, class_="tick", text_anchor="middle")
        for value in x.ticks()
    ]
    marks = [_row(row, x, STEP * index, left) for index, row in enumerate(rows)]
    bars = [_tie(letter, places, rows, TIE * k) for k, (letter, places) in enumerate(ties.items())]
    title = text(x_title, COLUMN / 2, bottom + 38, class_="axis", text_anchor="middle")
    parts = [*grid, *bars, *marks, title]
    return drawing(*parts, width=COLUMN, height=bottom + 48, label=label)


def tie_groups(rows: Sequence[IntervalRow]) -> dict[str, list[int]]:
    """Return letter to the rows that have it, for letters of two rows or more; none if too many."""
    letters = dict.fromkeys(letter for row in rows for letter in row.groups)
    places = {one: [k for k, row in enumerate(rows) if one in row.groups] for one in letters}
    shared = {letter: own for letter, own in places.items() if len(own) > 1}
    return shared if len(shared) <= MOST_TIES else {}


def _tie(letter: str, places: Sequence[int], rows: Sequence[IntervalRow], left: float) -> Markup:
    """Return a bar from the first to the last row of a tie group, with a dot at each of them."""
    x, heights = left + 6, [STEP * place + MIDDLE for place in places]
    names = ", ".join(rows[place].name for place in places)
    pen = {"stroke": "var(--soft)", "stroke_width": 2, "opacity": 0.6}
    return element(
        "g",
        element("title", f"{letter}: {names} are not shown to differ"),
        element("line", x1=x, x2=x, y1=heights[0], y2=heights[-1], **pen),
        *(element("circle", cx=x, cy=y, r=3, fill="var(--soft)") for y in heights),
        class_="tie",
    )


def _row(row: IntervalRow, x: Scale, top: float, left: float) -> Markup:
    ink, y = INK[row.kind], top + MIDDLE
    parts = [
        element("line", x1=left, x2=COLUMN - 4, y1=y, y2=y, class_="grid"),
        text(shortened(row.name, 28), left, top + 20, class_="name"),
        text(f"{row.value:.3f}", COLUMN - 4, top + 20, text_anchor="end", class_="value"),
        *_dots(row, x, y),
    ]
    if row.low is not None and row.high is not None:
        ends = {"x1": x(row.low), "x2": x(row.high), "y1": y, "y2": y}
        pen = {"stroke": ink, "stroke_width": 3, "stroke_linecap": "round", "opacity": 0.45}
        parts.append(element("line", **ends, **pen))
    return joined([*parts, _mark(row.kind, x(row.value), y)])


def _mark(kind: str, x: float, y: float) -> Markup:
    ink = INK[kind]
    if kind == "reference":
        return element("path", d=f"M{x:.1f},{y - 6:.1f}l6,6l-6,6l-6,-6z", fill=ink, class_="mark")
    fill = "var(--panel)" if kind == "people" else ink
    pen = {"stroke": ink, "stroke_width": 2}
    return element("circle", cx=x, cy=y, r=5, fill=fill, **pen, class_="mark")


def _dots(row: IntervalRow, x: Scale, y: float) -> Iterator[Markup]:
    """Yield the dots below the interval, which would hide those at its ends."""
    pen = {"r": 3, "fill": INK[row.kind], "opacity": 0.4, "class_": "one"}
    for name, value in row.dots.items():
        hint = element("title", f"{name}: {value:.3f}")
        yield element("circle", hint, cx=x(value), cy=y + 11, **pen)
