"""Drawings as SVG, in the page's own colours, so that they follow light and dark."""

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from earmark.report.render import render

# A drawing as wide as one of two columns of figures on a page of 68 rem; a phone shows it at
# two thirds, and page.css then enlarges its letters. What is wider scrolls sideways there.
COLUMN = 460
# Letters are 12 px and more; below this share of its size a drawing scrolls instead.
LEAST_SCALE = 0.92
CATEGORIES = 6  # colours that page.css defines, --c1 to --c6


def element(name: str, *children: object, **attributes: object) -> Markup:
    """Return one SVG element; everything but `Markup` children is escaped.

    Underscores in attribute names become hyphens; an attribute that is None is left out.

    Examples
    --------
    >>> element("rect", x=1.50, stroke_width=2)
    Markup('<rect x="1.5" stroke-width="2"/>')
    >>> element("text", "a < b", class_='"')
    Markup('<text class="&#34;">a &lt; b</text>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(map(escape, children))
    return Markup(f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>")


def _written(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text(words: object, x: float, y: float, **attributes: object) -> Markup:
    """Return a piece of text."""
    return element("text", words, x=x, y=y, **attributes)


def joined(parts: Sequence[Markup]) -> Markup:
    """Return the parts one after another."""
    return Markup("").join(parts)


def drawing(*children: Markup, width: float, height: float, label: str) -> Markup:
    """Return an SVG of that size, with a label for those who cannot see it.

    It shrinks to the page as far as its letters stay legible, and scrolls from there.
    """
    wide = width > COLUMN
    picture = element(
        "svg",
        element("title", label),
        *children,
        viewBox=f"0 0 {_written(float(width))} {_written(float(height))}",
        width=width,
        height=height,
        role="img",
        class_="drawing" if wide else "drawing column",
        style=f"min-width:{LEAST_SCALE * width:.0f}px" if wide else None,
        xmlns="http://www.w3.org/2000/svg",
    )
    return element("div", picture, class_="scroll", tabindex=0) if wide else picture


def colour(index: int) -> str:
    """Return the page's colour for that category; after six they begin again."""
    return f"var(--c{index % CATEGORIES + 1})"


def legend(names: Sequence[str]) -> Markup:
    """Return names with their colours, in the order of the categories."""
    return render("earmark.report/legend.html", names=names)


def shortened(name: str, letters: int) -> str:
    """Return a name cut to so many letters, with an ellipsis where it was cut."""
    return name if len(name) <= letters else name[: letters - 1] + "…"


def round_step(low: float, high: float, about: int = 5) -> float:
    """Return the round step (1, 2 or 5 times a power of 10) that divides a range into so many."""
    least_step = (high - low) / about
    power: float = 10 ** math.floor(math.log10(least_step))
    # 10 times the power can be a hair below the least step
    return next((k * power for k in (1, 2, 5) if k * power >= least_step), 10 * power)


def rounded_out(values: Iterable[float], about: int = 5) -> tuple[float, float]:
    """Return a range that holds the values and ends in ticks, so that no value is beyond them.

    Examples
    --------
    >>> rounded_out([0.0, 0.96])
    (0.0, 1.0)
    >>> rounded_out([0.0]), rounded_out([])
    ((0.0, 1.0), (0.0, 1.0))
    """
    known = list(values) or [0.0, 1.0]
    low, high = min(known), max(known)
    if low == high:
        low, high = (min(0.0, low), max(0.0, high)) if low else (0.0, 1.0)
    step = round_step(low, high, about)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return round(first * step, 10), round(last * step, 10)


class Scale:
    """A linear map from values to coordinates along an axis.

    Examples
    --------
    >>> Scale((0, 10), (100, 200))(5)
    150.0
    """

    def __init__(self, values: tuple[float, float], places: tuple[float, float]) -> None:
        self.values = values if values[0] != values[1] else (values[0] - 0.5, values[1] + 0.5)
        self.places = places

    def __call__(self, value: float) -> float:
        """Return the coordinate of a value."""
        (low, high), (start, end) = self.values, self.places
        return start + (value - low) / (high - low) * (end - start)

    def ticks(self, about: int = 5) -> list[float]:
        """Return round values across the axis, about so many."""
        low, high = self.values
        step = round_step(low, high, about)
        # a tick at the very end of the axis must not be lost to rounding
        first = math.ceil(low / step - 1e-9)
        last = math.floor(high / step + 1e-9)
        return [round(k * step, 10) for k in range(first, last + 1)]


def axes(
    x: Scale, y: Scale, *, x_title: str, y_title: str, x_ticks: Sequence[float] | None = None
) -> Markup:
    """Return grid lines, ticks and titles of a chart."""
    bottom, left = y.places[0], x.places[0]
    parts = []
    for value in y.ticks():
        height = y(value)
        parts.append(element("line", x1=left, x2=x.places[1], y1=height, y2=height, class_="grid"))
        parts.append(text(f"{value:g}", left - 8, height + 4, class_="tick", text_anchor="end"))
    for value in x_ticks if x_ticks is not None else x.ticks():
        parts.append(text(f"{value:g}", x(value), bottom + 18, class_="tick", text_anchor="middle"))
    middle = (x.places[0] + x.places[1]) / 2
    parts.append(text(x_title, middle, bottom + 40, class_="axis", text_anchor="middle"))
    parts.append(text(y_title, 4, y.places[1] - 12, class_="axis"))
    return joined(parts)
