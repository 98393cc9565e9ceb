"""Small pictures as SVG, in the page's own colours, so that they follow light and dark."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

WIDTH = 640


def element(name: str, *children: str, **attributes: object) -> str:
    """One SVG or HTML element; underscores in attribute names become hyphens.

    Examples
    --------
    >>> element("rect", x=1, stroke_width=2)
    '<rect x="1" stroke-width="2"/>'
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{told}>{inside}</{name}>" if inside else f"<{name}{told}/>"


def _short(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text(words: object, x: float, y: float, **attributes: object) -> str:
    """A piece of text."""
    return element("text", escape(str(words)), x=x, y=y, **attributes)


def drawing(*children: str, width: float, height: float, label: str) -> str:
    """An SVG of that size, shrinking to the page, with a label for those who cannot see it."""
    return element(
        "svg",
        element("title", escape(label)),
        *children,
        viewBox=f"0 0 {_short(float(width))} {_short(float(height))}",
        width=width,
        height=height,
        role="img",
        class_="drawing",
        xmlns="http://www.w3.org/2000/svg",
    )


class Scale:
    """Values to places along an axis.

    Examples
    --------
    >>> Scale((0, 10), (100, 200))(5)
    150.0
    """

    def __init__(self, values: tuple[float, float], places: tuple[float, float]) -> None:
        self.values = values if values[0] != values[1] else (values[0] - 0.5, values[1] + 0.5)
        self.places = places

    def __call__(self, value: float) -> float:
        """Where the value lies."""
        (low, high), (start, end) = self.values, self.places
        return start + (value - low) / (high - low) * (end - start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values across the axis."""
        import math

        low, high = self.values
        raw = (high - low) / about
        size = 10 ** math.floor(math.log10(raw))
        step = next(k * size for k in (1, 2, 5, 10) if k * size >= raw)
        first = math.ceil(low / step - 1e-9)
        last = math.floor(high / step + 1e-9)
        return [round(k * step, 10) for k in range(first, last + 1)]


def axes(
    x: Scale, y: Scale, *, x_title: str, y_title: str, x_ticks: Sequence[float] | None = None
) -> str:
    """Grid lines, ticks and titles of a chart."""
    bottom, left = y.places[0], x.places[0]
    parts = []
    for value in y.ticks():
        at = y(value)
        parts.append(element("line", x1=left, x2=x.places[1], y1=at, y2=at, class_="grid"))
        parts.append(text(f"{value:g}", left - 8, at + 4, class_="tick", text_anchor="end"))
    for value in x_ticks if x_ticks is not None else x.ticks():
        parts.append(text(f"{value:g}", x(value), bottom + 18, class_="tick", text_anchor="middle"))
    middle = (x.places[0] + x.places[1]) / 2
    parts.append(text(x_title, middle, bottom + 38, class_="axis", text_anchor="middle"))
    parts.append(text(y_title, left - 30, y.places[1] - 10, class_="axis"))
    return "".join(parts)


def curve_chart(
    curves: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x_title: str,
    y_title: str,
    label: str,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
) -> str:
    """Curves over one another, each with its colour and its name in a legend.

    Where x counts things (whole numbers), so do its ticks.
    """
    points = [point for line in curves.values() for point in line]
    x = Scale(x_range or _span(p[0] for p in points), (56, WIDTH - 16))
    y = Scale(y_range or _span(p[1] for p in points), (260, 28))
    counts = all(isinstance(point[0], int) for point in points)
    ticks = [value for value in x.ticks() if not counts or value % 1 == 0]
    parts = [axes(x, y, x_title=x_title, y_title=y_title, x_ticks=ticks)]
    for index, (name, line) in enumerate(curves.items()):
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in line)
        colour = f"var(--c{index % 6 + 1})"
        title = element("title", escape(name))
        parts.append(
            element("polyline", title, points=path, fill="none", stroke=colour, stroke_width=2.2)
        )
    body = drawing(*parts, width=WIDTH, height=306, label=label)
    return body + legend(list(curves))


def legend(names: Sequence[str]) -> str:
    """Names with their colours."""
    marks = [
        element(
            "span",
            element("i", " ", style=f"background:var(--c{index % 6 + 1})"),
            escape(name),
        )
        for index, name in enumerate(names)
    ]
    return element("p", *marks, class_="legend")


def interval_chart(
    rows: Sequence[tuple[str, float, float | None, float | None, bool]],
    *,
    x_title: str,
    label: str,
) -> str:
    """One row a system: a dot with its interval; people's rows are hollow.

    A row is (name, value, low, high, human).
    """
    ends = [v for _, value, low, high, _ in rows for v in (value, low, high) if v is not None]
    x = Scale(_span([*ends, 0.0]), (170, WIDTH - 70))
    step, top = 30, 24
    bottom = top + step * len(rows)
    parts = [
        element("line", x1=x(v), x2=x(v), y1=top - 8, y2=bottom - 8, class_="grid")
        + text(f"{v:g}", x(v), bottom + 10, class_="tick", text_anchor="middle")
        for v in x.ticks()
    ]
    for index, (name, value, low, high, human) in enumerate(rows):
        at = top + step * index + 4
        colour = "var(--doubt)" if human else "var(--accent)"
        parts.append(text(_fit(name, 22), 160, at + 4, text_anchor="end", class_="name"))
        if low is not None and high is not None:
            parts.append(
                element(
                    "line",
                    x1=x(low),
                    x2=x(high),
                    y1=at,
                    y2=at,
                    stroke=colour,
                    stroke_width=3,
                    stroke_linecap="round",
                    opacity=0.45,
                )
            )
        fill = "var(--panel)" if human else colour
        parts.append(
            element("circle", cx=x(value), cy=at, r=5, fill=fill, stroke=colour, stroke_width=2)
        )
        parts.append(text(f"{value:.3f}", WIDTH - 8, at + 4, text_anchor="end", class_="value"))
    parts.append(
        text(x_title, (170 + WIDTH - 70) / 2, bottom + 30, class_="axis", text_anchor="middle")
    )
    return drawing(*parts, width=WIDTH, height=bottom + 40, label=label)


def histogram(
    values: Sequence[float], *, bins: int, bounds: tuple[float, float], x_title: str, label: str
) -> str:
    """How many values fall in each of equal bins."""
    low, high = bounds
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, max(0, int((value - low) / (high - low) * bins)))] += 1
    x = Scale(bounds, (56, WIDTH - 16))
    y = Scale((0, max([*counts, 1])), (220, 28))
    wide = (x.places[1] - x.places[0]) / bins
    bars = [
        element(
            "rect",
            element("title", f"{count}"),
            x=x.places[0] + index * wide + 1,
            y=y(count),
            width=max(wide - 2, 1),
            height=y(0) - y(count),
            fill="var(--accent)",
        )
        for index, count in enumerate(counts)
        if count
    ]
    return drawing(
        axes(x, y, x_title=x_title, y_title="how many"), *bars, width=WIDTH, height=270, label=label
    )


def _span(values: Iterable[float]) -> tuple[float, float]:
    known = list(values) or [0.0, 1.0]
    return min(known), max(known)


def _fit(name: str, size: int) -> str:
    return name if len(name) <= size else name[: size - 1] + "…"
