"""Charts that several tasks draw: curves and histograms."""

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from earmark.report.svg import (
    COLUMN,
    Scale,
    axes,
    colour,
    drawing,
    element,
    legend,
    rounded_out,
)

LEFT, RIGHT, TOP = 46, 18, 32  # margins in which the axes' words have room


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

    A range that is not given is that of the points, rounded outwards to the next tick. Where x
    counts things (whole numbers), so do its ticks.
    """
    points = [point for curve in curves.values() for point in curve]
    counts = all(isinstance(point[0], int) for point in points)
    around = _range if counts else rounded_out
    x = Scale(x_range or around(p[0] for p in points), (LEFT, COLUMN - RIGHT))
    y = Scale(y_range or rounded_out(p[1] for p in points), (240, TOP))
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
    y = Scale(rounded_out([0, *counts, 1]), (210, TOP))
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
