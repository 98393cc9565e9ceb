"""Charts that several tasks draw: curves, intervals, histograms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from earmark.report.svg import (
    COLUMN,
    Scale,
    axes,
    colour,
    drawing,
    element,
    joined,
    legend,
    shortened,
    text,
)

LEFT, RIGHT, TOP = 46, 12, 32  # margins in which the axes' words have room


def curve_chart(
    curves: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x_title: str,
    y_title: str,
    label: str,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
) -> Markup:
    """Return curves over one another, each with its colour and its name in a legend.

    A range that is not given is that of the points. Where x counts things (whole numbers), so
    do its ticks.
    """
    points = [point for curve in curves.values() for point in curve]
    x = Scale(x_range or _range(p[0] for p in points), (LEFT, COLUMN - RIGHT))
    y = Scale(y_range or _range(p[1] for p in points), (240, TOP))
    counts = all(isinstance(point[0], int) for point in points)
    ticks = [value for value in x.ticks() if not counts or value % 1 == 0]
    lines = [
        element(
            "polyline",
            element("title", name),
            points=" ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in curve),
            fill="none",
            stroke=colour(index),
            stroke_width=2.2,
        )
        for index, (name, curve) in enumerate(curves.items())
    ]
    frame = axes(x, y, x_title=x_title, y_title=y_title, x_ticks=ticks)
    return drawing(frame, *lines, width=COLUMN, height=288, label=label) + legend(list(curves))


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """A row of an interval chart: a value, its interval if it has one, and whose it is.

    `dots` are the values that it is the mean of, by name; each is drawn as a faint dot.
    """

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    human: bool = False
    dots: Mapping[str, float] = field(default_factory=dict, hash=False)


def interval_chart(rows: Sequence[IntervalRow], *, x_title: str, label: str) -> Markup:
    """Return one row per system: a dot on its interval, 0 on the axis; people's are hollow."""
    ends = [v for row in rows for v in (row.value, row.low, row.high) if v is not None]
    ends += [value for row in rows for value in row.dots.values()]
    x = Scale(_range([*ends, 0.0]), (10, COLUMN - 14))
    # a row has its name above its interval, so that long names have room on a phone, and is
    # high enough that a dot is clearly nearer to its own name than to the next
    step = 48
    bottom = step * len(rows) + 4
    grid = [
        element("line", x1=x(value), x2=x(value), y1=6, y2=bottom - 4, class_="grid")
        + text(f"{value:g}", x(value), bottom + 14, class_="tick", text_anchor="middle")
        for value in x.ticks()
    ]
    marks = [_interval(row, x, step * index) for index, row in enumerate(rows)]
    title = text(x_title, COLUMN / 2, bottom + 36, class_="axis", text_anchor="middle")
    return drawing(*grid, *marks, title, width=COLUMN, height=bottom + 46, label=label)


def _interval(row: IntervalRow, x: Scale, top: float) -> Markup:
    ink = "var(--doubt)" if row.human else "var(--accent)"
    y = top + 32
    parts = [
        element("line", x1=4, x2=COLUMN - 4, y1=y, y2=y, class_="grid"),
        text(shortened(row.name, 32), 4, top + 20, class_="name"),
        text(f"{row.value:.3f}", COLUMN - 4, top + 20, text_anchor="end", class_="value"),
    ]
    parts += [
        element(
            "circle",
            element("title", f"{name}: {value:.3f}"),
            cx=x(value),
            cy=y + 11,  # below the interval, which would hide those at its ends
            r=3,
            fill=ink,
            opacity=0.4,
            class_="one",
        )
        for name, value in row.dots.items()
    ]
    if row.low is not None and row.high is not None:
        ends = {"x1": x(row.low), "x2": x(row.high), "y1": y, "y2": y}
        pen = {"stroke": ink, "stroke_width": 3, "stroke_linecap": "round", "opacity": 0.45}
        parts.append(element("line", **ends, **pen))
    fill = "var(--panel)" if row.human else ink
    parts.append(
        element("circle", cx=x(row.value), cy=y, r=5, fill=fill, stroke=ink, stroke_width=2)
    )
    return joined(parts)


def histogram(
    values: Sequence[float],
    *,
    bins: int,
    bounds: tuple[float, float],
    x_title: str,
    y_title: str,
    label: str,
) -> Markup:
    """Return bars of how many values fall in each of equal bins; what lies outside is in the last.

    Each bar says its number when pointed at.
    """
    low, high = bounds
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, max(0, int((value - low) / (high - low) * bins)))] += 1
    x = Scale(bounds, (LEFT, COLUMN - RIGHT))
    y = Scale((0, max([*counts, 1])), (210, TOP))
    width = (x.places[1] - x.places[0]) / bins
    bars = [
        element(
            "rect",
            element("title", count),
            x=x.places[0] + index * width + 1,
            y=y(count),
            width=max(width - 2, 1),
            height=y(0) - y(count),
            fill="var(--accent)",
        )
        for index, count in enumerate(counts)
        if count
    ]
    frame = axes(x, y, x_title=x_title, y_title=y_title)
    return drawing(frame, *bars, width=COLUMN, height=258, label=label)


def _range(values: Iterable[float]) -> tuple[float, float]:
    known = list(values) or [0.0, 1.0]
    return min(known), max(known)
